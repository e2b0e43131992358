from __future__ import annotations

from collections.abc import Callable

import pytest

from groundkit_core.chunking.code.definitions import outline
from groundkit_core.chunking.code.languages import LANGUAGES

from .conftest import Chunked

Chunker = Callable[..., Chunked]
Found = list[tuple[str, str]]

PYTHON = '''"""Module title.

More.
"""
import os


@decorator(
    a=1,
)
class Store(Base):
    """def not_a_definition(): pass"""

    def get(
        self,
        key,
    ):
        return """
def nor_this():
"""

    # About put.
    @cached
    async def put(self):
        def inner():
            return 1

# A comment at the margin.
        return inner

def main() -> None:
    pass

main()
'''
TYPESCRIPT = """import { x } from "y";

/** Says hello: { */
export async function hello(name: string): Promise<void> {
  const url = `http://x/${name}`; // not {
  if (name) { log("{"); }
}

export const arrow = async (a: number) => {
  return a;
};

@Injectable()
export class Users extends Base<User> {
  private cache: Map<string, User> = new Map();

  /**
   * Gets it.

   */
  async getName(id: string): Promise<string> {
    for (const x of this.cache) {
      if (x) { return x.name; }
    }
    return "";
  }

  static of(): Users {
    return new Users(null);
  }
}

export interface User {
  id: string;
}
"""
GO = """package p

// Server serves.
type Server struct {
	addr string
}

// Start starts it.
func (s *Server) Start(ctx context.Context) error {
	fmt.Println(`raw { string`, '{')
	return nil
}

func New[T any](a T) *Server {
	return &Server{}
}
"""
RUST = """use std::fmt;

/// A point.
#[derive(Debug)]
pub struct Point<'a> {
    x: &'a str,
}

impl<'a> fmt::Display for Point<'a> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{{}}", '{')
    }
}

pub(crate) async fn run() -> Result<(), Error> {
    Ok(())
}
"""
JAVA = """package a.b;

/**
 * Orders.
 */
@Component
public class Orders implements Base<Order, Long> {
    private static final Map<String, String> M = new HashMap<>();

    public Orders(Repo repo) {
        this.repo = repo;
    }

    @Override
    @Transactional(readOnly = true)
    public List<Map<String, Order>> findAll(int page) throws IOException {
        if (page > 0) {
            return repo.find("}");
        }
        return null;
    }

    enum Status { A, B }
}
"""
CSHARP = """namespace App.Core
{
    [Serializable]
    public sealed class Repo<T> : IRepo<T> where T : class
    {
        [HttpGet("x")]
        public async Task<IActionResult> GetAsync(int id, string q = "a")
        {
            return Ok();
        }
    }
}
"""
KOTLIN = """data class User(val id: Int)

object Registry {
    private val users = mutableListOf<User>()

    fun add(user: User): Boolean = users.add(user)
}

fun String.shout() = uppercase()
"""
CPP = """namespace geo {

class Shape : public Base {
 public:
  explicit Shape(int n) : n_(n) {}
  double area() const override {
    return 1.0;
  }
};

// Computes.
static std::vector<int> compute(const std::string& s,
                                int n) {
  return {};
}

}  // namespace geo

int main(int argc, char** argv)
{
  return 0;
}
"""
RUBY = """module Outer
  # Doc
  class Thing < Base
    def initialize(x)
      @x = x
    end

    def self.build(y)
      new(y)
    end
  end
end
"""
SQL = """-- Users.
create table if not exists app.users (
  id int primary key, -- the id; yes
  name text default 'a;b'
);

CREATE OR REPLACE FUNCTION add(a int, b int) RETURNS int AS $$
BEGIN
  RETURN a + b;
END;
$$ LANGUAGE plpgsql;

SELECT 1;
"""
SHELL = """#!/bin/sh

# Says hi.
say_hi() {
  echo "hi ${1:-x} # no {"
}

function other {
  echo a
}

say_hi you
"""
TERRAFORM = """variable "region" {
  default = "eu"
}

resource "aws_s3_bucket" "logs" {
  tags = { a = "b" }
}
"""
MAKEFILE = """CC := gcc

build: main.o
	$(CC) -o x

test:
	./x
"""


def definitions(language: str, text: str) -> Found:
    """Qualified names, each with the first line of its stretch."""
    marks = outline(text, LANGUAGES[language]).marks
    return [
        (".".join(mark.path), text[mark.start :].partition("\n")[0].strip())
        for mark in marks
        if mark.path
    ]


@pytest.mark.parametrize(
    ("language", "text", "expected"),
    [
        (
            "python",
            PYTHON,
            [
                ("Store", "@decorator("),
                ("Store.get", "def get("),
                ("Store.put", "# About put."),
                ("Store.put.inner", "def inner():"),
                ("Store.put", "# A comment at the margin."),
                ("main", "def main() -> None:"),
            ],
        ),
        (
            "typescript",
            TYPESCRIPT,
            [
                ("hello", "/** Says hello: { */"),
                ("arrow", "export const arrow = async (a: number) => {"),
                ("Users", "@Injectable()"),
                ("Users.getName", "/**"),
                ("Users.of", "static of(): Users {"),
                ("User", "export interface User {"),
            ],
        ),
        (
            "go",
            GO,
            [
                ("Server", "// Server serves."),
                ("Server.Start", "// Start starts it."),
                ("New", "func New[T any](a T) *Server {"),
            ],
        ),
        (
            "rust",
            RUST,
            [
                ("Point", "/// A point."),
                ("Point", "impl<'a> fmt::Display for Point<'a> {"),
                ("Point.fmt", "fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {"),
                ("run", "pub(crate) async fn run() -> Result<(), Error> {"),
            ],
        ),
        (
            "java",
            JAVA,
            [
                ("Orders", "/**"),
                ("Orders.Orders", "public Orders(Repo repo) {"),
                ("Orders.findAll", "@Override"),
                ("Orders.Status", "enum Status { A, B }"),
            ],
        ),
        (
            "csharp",
            CSHARP,
            [
                ("App.Core", "namespace App.Core"),
                ("App.Core.Repo", "[Serializable]"),
                ("App.Core.Repo.GetAsync", '[HttpGet("x")]'),
            ],
        ),
        (
            "kotlin",
            KOTLIN,
            [
                ("User", "data class User(val id: Int)"),
                ("Registry", "object Registry {"),
                ("Registry.add", "fun add(user: User): Boolean = users.add(user)"),
                ("shout", "fun String.shout() = uppercase()"),
            ],
        ),
        (
            "cpp",
            CPP,
            [
                ("geo", "namespace geo {"),
                ("geo.Shape", "class Shape : public Base {"),
                ("geo.Shape.Shape", "explicit Shape(int n) : n_(n) {}"),
                ("geo.Shape.area", "double area() const override {"),
                ("geo.compute", "// Computes."),
                ("main", "int main(int argc, char** argv)"),
            ],
        ),
        (
            "ruby",
            RUBY,
            [
                ("Outer", "module Outer"),
                ("Outer.Thing", "# Doc"),
                ("Outer.Thing.initialize", "def initialize(x)"),
                ("Outer.Thing.self.build", "def self.build(y)"),
            ],
        ),
        (
            "sql",
            SQL,
            [
                ("app.users", "-- Users."),
                (
                    "add",
                    "CREATE OR REPLACE FUNCTION add(a int, b int) RETURNS int AS $$",
                ),
            ],
        ),
        ("bash", SHELL, [("say_hi", "# Says hi."), ("other", "function other {")]),
        (
            "terraform",
            TERRAFORM,
            [
                ("variable.region", 'variable "region" {'),
                ("resource.aws_s3_bucket.logs", 'resource "aws_s3_bucket" "logs" {'),
            ],
        ),
        ("makefile", MAKEFILE, [("build", "build: main.o"), ("test", "test:")]),
    ],
    ids=lambda value: value if isinstance(value, str) and value.isalpha() else "",
)
def test_definitions_have_qualified_names_and_their_comments(
    language: str, text: str, expected: Found
) -> None:
    assert definitions(language, text) == expected


def body(name: str, lines: int = 12) -> str:
    return "\n".join(f"        {name}_{n} = compute({n})" for n in range(lines))


def test_methods_have_their_class_in_the_path(chunked: Chunker) -> None:
    text = f"class Store:\n    def get(self):\n{body('a')}\n\n    def put(self):\n{body('b')}\n"
    result = chunked("store.py", text, target=500)
    assert result.paths == [("Store", "get"), ("Store", "put")]
    assert result.contents[0].startswith("class Store:\n    def get")
    assert result.contents[1].startswith("    def put(self):\n        b_0")


def test_small_definitions_share_a_chunk(chunked: Chunker) -> None:
    text = "\n\n".join(f"def f{n}():\n    return {n}" for n in range(6))
    assert chunked("a.py", text).contents == [text]


def test_a_long_function_is_split_between_lines(chunked: Chunker) -> None:
    text = f"def long():\n{body('step', 60)}\n"
    result = chunked("a.py", text, target=400)
    assert set(result.paths) == {("long",)}
    assert "\n".join(result.contents) == text.rstrip()


def test_blank_lines_at_the_least_indentation_are_preferred(chunked: Chunker) -> None:
    loops = "\n\n".join(f"for x in xs{n}:\n    a(x)\n\n    b(x)\n\n    c(x)" for n in range(9))
    contents = chunked("a.py", loops, target=160).contents
    assert len(contents) > 2
    assert all(content.startswith("for x") for content in contents)


def test_definitions_inside_a_function_that_fits_stay_in_it(chunked: Chunker) -> None:
    inner = f"    def inner():\n{body('x', 10)}\n"
    text = f"def outer():\n{inner}\n    return inner\n\n\ndef other():\n{body('y', 20)}\n"
    assert chunked("a.py", text).holding("x_3").path == ("outer",)


@pytest.mark.parametrize(
    ("text", "title"),
    [
        (PYTHON, "Module title."),
        ("#!/bin/x\n# note\n'''One line.'''\n", "One line."),
        ('r"""\nSecond line.\n"""', "Second line."),
        ("x = 1\n'''not a docstring'''\n", ""),
        ("", ""),
    ],
)
def test_the_title_of_a_python_module_is_its_docstrings_first_line(
    chunked: Chunker, text: str, title: str
) -> None:
    assert chunked("a.py", text).title == title


def test_other_languages_are_split_at_blank_lines(chunked: Chunker) -> None:
    blocks = [f"f{n} :: Int\nf{n} = {10**60 + n}" for n in range(6)]
    contents = chunked("a.hs", "\n\n".join(blocks), target=100).contents
    assert contents == blocks
