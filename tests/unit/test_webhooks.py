"""Webhooks without a server: the signature is the standard's, the page's check holds, inner addresses are known as such."""

from __future__ import annotations

import re
import time
from pathlib import Path

import pytest

from graph_memory.webhooks.destination import is_public
from graph_memory.webhooks.signature import headers, new_secret

PAGE = Path(__file__).parents[2] / "docs" / "how-to" / "webhooks.md"


def test_the_signature_is_that_of_the_standards_own_example() -> None:
    told = headers(
        "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw",
        "msg_p5jXN8AQM9LWM0D4loKWxJek",
        1614265330,
        b'{"test": 2432232314}',
    )
    assert told["webhook-signature"] == "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE="


def test_the_check_of_the_page_takes_what_we_sign_and_nothing_else() -> None:
    [source] = re.findall(r"^```python\n(.*?)^```$", PAGE.read_text("utf-8"), re.MULTILINE | re.DOTALL)
    held: dict[str, object] = {}
    exec(compile(source, PAGE.name, "exec"), held)
    is_ours, secret, now = held["is_ours"], new_secret(), int(time.time())
    assert callable(is_ours)
    sent = headers(secret, "1", now, b"{}")
    assert is_ours(secret, sent, b"{}")
    assert not is_ours(secret, sent, b"[]")
    assert not is_ours(new_secret(), sent, b"{}")
    assert not is_ours(secret, {**sent, "webhook-id": "2"}, b"{}")
    assert not is_ours(secret, headers(secret, "1", now - 600, b"{}"), b"{}")


@pytest.mark.parametrize(
    "address",
    [
        "127.0.0.1", "10.0.0.1", "192.168.0.1", "169.254.169.254", "100.64.0.1", "0.0.0.0", "224.0.0.1", "192.0.0.8",
        "::1", "::", "fe80::1%eth0", "fd00::1", "ff02::1", "::ffff:10.0.0.1", "::127.0.0.1", "2002:7f00:1::",
        "64:ff9b::7f00:1", "64:ff9b:1::1",
    ],
)  # fmt: skip
def test_an_inner_address_is_known_in_every_spelling(address: str) -> None:
    assert not is_public(address)


@pytest.mark.parametrize("address", ["9.9.9.9", "2620:fe::fe", "64:ff9b::909:909", "::ffff:9.9.9.9"])
def test_a_public_address_is_known(address: str) -> None:
    assert is_public(address)
