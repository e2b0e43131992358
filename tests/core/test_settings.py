from __future__ import annotations

from pathlib import Path

import pytest

from groundkit_core.errors import SettingsError
from groundkit_core.model import ChunkSettings
from groundkit_core.settings import load_settings


@pytest.fixture(autouse=True)
def in_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def test_defaults_leave_what_a_collection_has() -> None:
    settings = load_settings()
    assert settings.index_dir == Path(".groundkit")
    assert settings.collection == "default"
    assert settings.chunking is None
    assert settings.language is None


def test_one_chunk_size_takes_the_defaults_for_the_rest() -> None:
    assert load_settings(chunk_target=500).chunking == ChunkSettings(500, 2000, 0)


def test_flags_win_over_environment_over_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "groundkit.toml").write_text('language = "german"\n')
    assert load_settings().language == "german"
    monkeypatch.setenv("GROUNDKIT_LANGUAGE", "french")
    assert load_settings().language == "french"
    assert load_settings(language="dutch").language == "dutch"
    assert load_settings(language=None).language == "french"


@pytest.mark.parametrize("text", ["nonsense = 1", "chunk_target = 1", 'index_dir = "~/x"', "="])
def test_a_wrong_file_is_named(tmp_path: Path, text: str) -> None:
    (tmp_path / "groundkit.toml").write_text(text)
    with pytest.raises(SettingsError, match=r"groundkit\.toml") as caught:
        load_settings()
    assert "\n" not in str(caught.value)
