from __future__ import annotations

import pytest

from groundkit_index.guard import private_name


@pytest.mark.parametrize(
    ("source", "rule_id"),
    [
        (".env", "env-file"),
        ("deploy/.env", "env-file"),
        (".env.local", "env-file"),
        (".env-production", "env-file"),
        ("deploy/prod.env", "env-file"),
        ("id_rsa", "key-file"),
        ("keys/id_ed25519", "key-file"),
        ("id_ed25519_sk", "key-file"),
        ("id_ed25519_work", "key-file"),
        ("id_rsa.old", "key-file"),
        ("ssh_host_ecdsa_key", "key-file"),
        ("server.pem", "key-file"),
        ("tls/server.key", "key-file"),
        ("store.p12", "key-file"),
        ("store.pfx", "key-file"),
        ("store.jks", "key-file"),
        ("debug.keystore", "key-file"),
        ("login.ppk", "key-file"),
        ("vault.kdbx", "key-file"),
        ("kubeconfig", "credentials-file"),
        ("prod.kubeconfig", "credentials-file"),
        ("kubeconfig.yaml", "credentials-file"),
        (".kube/config", "credentials-file"),
        (".npmrc", "credentials-file"),
        (".pypirc", "credentials-file"),
        (".netrc", "credentials-file"),
        ("_netrc", "credentials-file"),
        (".git-credentials", "credentials-file"),
        (".htpasswd", "credentials-file"),
        (".pgpass", "credentials-file"),
        (".aws/credentials", "credentials-file"),
        (".docker/config.json", "credentials-file"),
        ("credentials.json", "credentials-file"),
        ("app/client_secret_42.json", "credentials-file"),
    ],
)
def test_a_file_that_is_a_secret_is_known_by_its_name(source: str, rule_id: str) -> None:
    assert private_name(source) == rule_id


@pytest.mark.parametrize("source", [".ENV", "Server.PEM", ".env.", ".env ", "a\nb/.env"])
def test_case_and_what_filesystems_drop_do_not_hide_a_name(source: str) -> None:
    assert private_name(source) is not None


@pytest.mark.parametrize(
    "source",
    [
        ".env.example",
        ".env.local.example",
        ".env.sample",
        ".env.template",
        ".env.dist",
        "example.env",
        "env",
        "env.py",
        "docs/environment.md",
        ".env/notes.txt",
        "id_rsa.pub",
        "id_ed25519_work.pub",
        "docs/id_rsa.md",
        "kubeconfig.rst",
        "credentials.md",
        "credentials.py",
        "config.json",
        "config",
        "keyboard.txt",
        "monkey",
        "tokens.json",
        "",
    ],
)
def test_an_example_or_a_page_about_secrets_is_no_secret(source: str) -> None:
    assert private_name(source) is None
