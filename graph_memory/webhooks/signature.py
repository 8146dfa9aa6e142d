"""How what is sent is signed: as Standard Webhooks 1.0 describes it, by HMAC-SHA256 over id, time and body."""

from __future__ import annotations

import base64
import hmac
import secrets
from collections.abc import Mapping

_PREFIX = "whsec_"
_BYTES = 32


def new_secret() -> str:
    """A random secret, as receivers are given it."""
    return _PREFIX + base64.b64encode(secrets.token_bytes(_BYTES)).decode()


def headers(secret: str, id: str, seconds: int, body: bytes) -> Mapping[str, str]:
    """The headers that sign one try: `id` is the same at each try of a change, `seconds` is the time of this try."""
    signed = f"{id}.{seconds}.".encode() + body
    key = base64.b64decode(secret.removeprefix(_PREFIX))
    told = base64.b64encode(hmac.digest(key, signed, "sha256")).decode()
    return {"webhook-id": id, "webhook-timestamp": str(seconds), "webhook-signature": f"v1,{told}"}
