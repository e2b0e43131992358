"""A revision of a repository is a corpus, read without a checkout and cited with its commit."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from ipaddress import ip_address
from pathlib import Path
from typing import Any
from wsgiref.simple_server import WSGIRequestHandler, make_server

import pytest
from dulwich import porcelain
from dulwich.repo import Repo
from dulwich.server import DictBackend
from dulwich.web import HTTPGitApplication

from groundkit_core.contracts import IngestReport
from groundkit_core.errors import SourceError
from groundkit_index.rebuild import rebuild
from groundkit_index.repositories import ingest_revision
from groundkit_index.web.opening import PublicOpener
from groundkit_retrieval import Collection

OTTER = "# Otters\n\nAn otter swims with its webbed feet.\n"
HOLT = "# Holts\n\nThe holt of an otter is dug into the bank.\n"
WHO = b"A <a@example.org>"


@dataclass
class Project:
    """A repository with a work tree, and an index."""

    folder: Path
    index: Path

    def commit(self, **texts: str) -> str:
        for name, text in texts.items():
            (self.folder / f"{name}.md").write_text(text)
        porcelain.add(self.folder, [self.folder / f"{name}.md" for name in texts])
        made = porcelain.commit(self.folder, message=b"m", author=WHO, committer=WHO)
        return made.decode()

    def ingest(self, path: str | Path | None = None, rev: str | None = None) -> IngestReport:
        return ingest_revision(path or self.folder, rev, index_dir=self.index)

    def search(self, query: str) -> list[tuple[str, str, str | None]]:
        with Collection.open(index_dir=self.index) as opened:
            return [
                (hit.citation.link, hit.citation.verification, hit.citation.commit)
                for hit in opened.search(query).results
            ]


@pytest.fixture
def project(tmp_path: Path) -> Project:
    folder = tmp_path / "project"
    folder.mkdir()
    porcelain.init(folder).close()
    return Project(folder, tmp_path / "index")


def test_a_commit_is_cited_as_git_writes_it_whatever_the_work_tree_holds(
    project: Project,
) -> None:
    first = project.commit(otter=OTTER)
    project.commit(otter="# Nothing\n\nOf that kind.\n")
    (project.folder / "otter.md").unlink()
    assert project.ingest(rev=first).documents.added == 1
    assert project.search("webbed feet") == [(f"{first[:12]}:otter.md:1", "verified", first)]


def test_a_branch_is_followed_to_where_it_stands_now(project: Project) -> None:
    project.commit(otter=OTTER, holt=HOLT)
    assert project.ingest().documents.added == 2
    second = project.commit(otter="# Otters\n\nAn otter dives for five minutes.\n")
    report = project.ingest()
    assert (report.documents.updated, report.documents.unchanged) == (1, 1)
    assert project.search("dives minutes") == [(f"{second[:12]}:otter.md:1", "verified", second)]
    assert project.search("holt bank")[0][2] == second


def test_two_revisions_by_name_stand_side_by_side(project: Project) -> None:
    first = project.commit(otter=OTTER)
    porcelain.tag_create(project.folder, "v1", author=WHO, message=b"one", annotated=True)
    second = project.commit(otter="# Otters\n\nAn otter swims with its tail.\n")
    project.ingest(rev="v1")
    project.ingest(rev="master")
    commits = {commit for _, _, commit in project.search("otter swims")}
    assert commits == {first, second}


def test_a_folder_of_the_repository_can_be_named(project: Project) -> None:
    (project.folder / "docs").mkdir()
    project.commit(**{"docs/otter": OTTER, "holt": HOLT})
    assert project.ingest(project.folder / "docs").documents.added == 1
    assert project.search("webbed feet")[0][0].endswith(":otter.md:1")


def test_a_rebuild_reads_the_same_commit_again(project: Project) -> None:
    commit = project.commit(otter=OTTER)
    project.ingest()
    project.commit(otter="# Else\n\nNothing.\n")
    assert rebuild(index_dir=project.index).documents.added == 1
    assert project.search("webbed feet") == [(f"{commit[:12]}:otter.md:1", "verified", commit)]


@pytest.mark.parametrize("rev", ["nothing", "v9", "0" * 40, "../../etc", "--upload-pack=x"])
def test_a_revision_that_is_not_there_is_one_clear_line(project: Project, rev: str) -> None:
    project.commit(otter=OTTER)
    with pytest.raises(SourceError) as caught:
        project.ingest(rev=rev)
    assert "\n" not in str(caught.value)


def test_a_folder_that_is_no_repository_is_one_clear_line(tmp_path: Path) -> None:
    (tmp_path / "a.md").write_text(OTTER)
    with pytest.raises(SourceError, match="repository"):
        ingest_revision(tmp_path, "HEAD", index_dir=tmp_path / "index")


def _backend(repo: Repo) -> DictBackend:
    held: dict[str, Any] = {"/project.git": repo}
    return DictBackend(held)


class _Silent(WSGIRequestHandler):
    def log_message(self, *_: object) -> None:
        pass


@pytest.fixture
def remote(project: Project) -> Iterator[Callable[[], str]]:
    """Serves the repository on loopback, and returns its address."""
    running = []

    def serve() -> str:
        repo = Repo(str(project.folder))
        server = make_server(
            "127.0.0.1",
            0,
            HTTPGitApplication(_backend(repo)),
            handler_class=_Silent,
        )
        thread = threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True)
        thread.start()
        running.append((server, thread, repo))
        return f"http://127.0.0.1:{server.server_port}/project.git"

    yield serve
    for server, thread, repo in running:
        server.shutdown()
        server.server_close()
        thread.join()
        repo.close()


def test_a_remote_repository_is_fetched_without_its_history(
    project: Project, remote: Callable[[], str]
) -> None:
    project.commit(otter="# Old\n\nOld words.\n")
    commit = project.commit(otter=OTTER, holt=HOLT)
    url = f"git+{remote()}@master"
    opener = PublicOpener(_allow=lambda address: address == ip_address("127.0.0.1"))
    report = ingest_revision(url, index_dir=project.index, opener=opener)
    assert report.documents.added == 2
    assert project.search("webbed feet") == [(f"{commit[:12]}:otter.md:1", "verified", commit)]
    second = project.commit(holt="# Holts\n\nIt has an entrance below water.\n")
    ingest_revision(url, index_dir=project.index, opener=opener)
    assert project.search("entrance water")[0][2] == second
    assert project.search("webbed feet")[0][1:] == ("verified", second)


def test_a_private_repository_server_is_refused(
    project: Project, remote: Callable[[], str]
) -> None:
    project.commit(otter=OTTER)
    with pytest.raises(SourceError, match="public internet"):
        ingest_revision(f"git+{remote()}@master", index_dir=project.index, opener=PublicOpener())
