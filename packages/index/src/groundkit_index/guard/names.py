"""Files that are secrets by their name, whatever they hold."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class NameRule:
    """One group of file names.

    Attributes:
        rule_id: stable and kebab-case; what `--allow-secrets` takes.
        summary: what such files are, in a few words.
        pattern: matches the whole source in lower case, folders included.
    """

    rule_id: str
    summary: str
    pattern: re.Pattern[str]


def _names(*patterns: str) -> re.Pattern[str]:
    return re.compile(rf"(?:.*/)?(?:{'|'.join(patterns)})", re.DOTALL)


NAME_RULES: Final[tuple[NameRule, ...]] = (
    NameRule(
        "env-file",
        "environment file; an example or a template of one is none",
        _names(
            r"[^/]*(?<!example)(?<!sample)(?<!template)\.env",
            r"\.env[.-][^/]*(?<!example)(?<!sample)(?<!template)(?<!dist)",
        ),
    ),
    NameRule(
        "key-file",
        "private key or key store",
        _names(
            r"(?:id_(?:dsa|rsa|ecdsa|ed25519|xmss)|ssh_host_[a-z0-9]+_key)(?:[._-][^/]*)?(?<!\.pub)",
            r"[^/]+\.(?:jks|kdbx?|key|keystore|p12|p8|pem|pfx|ppk)",
            r"secring\.gpg",
        ),
    ),
    NameRule(
        "credentials-file",
        "file in which a tool keeps credentials",
        _names(
            r"[._]netrc",
            r"\.(?:dockercfg|git-credentials|htpasswd|npmrc|pgpass|pypirc|s3cfg|vault-token)",
            r"\.(?:aws|cargo|gem)/credentials(?:\.toml)?",
            r"\.docker/config\.json",
            r"\.kube/config",
            r"(?:[^/]*\.)?kubeconfig(?:\.ya?ml)?",
            r"(?:application_default_)?credentials\.json",
            r"client_secret[^/]*\.json",
        ),
    ),
)
_PAGES = (".md", ".rst")


def private_name(source: str) -> str | None:
    """Return the id of the rule by which a file must not be indexed, or None.

    Case does not count, nor do spaces and dots at the end, which some filesystems drop. A page
    about such a file, as in `kubeconfig.md`, is judged by what it holds.

    Args:
        source: a path in POSIX form; what is above it does not count.
    """
    path = source.lower().rstrip(". ")
    if path.endswith(_PAGES):
        return None
    for rule in NAME_RULES:
        if rule.pattern.fullmatch(path):
            return rule.rule_id
    return None
