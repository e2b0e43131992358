"""Paths below a home directory; the folders are joined at run time."""

from __future__ import annotations

import pytest

from groundkit_index.guard import Finding, scan

_HOME = "/" + "home"
_MAC = "/" + "Users"
_WINDOWS = "C:" + "\\Users"
_NAME = "kjensen"


@pytest.mark.parametrize(
    "path",
    [
        f"{_HOME}/{_NAME}/src/app.py",
        f"{_HOME}/{_NAME}/",
        f"{_HOME}/k.jensen/notes.txt",
        f"{_HOME}/žofie/notes.txt",
        f"{_MAC}/{_NAME}/Library/Caches",
        f"file://{_HOME}/{_NAME}/page.html",
        f"#!{_HOME}/{_NAME}/venv/bin/python",
        f"PATH=/usr/bin:{_HOME}/{_NAME}/bin",
        f"cc -I{_HOME}/{_NAME}/include",
        f'File "{_HOME}/{_NAME}/app.py", line 3',
        f"({_HOME}/{_NAME}/app)",
        f"line one\\n{_HOME}/{_NAME}/app",
        f"C:{_MAC}/{_NAME}/Documents",
        f"c:/users/{_NAME}/Documents",
        f"cd /c{_MAC}/{_NAME}/src",
        f"/mnt/c{_MAC}/{_NAME}/src",
        f"{_WINDOWS}\\{_NAME}\\Documents",
        f"{_WINDOWS}\\Kay Jensen\\Documents",
        f"c:\\users\\{_NAME}\\Documents",
        f"{_WINDOWS}\\{_NAME}\\Documents".replace("\\", "\\\\"),
        f"%SystemDrive%\\Users\\{_NAME}\\Documents",
    ],
)
def test_the_home_of_a_person_is_found(path: str) -> None:
    assert scan(f"it ran\nin {path}\n") == (Finding("home-path", 2),)


@pytest.mark.parametrize(
    "name",
    [
        "user",
        "User01",
        "username",
        "azureuser",
        "you",
        "me",
        "yourname",
        "your-id",
        "name",
        "runner",
        "app",
        "ubuntu",
        "root",
        "jdoe",
        "Administrator",
        "Public",
        "Default",
        "vscode",
        "node",
        "test",
        "example",
        "foo",
        "x",
        "1000",
        "2819c223-7f76-453a-919d-413861904646",
    ],
)
def test_a_role_or_a_stand_in_is_no_person(name: str) -> None:
    assert scan(f"{_HOME}/{name}/a {_MAC}/{name}/a {_WINDOWS}\\{name}\\a") == ()


@pytest.mark.parametrize(
    "name", ["<name>", "$USER", "${USER}", "{user}", "{{ user }}", "%USERNAME%", "*", "...", ":id"]
)
def test_a_template_is_no_person(name: str) -> None:
    assert scan(f"{_HOME}/{name}/a {_MAC}/{name}/a {_WINDOWS}\\{name}\\a") == ()


@pytest.mark.parametrize(
    "text",
    [
        f"~/{_NAME}/notes",
        f"https://corp.net{_HOME}/{_NAME}/page",
        f"corp.net{_MAC}/{_NAME}/",
        f"$ROOT{_HOME}/{_NAME}/",
        f"${{ROOT}}{_HOME}/{_NAME}/",
        f"src{_HOME}/{_NAME}/",
        f"{_HOME}/{_NAME}",
        f"the /users/{_NAME}/posts endpoint",
        f"WinRM Virtual Users\\{_NAME}\\x",
    ],
)
def test_a_path_elsewhere_is_no_home(text: str) -> None:
    assert scan(text) == ()
