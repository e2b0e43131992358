"""Keys by the shape their provider gives them; none is written out, all are made at run time."""

from __future__ import annotations

import random
import string

import pytest

from groundkit_index.guard import scan

_BASE62 = string.ascii_letters + string.digits
_BASE64 = _BASE62 + "+/"
_URLSAFE = _BASE62 + "-_"
_BASE32 = string.ascii_uppercase + "234567"
_HEX = "0123456789abcdef"
_UPPER = string.ascii_uppercase + string.digits


def _random(alphabet: str, length: int, seed: int = 1) -> str:
    return "".join(random.Random(f"{seed}-{length}").choices(alphabet, k=length))


def _slack(kind: str) -> str:
    return f"xox{kind}-{_random('123456789', 12)}-{_random('123456789', 13)}-{_random(_BASE62, 24)}"


_NAMED_AWS = _random(_BASE64, 40)
_GITHUB = _random(_BASE62, 36)
_AZURE = _random(_BASE64, 86) + "=="
_WEBHOOK = f"T{_random(_UPPER, 9)}/B{_random(_UPPER, 10)}/{_random(_BASE62, 24)}"

KEYS = [
    ("aws-access-key-id", "AKIA" + _random(_BASE32, 16)),
    ("aws-access-key-id", 'key_id = "ASIA' + _random(_BASE32, 16) + '"'),
    ("aws-secret-access-key", f"aws_secret_access_key = {_NAMED_AWS}"),
    ("aws-secret-access-key", f"AWS_SECRET_ACCESS_KEY={_NAMED_AWS}"),
    ("aws-secret-access-key", f'"SecretAccessKey": "{_NAMED_AWS}",'),
    ("aws-secret-access-key", f"{{secretAccessKey: '{_NAMED_AWS}'}}"),
    ("aws-secret-access-key", f"| secret-access-key | `{_NAMED_AWS}` |"),
    ("azure-account-key", f"AccountName=acct;AccountKey={_AZURE};EndpointSuffix=core"),
    ("azure-account-key", f"SharedAccessKey={_random(_BASE64, 43)}="),
    ("github-token", "ghp_" + _GITHUB),
    ("github-token", "https://gho_" + _GITHUB + "@github.com/org/repo"),
    ("github-token", "ghs_" + _GITHUB),
    ("github-token", f"github_pat_{_random(_BASE62, 22)}_{_random(_BASE62, 59)}"),
    ("gitlab-token", "glpat-" + _random(_URLSAFE, 20)),
    ("gitlab-token", "glrt-" + _random(_URLSAFE, 20)),
    ("google-api-key", "AIza" + _random(_URLSAFE, 35)),
    ("huggingface-token", "hf_" + _random(string.ascii_letters, 34)),
    ("model-api-key", "sk-" + _random(_BASE62, 48)),
    ("model-api-key", f"sk-proj-{_random(_URLSAFE, 74)}T3BlbkFJ{_random(_URLSAFE, 74)}"),
    ("model-api-key", f"sk-ant-api03-{_random(_URLSAFE, 93)}AA"),
    ("model-api-key", "sk-or-v1-" + _random(_HEX, 64)),
    ("model-api-key", "sk-" + _random(_HEX, 32)),
    ("npm-token", "npm_" + _random(_BASE62, 36)),
    ("npm-token", f"//registry.example.net/:_authToken={_random(_HEX, 36)}"),
    ("pypi-token", "pypi-AgEIcHlwaS5vcmc" + _random(_URLSAFE, 150)),
    ("sendgrid-key", f"SG.{_random(_URLSAFE, 22)}.{_random(_URLSAFE, 43)}"),
    ("slack-token", _slack("b")),
    ("slack-token", _slack("p")),
    ("slack-webhook", f"https://hooks.slack.com/services/{_WEBHOOK}"),
    ("stripe-key", "sk_live_" + _random(_BASE62, 24)),
    ("stripe-key", "rk_live_" + _random(_BASE62, 99)),
]

NO_KEYS = [
    # what the providers' own manuals show
    "AKIA" + "IOSFODNN7" + "EXAMPLE",
    "aws_secret_access_key = " + "wJalrXUtnFEMI/K7MDENG/" + "bPxRfiCYEXAMPLEKEY",
    "AccountKey=" + "Eby8vdM02xNOcqFl" + _random(_BASE64, 70) + "==",
    "sk_test_" + _random(_BASE62, 24),
    # masked, counted up, or to be filled in
    "AKIA" + "X" * 16,
    "AKIA" + "1234567890ABCDEF",
    "ghp_" + "x" * 36,
    "ghp_" + "abcdefghijklmnopqrstuvwxyz0123456789",
    "ghp_" + "your" + _random(_BASE62, 32),
    "ghp_" + "ab12" * 9,
    "ghp_" + "0" * 8 + _random(_BASE62, 28),
    "github_pat_" + "1" * 22 + "_" + "a" * 59,
    "glpat-" + "xxxxxxxxxxxxxxxxxxxx",
    "glpat-" + "name-of-the-project-",
    "AIza" + "SyDUMMY" + _random(_BASE62, 28),
    "hf_" + "x" * 34,
    "sk-...",
    "sk-" + "x" * 48,
    "sk-" + "1234567890abcdef" * 2,
    "sk-ant-api03-" + "your-key-here",
    "npm_" + "X" * 36,
    "//registry.example.net/:_authToken=${NPM_TOKEN}",
    "pypi-AgEI...",
    "pypi-AgEIcHlwaS5vcmc" + "x" * 100,
    "SG." + "x" * 22 + "." + "y" * 43,
    "xoxb-your-token-here-and-nothing-else",
    "xoxb-" + "123456789012-1234567890123-" + "x" * 24,
    "https://hooks.slack.com/services/T00000000/B00000000/" + "X" * 24,
    "sk_live_" + "x" * 24,
    # names that only look alike
    "disk-" + _random(_BASE62, 48),
    "sk-folding-cube-with-a-very-long-name-indeed",
    "npm_config_registry_of_the_whole_organisation",
    "hf_transformer_layers_with_attention_and_more",
    "secret_access_key: the key that belongs to the access key id, 40 characters",
    f"aws_secret_access_key_digest = {_random(_HEX, 40)}",
    # inside something longer
    "base64AKIA" + _random(_BASE32, 16),
    "/ghp_" + _GITHUB + "_cached",
    # of the wrong length
    "AKIA" + _random(_BASE32, 15),
    "AKIA" + _random(_BASE32, 17),
    "ghp_" + _random(_BASE62, 20),
    "AIza" + _random(_BASE62, 50),
    # alone, forty characters are anything
    _NAMED_AWS,
]


@pytest.mark.parametrize(("rule_id", "text"), KEYS)
def test_a_key_is_found_by_its_rule_alone(rule_id: str, text: str) -> None:
    assert [finding.rule_id for finding in scan(f"before\n{text}\nafter")] == [rule_id]


@pytest.mark.parametrize(("rule_id", "text"), KEYS)
def test_a_key_is_found_where_a_text_begins_and_ends(rule_id: str, text: str) -> None:
    assert [finding.rule_id for finding in scan(text)] == [rule_id]


@pytest.mark.parametrize("text", NO_KEYS)
def test_a_placeholder_is_no_key(text: str) -> None:
    assert scan(f"before\n{text}\nafter") == ()


def test_hardly_a_random_key_is_taken_for_a_placeholder() -> None:
    found = sum(bool(scan("ghp_" + _random(_BASE62, 36, seed))) for seed in range(1000))

    assert found >= 995
