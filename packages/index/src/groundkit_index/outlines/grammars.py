"""Which syntax nodes define something, by language."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Grammar:
    """A tree-sitter grammar and what it calls definitions.

    Attributes:
        module: the package that bundles the grammar.
        function: its function that gives the language.
        containers: nodes that are made to hold other definitions, such as classes.
        functions: other nodes that define something.
        wrappers: nodes that a definition is read with, such as decorators and `export`.
        comments: nodes that belong to the definition below, such as comments and attributes.
        open: nodes whose scope reaches to the end of the file, such as `namespace A;`.
        patterns: further functions, as patterns of tree-sitter queries without captures.
        types: further containers, likewise.
    """

    module: str
    containers: tuple[str, ...]
    functions: tuple[str, ...]
    wrappers: tuple[str, ...] = ()
    comments: tuple[str, ...] = ("comment",)
    open: tuple[str, ...] = ()
    patterns: tuple[str, ...] = ()
    types: tuple[str, ...] = ()
    function: str = "language"

    def query(self) -> str:
        """Return the query that captures these nodes."""
        plain = (
            ("container", self.containers),
            ("function", self.functions),
            ("wrapper", self.wrappers),
            ("comment", self.comments),
            ("open", self.open),
        )
        lines = [f"({node}) @{name}" for name, nodes in plain for node in nodes]
        lines.extend(f"{pattern} @function" for pattern in self.patterns)
        lines.extend(f"{pattern} @container" for pattern in self.types)
        return "\n".join(lines)


_VALUE = "[(arrow_function) (function_expression) (generator_function)]"
_SCRIPT_PATTERNS = (
    f"(variable_declarator value: {_VALUE})",
    f"(assignment_expression left: (member_expression) right: {_VALUE})",
)
_SCRIPT_FUNCTIONS = (
    "function_declaration",
    "generator_function_declaration",
    "method_definition",
)
_SCRIPT_WRAPPERS = (
    "export_statement",
    "lexical_declaration",
    "variable_declaration",
    "expression_statement",
)
_TYPESCRIPT = {
    "containers": (
        "class_declaration",
        "abstract_class_declaration",
        "interface_declaration",
        "enum_declaration",
        "internal_module",
        "module",
    ),
    "functions": (
        *_SCRIPT_FUNCTIONS,
        "function_signature",
        "method_signature",
        "abstract_method_signature",
        "type_alias_declaration",
    ),
    "wrappers": (*_SCRIPT_WRAPPERS, "ambient_declaration"),
    "patterns": (*_SCRIPT_PATTERNS, f"(public_field_definition value: {_VALUE})"),
}
_C_PROTOTYPES = (
    "(declaration declarator: (function_declarator))",
    "(declaration declarator: (pointer_declarator declarator: (function_declarator)))",
)
_C_TYPES = (
    "(struct_specifier body: (_))",
    "(union_specifier body: (_))",
    "(enum_specifier body: (_))",
    "(type_definition type: [(struct_specifier !name body: (_)) (union_specifier !name body: (_))"
    " (enum_specifier !name body: (_))])",
)

GRAMMARS: dict[str, Grammar] = {
    "c": Grammar(
        "tree_sitter_c",
        (),
        ("function_definition", "preproc_function_def"),
        ("type_definition",),
        patterns=_C_PROTOTYPES,
        types=_C_TYPES,
    ),
    "cpp": Grammar(
        "tree_sitter_cpp",
        ("namespace_definition",),
        ("function_definition", "preproc_function_def", "alias_declaration"),
        ("template_declaration", "type_definition"),
        patterns=(*_C_PROTOTYPES, "(field_declaration declarator: (function_declarator))"),
        types=("(class_specifier body: (_))", *_C_TYPES),
    ),
    "csharp": Grammar(
        "tree_sitter_c_sharp",
        (
            "namespace_declaration",
            "class_declaration",
            "struct_declaration",
            "interface_declaration",
            "record_declaration",
            "enum_declaration",
        ),
        (
            "method_declaration",
            "constructor_declaration",
            "destructor_declaration",
            "property_declaration",
            "delegate_declaration",
            "local_function_statement",
        ),
        open=("file_scoped_namespace_declaration",),
    ),
    "go": Grammar(
        "tree_sitter_go",
        ("type_spec",),
        ("function_declaration", "method_declaration", "type_alias"),
        ("type_declaration",),
    ),
    "java": Grammar(
        "tree_sitter_java",
        (
            "class_declaration",
            "interface_declaration",
            "enum_declaration",
            "record_declaration",
            "annotation_type_declaration",
        ),
        (
            "method_declaration",
            "constructor_declaration",
            "compact_constructor_declaration",
            "annotation_type_element_declaration",
        ),
        comments=("line_comment", "block_comment"),
    ),
    "javascript": Grammar(
        "tree_sitter_javascript",
        ("class_declaration",),
        _SCRIPT_FUNCTIONS,
        _SCRIPT_WRAPPERS,
        patterns=(*_SCRIPT_PATTERNS, f"(field_definition value: {_VALUE})"),
    ),
    "php": Grammar(
        "tree_sitter_php",
        (
            "class_declaration",
            "interface_declaration",
            "trait_declaration",
            "enum_declaration",
        ),
        ("function_definition", "method_declaration"),
        open=("namespace_definition",),
        function="language_php",
    ),
    "python": Grammar(
        "tree_sitter_python",
        ("class_definition",),
        ("function_definition",),
        ("decorated_definition",),
    ),
    "ruby": Grammar(
        "tree_sitter_ruby",
        ("class", "module"),
        ("method", "singleton_method"),
    ),
    "rust": Grammar(
        "tree_sitter_rust",
        ("mod_item", "trait_item", "impl_item"),
        (
            "function_item",
            "function_signature_item",
            "struct_item",
            "enum_item",
            "union_item",
            "type_item",
            "macro_definition",
        ),
        comments=("line_comment", "block_comment", "attribute_item"),
    ),
    "typescript": Grammar("tree_sitter_typescript", function="language_typescript", **_TYPESCRIPT),
    "tsx": Grammar("tree_sitter_typescript", function="language_tsx", **_TYPESCRIPT),
}

ALTERNATIVES = {"c": ("c", "cpp"), "typescript": ("typescript", "tsx")}
"""Grammars to try for a language: headers of C++ look like those of C."""
