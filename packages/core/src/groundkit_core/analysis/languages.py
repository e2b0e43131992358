"""The languages an analyzer knows, and what differs between them."""

from __future__ import annotations

from collections.abc import Callable
from threading import Lock

import Stemmer

from groundkit_core.errors import SettingsError

NO_LANGUAGE = "none"
"""Neither stemming nor stop-words."""

_ISO = {
    "ar": "arabic", "ca": "catalan", "cs": "czech", "da": "danish", "de": "german",
    "el": "greek", "en": "english", "eo": "esperanto", "es": "spanish", "et": "estonian",
    "eu": "basque", "fa": "persian", "fi": "finnish", "fr": "french", "ga": "irish",
    "hi": "hindi", "hu": "hungarian", "hy": "armenian", "id": "indonesian", "it": "italian",
    "lt": "lithuanian", "nb": "norwegian", "ne": "nepali", "nl": "dutch", "nn": "norwegian",
    "no": "norwegian", "pl": "polish", "pt": "portuguese", "ro": "romanian", "ru": "russian",
    "sr": "serbian", "st": "sesotho", "sv": "swedish", "ta": "tamil", "tr": "turkish",
    "yi": "yiddish",
}  # fmt: skip

_PLAIN_SPELLING = {"english", "porter", NO_LANGUAGE}


def language_names() -> list[str]:
    """What `resolve_language` accepts besides ISO 639-1 codes."""
    return [*Stemmer.algorithms(), NO_LANGUAGE]


def resolve_language(language: str) -> str:
    """The Snowball name of a language given by that name or by its ISO 639-1 code.

    Raises:
        SettingsError: there is no such language.
    """
    wanted = language.strip().lower()
    name = _ISO.get(wanted, wanted)
    names = language_names()
    if name not in names:
        choices = ", ".join(names)
        raise SettingsError(f"unknown language {language!r}; choose one of: {choices}")
    return name


def snowball_version() -> str:
    """The version that decides what the stems are."""
    return str(Stemmer.version())


def make_stemmer(language: str) -> Callable[[list[str]], list[str]]:
    """A function that stems lower-case words and may be called from any thread."""
    if language == NO_LANGUAGE:
        return list
    stem: Callable[[list[str]], list[str]] = Stemmer.Stemmer(language, 0).stemWords
    lock = Lock()

    def stem_words(words: list[str]) -> list[str]:
        with lock:
            return stem(words)

    return stem_words


def spells_with_diacritics(language: str) -> bool:
    """Whether the stemmer knows endings with diacritics (`-ité`)."""
    return language not in _PLAIN_SPELLING
