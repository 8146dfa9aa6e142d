"""Secrets are taken out of a text before it leaves for a model. What is not recognised goes out: this is a net, no wall."""

from __future__ import annotations

import re

HIDDEN = "[secret removed]"

_SECRETS = re.compile(
    r"-----BEGIN [A-Z ]*PRIVATE KEY-----.*?(?:-----END [A-Z ]*PRIVATE KEY-----|\Z)"
    r"|\beyJ[\w-]{10,}\.[\w-]{10,}\.[\w-]*"  # a JSON web token
    r"|\b(?:sk|pk|rk)[-_](?:[A-Za-z0-9]+[-_])*[A-Za-z0-9_-]{16,}"
    r"|\b(?:ghp|gho|ghu|ghs|ghr|glpat|xox[abprs]|hf|npm|pypi)[-_][\w-]{16,}"
    r"|\bgithub_pat_\w{20,}"
    r"|\b(?:AKIA|ASIA)[0-9A-Z]{16}\b"
    r"|\bAIza[\w-]{30,}"
    r"|\bgm_[\w-]{16,}",
    re.DOTALL,
)
_GIVEN = re.compile(
    r"(\b(?:password|passwort|passwd|passphrase|api[ _-]?key|secret(?: key)?|access[ _-]?token|bearer)\b"
    r"(?:\s+(?:is|to|was))?\s*[:=]?\s*[\"'`]?)"
    r"(?=[^\s\"'`]*[0-9!@#$%^&*])([^\s\"'`,;]{6,})",
    re.IGNORECASE,
)
_IN_URL = re.compile(r"(\b[a-z][a-z0-9+.-]*://[^\s:/@]+:)[^\s@/]+(@)", re.IGNORECASE)


def hidden(text: str) -> str:
    """The text with passwords, keys and tokens replaced by HIDDEN."""
    text = _SECRETS.sub(HIDDEN, text)
    text = _IN_URL.sub(rf"\1{HIDDEN}\2", text)
    return _GIVEN.sub(lambda match: f"{match[1]}{HIDDEN}", text)
