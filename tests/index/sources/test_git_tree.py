from __future__ import annotations

import contextlib
import os
import shutil
import zlib
from collections.abc import Callable
from pathlib import Path

import pytest
from dulwich.object_format import SHA1, SHA256
from dulwich.object_store import DiskObjectStore
from dulwich.objects import Blob, Commit, ObjectID, ShaFile, Tag, Tree
from dulwich.pack import pack_object_header, write_pack_index
from dulwich.refs import Ref
from dulwich.repo import Repo

from groundkit_core.errors import DocumentRefusedError, RootMissingError, SourceError
from groundkit_index.sources import FolderSource
from groundkit_index.sources.git import GitTree

MAX = 100_000

Files = dict[str, bytes | tuple[int, bytes]]


class History:
    """A repository that a test writes commits into."""

    def __init__(self, repo: Repo) -> None:
        self.repo = repo
        self.parents: list[ObjectID] = []

    def commit(self, files: Files, branch: str = "refs/heads/main") -> str:
        commit = Commit()
        commit.tree = self._tree(files)
        commit.parents = self.parents
        commit.author = commit.committer = b"A <a@example.org>"
        commit.author_time = commit.commit_time = 1_700_000_000 + len(self.parents)
        commit.author_timezone = commit.commit_timezone = 0
        commit.message = b"message\n"
        self.add(commit)
        self.parents = [commit.id]
        self.repo.refs[Ref(branch.encode())] = commit.id
        return commit.id.decode()

    def add(self, found: ShaFile) -> ObjectID:
        self.repo.object_store.add_object(found)
        return found.id

    def _tree(self, files: Files) -> ObjectID:
        folders: dict[str, Files] = {}
        tree = Tree()
        for path, content in files.items():
            name, slash, rest = path.partition("/")
            if slash:
                folders.setdefault(name, {})[rest] = content
                continue
            mode, data = content if isinstance(content, tuple) else (0o100644, content)
            oid = ObjectID(data) if mode == 0o160000 else self.add(Blob.from_string(data))
            tree.add(os.fsencode(name), mode, oid)
        for name, inner in folders.items():
            tree.add(os.fsencode(name), 0o040000, self._tree(inner))
        return self.add(tree)

    def commit_raw_tree(self, raw: bytes) -> None:
        store = self.repo.object_store
        oid = write_loose(Path(os.fsdecode(store.path)), b"tree", raw)
        text = f"tree {oid}\nauthor A <a> 1 +0000\ncommitter A <a> 1 +0000\n\nm\n"
        commit = write_loose(Path(os.fsdecode(store.path)), b"commit", text.encode())
        self.repo.refs[Ref(b"refs/heads/main")] = ObjectID(commit.encode())


def write_loose(store: Path, kind: bytes, data: bytes, *, says: int | None = None) -> str:
    import hashlib

    raw = b"%s %d\0" % (kind, len(data) if says is None else says) + data
    oid = hashlib.sha1(raw).hexdigest()
    path = store / oid[:2] / oid[2:]
    path.parent.mkdir(exist_ok=True)
    path.write_bytes(zlib.compress(raw))
    return oid


@pytest.fixture
def history(tmp_path: Path) -> History:
    (tmp_path / "repo").mkdir()
    repo = Repo.init(tmp_path / "repo", default_branch=b"main")
    repo.close()
    return History(repo)


@pytest.fixture
def top(tmp_path: Path) -> Path:
    return tmp_path / "repo"


def sources(path: Path, rev: str | None = None) -> list[str]:
    with GitTree.open(path, rev) as tree:
        return [file.source for file in tree.scan(max_bytes=MAX).files]


def checkout(top: Path) -> None:
    """Write the files of the head, as a work tree has them."""
    with Repo(top) as repo:
        repo.get_worktree().reset_index()


CORPUS: Files = {
    "README.md": b"# Top\n",
    "docs/guide.md": b"guide\n",
    "docs/deep/er/page.rst": b"page\n",
    "docs/.hidden.md": b"hidden\n",
    "docs/draft.md": b"ignored though tracked\n",
    "docs/.gitignore": b"draft.md\n/out/\n",
    "docs/out/a.md": b"a\n",
    ".github/CONTRIBUTING.md": b"kept\n",
    ".venv/lib.py": b"x = 1\n",
    "node_modules/x/readme.md": b"x\n",
    "vendor/modules.txt": b"x\n",
    "vendor/x/readme.md": b"x\n",
    "src/main.py": (0o100755, b"x = 1\n"),
    "logo.png": b"\x89PNG",
    "large.txt": b"x" * (MAX + 1),
    "link.md": (0o120000, b"README.md"),
    "link.png": (0o120000, b"logo.png"),
    "naïve.md": "naïve\n".encode(),
}


def test_a_tree_and_its_checkout_give_the_same_documents(history: History, top: Path) -> None:
    history.commit(CORPUS)
    checkout(top)
    with GitTree.open(top) as tree:
        found = tree.scan(max_bytes=MAX)
        on_disk = FolderSource(top, max_bytes=MAX).scan()
        assert [file.source for file in found.files] == [file.source for file in on_disk.files]
        assert len(found.files) == 6
        assert found.refused == on_disk.refused
        assert found.unsupported == on_disk.unsupported
        hidden = found.skipped["hidden"] + 1  # `.git`
        assert found.skipped | {"hidden": hidden} == on_disk.skipped
        for file in found.files:
            assert tree.read(file.source, MAX) == (top / file.source).read_bytes()
            assert file.signature.size == (top / file.source).stat().st_size


def test_a_folder_below_a_work_tree_is_read_by_the_ignore_files_above_it(
    history: History, top: Path
) -> None:
    history.commit({"a/.gitignore": b"/b/no.md\n", "a/b/no.md": b"n", "a/b/c/yes.md": b"y"})
    checkout(top)
    with GitTree.open(top / "a" / "b") as tree:
        assert tree.folder == "a/b"
        found = tree.scan(max_bytes=MAX)
        assert [file.source for file in found.files] == ["c/yes.md"]
        assert found.files == tuple(tree.scan("c", max_bytes=MAX).files)
        assert tree.read("c/yes.md", MAX) == b"y"
    on_disk = FolderSource(top / "a" / "b", max_bytes=MAX).scan()
    assert [file.source for file in on_disk.files] == ["c/yes.md"]


def test_a_file_that_is_named_is_taken_whatever_rules_say(history: History, top: Path) -> None:
    history.commit({"docs/.gitignore": b"*\n", "docs/.x.md": b"x"})
    checkout(top)
    with GitTree.open(top / "docs" / ".x.md") as tree:
        assert (tree.folder, tree.scope) == ("docs", ".x.md")
        assert [file.source for file in tree.scan(max_bytes=MAX).files] == [".x.md"]


def test_a_folder_that_is_only_in_an_old_commit_can_be_named(history: History, top: Path) -> None:
    history.commit({"old/a.md": b"a"})
    history.commit({"new/a.md": b"a"})
    assert sources(top / "old", "HEAD~1") == ["a.md"]
    with pytest.raises(RootMissingError, match="'old' is not in commit"):
        GitTree.open(top / "old")


@pytest.mark.parametrize(
    ("rev", "source"),
    [
        (None, "3.md"),
        ("HEAD", "3.md"),
        ("@", "3.md"),
        ("@~1", "2.md"),
        ("main", "3.md"),
        ("refs/heads/main", "3.md"),
        ("HEAD~2", "1.md"),
        ("HEAD^^", "1.md"),
        ("main~1^1", "1.md"),
        ("v1", "1.md"),
        ("v1^{}", "1.md"),
        ("tags/v1", "1.md"),
        ("feature/x", "2.md"),
        ("origin/main", "2.md"),
    ],
)
def test_revisions_are_named_as_for_git(
    history: History, top: Path, rev: str | None, source: str
) -> None:
    ids = [history.commit({f"{n}.md": b"%d" % n}) for n in (1, 2, 3)]
    tag = Tag()
    tag.object = (Commit, ObjectID(ids[0].encode()))
    tag.name, tag.message, tag.tagger = b"v1", b"one", b"A <a@example.org>"
    tag.tag_time = tag.tag_timezone = 0
    history.repo.refs[Ref(b"refs/tags/v1")] = history.add(tag)
    history.repo.refs[Ref(b"refs/heads/feature/x")] = ObjectID(ids[1].encode())
    history.repo.refs[Ref(b"refs/remotes/origin/main")] = ObjectID(ids[1].encode())
    assert sources(top, rev) == [source]


def test_commits_are_named_by_full_and_short_ids(history: History, top: Path) -> None:
    first = history.commit({"1.md": b"1"})
    history.commit({"2.md": b"2"})
    for rev in (first, first[:7], first[:4], first[:9].upper()):
        with GitTree.open(top, rev) as tree:
            assert tree.commit == first


@pytest.mark.parametrize(
    "rev",
    [
        "nope",
        "HEAD~9",
        "HEAD^2",
        "0" * 40,
        "beef0",
        "",
        "~1",
        "--help",
        "refs/../config",
        "HEAD:a.md",
    ],
)
def test_an_unknown_revision_is_an_error_of_one_line(history: History, top: Path, rev: str) -> None:
    history.commit({"a.md": b"a"})
    with pytest.raises(SourceError) as caught:
        GitTree.open(top, rev)
    assert "\n" not in str(caught.value)
    assert str(top) not in str(caught.value)


def test_a_repository_without_commits_says_so(history: History, top: Path) -> None:
    with pytest.raises(SourceError, match="no commit yet"):
        GitTree.open(top)


def test_a_folder_outside_repositories_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(SourceError, match="in no git repository"):
        GitTree.open(tmp_path)
    for odd in ("a\0b", "x" * 5000):
        with pytest.raises(SourceError):
            GitTree.open(tmp_path / odd)


def test_refs_and_objects_may_be_packed(history: History, top: Path) -> None:
    text = b"".join(b"line %d of a text that is long enough\n" % n for n in range(200))
    for n in range(3):
        last = history.commit({"a.md": text + b"%d" % n, "b/c.md": b"c"})
    with Repo(top) as repo:
        repo.object_store.pack_loose_objects()
        repo.refs.pack_refs(all=True)
        repo.object_store.close()
    assert not list((top / ".git" / "refs" / "heads").iterdir())
    with GitTree.open(top, "HEAD~1") as tree:
        assert tree.read("a.md", MAX) == text + b"1"
        assert tree.read("b/c.md", MAX) == b"c"
    with GitTree.open(top, last[:8]) as tree:
        assert tree.commit == last
        assert tree.scan(max_bytes=MAX).files[0].signature.size == len(text) + 1


def test_a_bare_repository_is_read(history: History, top: Path, tmp_path: Path) -> None:
    history.commit({"a.md": b"a"})
    shutil.move(top / ".git", tmp_path / "bare.git")
    assert sources(tmp_path / "bare.git") == ["a.md"]


def test_a_repository_with_sha256_names_is_read(tmp_path: Path) -> None:
    repo = Repo.init_bare(tmp_path / "b.git", mkdir=True, object_format="sha256")
    repo.close()
    store = repo.object_store
    blob = Blob.from_string(b"text\n")
    store.add_object(blob)
    tree = Tree()
    tree.object_format = SHA256
    tree.add(b"a.md", 0o100644, ObjectID(blob.get_id(SHA256)))
    store.add_object(tree)
    commit = Commit()
    commit.object_format = SHA256
    commit.tree = ObjectID(tree.get_id(SHA256))
    commit.author = commit.committer = b"A <a@example.org>"
    commit.author_time = commit.commit_time = commit.author_timezone = commit.commit_timezone = 0
    commit.message = b"m\n"
    store.add_object(commit)
    oid = commit.get_id(SHA256).decode()
    with GitTree.open(tmp_path / "b.git", oid) as found:
        assert found.commit == oid
        assert len(oid) == 64
        assert found.read("a.md", MAX) == b"text\n"


def test_a_shallow_clone_is_read_and_says_where_it_ends(history: History, top: Path) -> None:
    first = history.commit({"a.md": b"a"})
    second = history.commit({"a.md": b"b"})
    (top / ".git" / "objects" / first[:2] / first[2:]).unlink()
    (top / ".git" / "shallow").write_text(second + "\n")
    assert sources(top) == ["a.md"]
    with pytest.raises(SourceError, match="unshallow"):
        GitTree.open(top, "HEAD~1")


def test_what_a_partial_clone_left_out_is_refused(history: History, top: Path) -> None:
    history.commit({"a.md": b"a", "b.md": b"b"})
    oid = Blob.from_string(b"b").id.decode()
    (top / ".git" / "objects" / oid[:2] / oid[2:]).unlink()
    with GitTree.open(top) as tree:
        assert tree.scan(max_bytes=MAX).refused == (("b.md", "missing"),)
    with (top / ".git" / "config").open("a") as config:
        config.write('[remote "origin"]\n\tpromisor = true\n')
    with GitTree.open(top) as tree:
        found = tree.scan(max_bytes=MAX)
        assert [file.source for file in found.files] == ["a.md"]
        assert found.refused == (("b.md", "not_fetched"),)


def test_a_worktree_is_read_at_its_own_head(history: History, top: Path, tmp_path: Path) -> None:
    first = history.commit({"1.md": b"1"})
    history.commit({"2.md": b"2"})
    admin = top / ".git" / "worktrees" / "wt"
    admin.mkdir(parents=True)
    worktree = tmp_path / "wt"
    worktree.mkdir()
    (worktree / ".git").write_text(f"gitdir: {admin}\n")
    (admin / "gitdir").write_text(f"{worktree / '.git'}\n")
    (admin / "commondir").write_text("../..\n")
    (admin / "HEAD").write_text(first + "\n")
    assert sources(worktree) == ["1.md"]
    assert sources(worktree, "main") == ["2.md"]


def test_submodules_and_links_are_counted(history: History, top: Path) -> None:
    history.commit({"a.md": b"a", "sub": (0o160000, b"1" * 40), "to": (0o120000, b"/etc/passwd")})
    with GitTree.open(top) as tree:
        found = tree.scan(max_bytes=MAX)
        assert [file.source for file in found.files] == ["a.md"]
        assert found.skipped == {"submodule": 1, "symlink": 1}
        for source in ("to", "sub", "to/passwd", "sub/a.md", "../a.md", "/a.md", "gone.md", ""):
            with pytest.raises(DocumentRefusedError):
                tree.read(source, MAX)


def test_signatures_tell_changed_contents_from_unchanged_ones(history: History, top: Path) -> None:
    history.commit({"same.md": b"same", "changed.md": b"one"})
    history.commit({"same.md": b"same", "changed.md": b"two"})

    def signatures(rev: str) -> dict[str, object]:
        with GitTree.open(top, rev) as tree:
            files = tree.scan(max_bytes=MAX).files
            assert all(tree.signature(file.source) == file.signature for file in files)
            return {file.source: file.signature for file in files}

    before, after = signatures("HEAD~1"), signatures("HEAD")
    assert before["same.md"] == after["same.md"]
    assert before["changed.md"] != after["changed.md"]


def test_sizes_are_capped_before_anything_is_unpacked(history: History, top: Path) -> None:
    history.commit({"a.md": b"a" * 100})
    with GitTree.open(top) as tree:
        assert tree.scan(max_bytes=99).refused == (("a.md", "too_large"),)
        with pytest.raises(DocumentRefusedError, match="too_large"):
            tree.read("a.md", 99)


def test_entries_are_capped(history: History, top: Path) -> None:
    history.commit({f"{n}.md": b"a" for n in range(20)})
    with GitTree.open(top) as tree, pytest.raises(SourceError, match="more than 10 files"):
        tree.scan(max_bytes=MAX, max_entries=10)


def test_a_tree_that_holds_itself_many_times_over_is_stopped(history: History, top: Path) -> None:
    inner = history.add(Blob.from_string(b"boom"))
    mode = 0o100644
    for _ in range(10):
        tree = Tree()
        for n in range(10):
            tree.add(b"d%d.md" % n, mode, inner)
        inner, mode = history.add(tree), 0o040000
    history.commit_raw_tree(b"40000 d\0" + bytes.fromhex(inner.decode()))
    with GitTree.open(top) as found, pytest.raises(SourceError, match="more than 2,000"):
        found.scan(max_bytes=MAX, max_entries=2_000)


def test_a_tree_that_is_too_deep_for_a_path_is_refused(history: History, top: Path) -> None:
    inner = history.add(Blob.from_string(b"deep"))
    mode, name = b"100644", b"a.md"
    for _ in range(25):
        raw = mode + b" " + name + b"\0" + bytes.fromhex(inner.decode())
        inner = ObjectID(write_loose(top / ".git" / "objects", b"tree", raw).encode())
        mode, name = b"40000", b"d" * 200
    history.commit_raw_tree(b"40000 d\0" + bytes.fromhex(inner.decode()))
    with GitTree.open(top) as tree:
        found = tree.scan(max_bytes=MAX)
        assert [reason for _, reason in found.refused] == ["name_too_long"]
        assert found.files == ()


@pytest.mark.parametrize(
    "name", [b"../up.md", b"..", b"a/b.md", b"\\x\\y.md", b"C:\\x.md", b"a\\..\\b.md", b".", b""]
)
def test_names_that_lead_elsewhere_are_refused(history: History, top: Path, name: bytes) -> None:
    blob = bytes.fromhex(history.add(Blob.from_string(b"x")).decode())
    history.commit_raw_tree(b"100644 " + name + b"\0" + blob + b"100644 a.md\0" + blob)
    with GitTree.open(top) as tree:
        found = tree.scan(max_bytes=MAX)
        assert [file.source for file in found.files] == ["a.md"]
        assert [reason for _, reason in found.refused] == ["outside_root"]


def test_a_name_that_is_not_utf8_is_refused(history: History, top: Path) -> None:
    blob = bytes.fromhex(history.add(Blob.from_string(b"x")).decode())
    history.commit_raw_tree(b"100644 caf\xe9.md\0" + blob)
    with GitTree.open(top) as tree:
        assert tree.scan(max_bytes=MAX).refused == (("caf\\xe9.md", "invalid_name"),)


def test_a_name_that_is_listed_twice_refuses_its_folder(history: History, top: Path) -> None:
    blob = bytes.fromhex(history.add(Blob.from_string(b"x")).decode())
    inner = write_loose(top / ".git" / "objects", b"tree", 2 * (b"100644 a.md\0" + blob))
    history.commit_raw_tree(b"100644 b.md\0" + blob + b"40000 d\0" + bytes.fromhex(inner))
    with GitTree.open(top) as tree:
        found = tree.scan(max_bytes=MAX)
        assert [file.source for file in found.files] == ["b.md"]
        assert found.refused == (("d", "broken"),)
        assert found.is_unlisted("d/a.md")


def test_an_object_that_is_not_what_its_id_says_is_refused(history: History, top: Path) -> None:
    history.commit({"a.md": b"true"})
    oid = Blob.from_string(b"true").id.decode()
    path = top / ".git" / "objects" / oid[:2] / oid[2:]
    path.chmod(0o644)
    path.write_bytes(zlib.compress(b"blob 4\0lies"))
    with GitTree.open(top) as tree, pytest.raises(DocumentRefusedError, match="broken"):
        tree.read("a.md", MAX)


@pytest.mark.parametrize("damage", [b"", b"\x78\x9c", b"garbage", zlib.compress(b"blob x\0")])
def test_a_damaged_object_is_refused(history: History, top: Path, damage: bytes) -> None:
    history.commit({"a.md": b"a"})
    oid = Blob.from_string(b"a").id.decode()
    path = top / ".git" / "objects" / oid[:2] / oid[2:]
    path.chmod(0o644)
    path.write_bytes(damage)
    with GitTree.open(top) as tree:
        assert tree.scan(max_bytes=MAX).refused == (("a.md", "broken"),)


def test_a_loose_object_that_unpacks_to_more_than_it_says_is_refused(
    history: History, top: Path
) -> None:
    store = top / ".git" / "objects"
    oid = write_loose(store, b"blob", bytes(50_000_000), says=10)
    history.commit_raw_tree(b"100644 a.md\0" + bytes.fromhex(oid))
    with GitTree.open(top) as tree, pytest.raises(DocumentRefusedError, match="broken"):
        tree.read("a.md", MAX)


def write_pack(store: Path, objects: list[tuple[str, int, bytes | None, bytes]]) -> None:
    """Write a pack of objects, each with its id, type, base of its delta, and content."""
    import hashlib

    data = bytearray(b"PACK" + (2).to_bytes(4) + len(objects).to_bytes(4))
    entries = []
    for oid, kind, base, content in objects:
        entries.append((bytes.fromhex(oid), len(data), 0))
        data += bytes(pack_object_header(kind, base, len(content), SHA1))
        data += zlib.compress(content)
    checksum = hashlib.sha1(data).digest()
    (store / "pack" / "pack-x.pack").write_bytes(data + checksum)
    with (store / "pack" / "pack-x.idx").open("wb") as file:
        write_pack_index(file, sorted(entries), checksum, version=2)


def number(value: int) -> bytes:
    out = bytearray()
    while value > 0x7F:
        out.append(value & 0x7F | 0x80)
        value >>= 7
    return bytes([*out, value])


def test_deltas_that_unpack_to_far_too_much_are_refused_unread(history: History, top: Path) -> None:
    base, bomb, small = "1" * 40, "2" * 40, "3" * 40
    copy_all = b"\xff\0\0\0\0\xff\xff\xff"
    huge = 40 * 0xFFFFFF
    write_pack(
        top / ".git" / "objects",
        [
            (base, 3, None, bytes(0xFFFFFF)),
            (bomb, 7, bytes.fromhex(base), number(0xFFFFFF) + number(huge) + copy_all * 40),
            (small, 7, bytes.fromhex(bomb), number(huge) + number(3) + b"\3abc"),
        ],
    )
    history.commit_raw_tree(
        b"100644 a.md\0" + bytes.fromhex(bomb) + b"100644 b.md\0" + bytes.fromhex(small)
    )
    with GitTree.open(top) as tree:
        assert tree.scan(max_bytes=MAX).refused == (("a.md", "too_large"),)
        with pytest.raises(DocumentRefusedError, match="over_limit"):
            tree.read("b.md", MAX)


def test_deltas_that_lead_in_a_circle_are_refused(history: History, top: Path) -> None:
    one, two = "1" * 40, "2" * 40
    delta = number(3) + number(3) + b"\3abc"
    write_pack(
        top / ".git" / "objects",
        [(one, 7, bytes.fromhex(two), delta), (two, 7, bytes.fromhex(one), delta)],
    )
    history.commit_raw_tree(b"100644 a.md\0" + bytes.fromhex(one))
    with GitTree.open(top) as tree, pytest.raises(DocumentRefusedError, match="broken"):
        tree.read("a.md", MAX)


@pytest.mark.parametrize("keep", [0, 20, 100, -1])
def test_a_truncated_pack_is_an_error_of_one_line(history: History, top: Path, keep: int) -> None:
    history.commit({"a.md": b"a" * 100})
    with Repo(top) as repo:
        repo.object_store.pack_loose_objects()
        repo.object_store.close()
    for path in (top / ".git" / "objects" / "pack").glob("*.pack"):
        path.chmod(0o644)
        path.write_bytes(path.read_bytes()[:keep])
    with pytest.raises(SourceError):
        GitTree.open(top)


def test_programs_that_the_repository_names_are_not_run(
    history: History, top: Path, tmp_path: Path
) -> None:
    trace = tmp_path / "trace"
    program = tmp_path / "program"
    program.write_text(f"#!/bin/sh\necho run >> {trace}\ncat\n")
    program.chmod(0o755)
    history.commit({"a.md": b"stored", ".gitattributes": b"* filter=evil diff=evil\n"})
    git = top / ".git"
    (git / "evil").write_text(f"[core]\n\tfsmonitor = {program}\n")
    with (git / "config").open("a") as config:
        config.write(f"[include]\n\tpath = {git / 'evil'}\n")
        config.write(f"[core]\n\tfsmonitor = {program}\n\thooksPath = {tmp_path}\n")
        config.write(f"\tpager = {program}\n\tsshCommand = {program}\n\teditor = {program}\n")
        config.write(f'[filter "evil"]\n\tsmudge = {program}\n\tclean = {program}\n')
        config.write(f'\tprocess = {program}\n[diff "evil"]\n\ttextconv = {program}\n')
    for hook in ("post-checkout", "reference-transaction", "post-index-change"):
        (git / "hooks").mkdir(exist_ok=True)
        shutil.copy(program, git / "hooks" / hook)
    with GitTree.open(top) as tree:
        assert len(tree.scan(max_bytes=MAX, follow_hidden=True).files) == 1
        assert tree.read("a.md", MAX) == b"stored"
    assert not trace.exists()


def test_a_configuration_that_includes_a_pipe_does_not_block(history: History, top: Path) -> None:
    if not hasattr(os, "mkfifo"):
        pytest.skip("needs pipes")
    history.commit({"a.md": b"a"})
    os.mkfifo(top / ".git" / "pipe")
    with (top / ".git" / "config").open("a") as config:
        config.write("[include]\n\tpath = pipe\n")
    (top / ".git" / "packed-refs").unlink(missing_ok=True)
    os.mkfifo(top / ".git" / "packed-refs")
    os.mkfifo(top / ".git" / "objects" / "pack" / "pack-1.pack")
    os.mkfifo(top / ".git" / "objects" / "pack" / "pack-1.idx")
    assert sources(top) == ["a.md"]


@pytest.fixture
def private(tmp_path: Path) -> Path:
    """A repository of somebody else's, beside the one that is ingested."""
    (tmp_path / "private").mkdir()
    repo = Repo.init(tmp_path / "private", default_branch=b"main")
    repo.close()
    History(repo).commit({"secret.md": b"secret"})
    return tmp_path / "private" / ".git"


Hostile = Callable[[Path, Path], None]


def _git_file(top: Path, private: Path) -> None:
    shutil.rmtree(top / ".git")
    (top / ".git").write_text(f"gitdir: {private}\n")


def _git_link(top: Path, private: Path) -> None:
    shutil.rmtree(top / ".git")
    (top / ".git").symlink_to(private)


def _commondir(top: Path, private: Path) -> None:
    (top / ".git" / "commondir").write_text(f"{private}\n")


def _alternates(top: Path, private: Path) -> None:
    (top / ".git" / "objects" / "info").mkdir(exist_ok=True)
    (top / ".git" / "objects" / "info" / "alternates").write_text(f"{private / 'objects'}\n")
    shutil.copy(private / "refs" / "heads" / "main", top / ".git" / "refs" / "heads" / "main")


def _linked_objects(top: Path, private: Path) -> None:
    _alternates(top, private)
    shutil.rmtree(top / ".git" / "objects")
    (top / ".git" / "objects").symlink_to(private / "objects")


def _linked_fan_out(top: Path, private: Path) -> None:
    _alternates(top, private)
    (top / ".git" / "objects" / "info" / "alternates").unlink()
    for folder in (private / "objects").iterdir():
        if len(folder.name) == 2:
            (top / ".git" / "objects" / folder.name).symlink_to(folder)


@pytest.mark.parametrize(
    "attack",
    [_git_file, _git_link, _commondir, _alternates, _linked_objects, _linked_fan_out],
)
def test_a_repository_cannot_lend_the_objects_of_another(
    top: Path, history: History, private: Path, attack: Hostile
) -> None:
    attack(top, private)
    with pytest.raises(SourceError):
        GitTree.open(top)


def test_a_clone_that_borrows_its_objects_says_what_to_do(
    history: History, top: Path, private: Path
) -> None:
    _alternates(top, private)
    with pytest.raises(SourceError, match="repack -a -d"):
        GitTree.open(top)


def test_an_object_store_that_is_borrowed_within_the_repository_is_read(
    history: History, top: Path
) -> None:
    history.commit({"a.md": b"a"})
    inner = top / ".git" / "modules" / "objects"
    inner.parent.mkdir()
    shutil.move(top / ".git" / "objects", inner)
    (top / ".git" / "objects" / "info").mkdir(parents=True)
    (top / ".git" / "objects" / "info" / "alternates").write_text("../modules/objects\n")
    assert sources(top) == ["a.md"]


def test_an_unknown_extension_of_the_format_is_an_error(history: History, top: Path) -> None:
    history.commit({"a.md": b"a"})
    config = top / ".git" / "config"
    config.write_text("[core]\n\trepositoryformatversion = 1\n[extensions]\n\tsecret = yes\n")
    with pytest.raises(SourceError, match="extension 'secret'"):
        GitTree.open(top)


def test_a_repository_with_a_reftable_is_read_by_commit_id(history: History, top: Path) -> None:
    commit = history.commit({"a.md": b"a"})
    config = top / ".git" / "config"
    config.write_text(
        "[core]\n\trepositoryformatversion = 1\n[extensions]\n\trefStorage = reftable\n"
    )
    (top / ".git" / "HEAD").write_text("ref: refs/heads/.invalid\n")
    assert sources(top, commit) == ["a.md"]
    with pytest.raises(SourceError, match="full id"):
        GitTree.open(top)


def test_a_store_that_is_not_disturbed_stays_byte_for_byte(history: History, top: Path) -> None:
    history.commit(CORPUS)

    def state() -> dict[str, tuple[int, int]]:
        found = (path.lstat() for path in sorted((top / ".git").rglob("*")))
        return {str(n): (s.st_mtime_ns, s.st_size) for n, s in enumerate(found)}

    before = state()
    assert sources(top)
    assert state() == before
    assert isinstance(history.repo.object_store, DiskObjectStore)


def test_bytes_that_are_changed_anywhere_in_a_pack_never_give_wrong_text(
    history: History, top: Path
) -> None:
    files: Files = {f"{n}.md": b"text %d\n" % n * 50 for n in range(5)}
    history.commit(files)
    with Repo(top) as repo:
        repo.object_store.pack_loose_objects()
        repo.object_store.close()
    for path in (top / ".git" / "objects" / "pack").iterdir():
        path.chmod(0o644)
        whole = path.read_bytes()
        for at in range(0, len(whole), max(1, len(whole) // 60)):
            path.write_bytes(whole[:at] + bytes([whole[at] ^ 0x41]) + whole[at + 1 :])
            try:
                with GitTree.open(top) as tree:
                    for source in files:
                        with contextlib.suppress(DocumentRefusedError):
                            assert tree.read(source, MAX) == files[source]
            except SourceError:
                continue
        path.write_bytes(whole)
    assert len(sources(top)) == 5
