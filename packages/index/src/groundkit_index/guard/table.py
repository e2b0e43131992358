"""The table of content rules: few, and each precise enough to refuse a file by default.

A key of a provider counts by its fixed prefix and length, and only when the rest is random:
`EXAMPLE` keys, `xxxx`, `1234567890` and the like are documentation. There is no rule for a bare
password, or for identifiers that are no secrets by themselves (Twilio `AC...` and `SK...`).
"""

from __future__ import annotations

import re
from typing import Final

from groundkit_index.guard.homes import HOME_PATH, is_personal
from groundkit_index.guard.jwt import JWT, is_lasting_token
from groundkit_index.guard.keys import (
    BASE64_PEM,
    MODEL_KEY,
    PEM,
    is_encoded_private_key,
    is_model_key,
    is_private_key,
)
from groundkit_index.guard.placeholders import mixed_value, random_value
from groundkit_index.guard.rule import Rule
from groundkit_index.guard.urls import CREDENTIALS, is_credential

_START = r"(?<![A-Za-z0-9_-])"
_END = r"(?![A-Za-z0-9_-])"


def _token(shape: str) -> re.Pattern[str]:
    return re.compile(_START + shape + _END)


RULES: Final[tuple[Rule, ...]] = (
    Rule(
        "aws-access-key-id",
        "AWS access key id",
        ("AKIA", "ASIA"),
        _token(r"A[KS]IA(?P<value>[A-Z0-9]{16})"),
        random_value,
    ),
    Rule(
        "aws-secret-access-key",
        "AWS secret access key, next to its name",
        (
            "aws_secret",
            "AWS_SECRET",
            "ecret_access_key",
            "ECRET_ACCESS_KEY",
            "ecret-access-key",
            "ecretAccessKey",
        ),
        re.compile(
            r"(?:aws_secret(?:_key)?|AWS_SECRET(?:_KEY)?|SECRET_ACCESS_KEY"
            r"|[Ss]ecret(?:_access_key|-access-key|AccessKey))(?![A-Za-z0-9_-])"
            r"[\s\"'`:=>|,\\]{1,12}(?P<value>[A-Za-z0-9/+]{40})(?![A-Za-z0-9/+=])"
        ),
        mixed_value,
    ),
    Rule(
        "azure-account-key",
        "key in an Azure connection string",
        ("AccountKey=", "SharedAccessKey="),
        # not the key of the storage emulator, which is the same everywhere
        re.compile(
            r"(?:AccountKey=(?!Eby8vdM02xNOcqFl)(?=[A-Za-z0-9+/]{86}==)|SharedAccessKey=)"
            r"(?P<value>[A-Za-z0-9+/]{43,86}={1,2})"
        ),
        mixed_value,
    ),
    Rule(
        "github-token",
        "GitHub token",
        ("ghp_", "gho_", "ghu_", "ghs_", "ghr_", "github_pat_"),
        _token(
            r"(?P<value>gh[pousr]_[A-Za-z0-9]{36,255}"
            r"|github_pat_[A-Za-z0-9]{22}_[A-Za-z0-9]{59})"
        ),
        mixed_value,
    ),
    Rule(
        "gitlab-token",
        "GitLab token",
        ("glpat-", "gldt-", "glrt-", "glptt-"),
        _token(r"gl(?:pat|dt|rt|ptt)-(?P<value>[A-Za-z0-9_-]{20,128})"),
        mixed_value,
    ),
    Rule(
        "google-api-key",
        "Google API key",
        ("AIza",),
        _token(r"AIza(?P<value>[A-Za-z0-9_-]{35})"),
        mixed_value,
    ),
    Rule(
        "home-path",
        "home-directory path that names a person",
        ("/home/", "/Users/", ":/users/", "\\Users\\", "\\users\\"),
        HOME_PATH,
        is_personal,
    ),
    Rule(
        "huggingface-token",
        "Hugging Face token",
        ("hf_",),
        _token(r"hf_(?P<value>[A-Za-z0-9]{34,40})"),
        random_value,
    ),
    Rule(
        "jwt",
        "signed JSON Web Token that stays valid",
        ("eyJ",),
        JWT,
        is_lasting_token,
    ),
    Rule(
        "model-api-key",
        "API key of a model provider, such as OpenAI or Anthropic",
        ("sk-",),
        MODEL_KEY,
        is_model_key,
    ),
    Rule(
        "npm-token",
        "npm token",
        ("npm_", ":_authToken="),
        re.compile(
            r"(?:(?<![A-Za-z0-9_-])npm_(?=[A-Za-z0-9]{36})|:_authToken=\"?)"
            r"(?P<value>[A-Za-z0-9-]{36})(?![A-Za-z0-9-])"
        ),
        mixed_value,
    ),
    Rule(
        "private-key",
        "PEM private key",
        ("PRIVATE KEY",),
        PEM,
        is_private_key,
    ),
    Rule(
        "private-key-base64",
        "PEM private key inside base64, as in a kubeconfig",
        ("LS0tLS1CRUdJTi",),
        BASE64_PEM,
        is_encoded_private_key,
    ),
    Rule(
        "pypi-token",
        "PyPI token",
        ("pypi-AgE",),
        _token(r"pypi-AgE(?P<value>[A-Za-z0-9_-]{50,1000})"),
        mixed_value,
    ),
    Rule(
        "sendgrid-key",
        "SendGrid API key",
        ("SG.",),
        _token(r"SG\.(?P<value>[A-Za-z0-9_-]{22}\.[A-Za-z0-9_-]{43})"),
        mixed_value,
    ),
    Rule(
        "slack-token",
        "Slack token",
        ("xoxa-", "xoxb-", "xoxe-", "xoxp-", "xoxr-", "xoxs-"),
        _token(r"xox[abeprs]-(?=(?:[0-9]+-)*+[A-Za-z0-9]{20})(?P<value>[A-Za-z0-9-]{20,256})"),
        mixed_value,
    ),
    Rule(
        "slack-webhook",
        "Slack webhook URL",
        ("hooks.slack.com/services/",),
        re.compile(
            r"hooks\.slack\.com/services/T[A-Z0-9]{8,12}/B[A-Z0-9]{8,12}/(?P<value>[A-Za-z0-9]{24})"
        ),
        random_value,
    ),
    Rule(
        "stripe-key",
        "Stripe live key",
        ("sk_live_", "rk_live_"),
        _token(r"[rs]k_live_(?P<value>[A-Za-z0-9]{20,255})"),
        mixed_value,
    ),
    Rule(
        "url-credentials",
        "user and password in a URL",
        ("@",),
        CREDENTIALS,
        is_credential,
    ),
)
