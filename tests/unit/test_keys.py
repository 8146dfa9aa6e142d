"""Keys, against a store that is a list."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any, cast

import pytest

from graph_memory.base.errors import Invalid, NotFound, Unauthenticated
from graph_memory.store import api_keys
from graph_memory.store.api_keys import Keyring, Right
from graph_memory.store.queries import Query
from graph_memory.store.service import Service

NOW = datetime(2026, 3, 15, 9, tzinfo=UTC)


class Store:
    """What the key queries do, in memory."""

    def __init__(self) -> None:
        self.rows: list[dict[str, Any]] = []
        self.now = NOW
        self.asked: list[str] = []

    def clock(self) -> datetime:
        return self.now

    def system(self, statement: Query, **values: Any) -> list[dict[str, Any]]:
        self.asked.append(statement.name)
        return list(getattr(self, statement.name.replace("system/", ""))(**values))

    def key_create(self, properties: dict[str, Any], **given: Any) -> list[dict[str, Any]]:
        row = {**properties, **given, "created_at": given["now"]}
        self.rows.append(row)
        return [{"key": row}]

    def key_find(self, prefix: str) -> list[dict[str, Any]]:
        return [{"key": row} for row in self.rows if row["prefix"] == prefix]

    def key_list(self, tenant: str | None) -> list[dict[str, Any]]:
        return [{"key": row} for row in self.rows if tenant in (None, row["tenant"])]

    def key_revoke(self, name: str, tenant: str | None, now: datetime) -> list[dict[str, Any]]:
        found = [row for row in self.rows if name in (row["prefix"], row["id"])]
        for row in found:
            row["revoked_at"] = row.get("revoked_at") or now
        return [{"key": row} for row in found]

    def key_used(self, id: str, now: datetime) -> list[dict[str, Any]]:
        next(row for row in self.rows if row["id"] == id)["last_used_at"] = now
        return []


@pytest.fixture
def store() -> Store:
    return Store()


@pytest.fixture
def service(store: Store) -> Service:
    return cast(Service, store)


def test_a_key_says_whose_it_is_and_what_it_may_do(service: Service) -> None:
    _, secret = api_keys.create(service, "acme", "ada", Right.WRITE)
    identity = api_keys.resolve(service, secret)
    assert identity.scope.tenant_name == "acme"
    assert identity.scope.subject_name == "ada"
    assert identity.scope.is_bound
    assert identity.rights == {Right.READ, Right.WRITE}
    assert identity.actor == f"key:{secret[3:11]}"


def test_erasing_is_a_right_that_writing_does_not_include(service: Service) -> None:
    _, eraser = api_keys.create(service, "acme", right=Right.WRITE, also=[Right.ERASE])
    _, admin = api_keys.create(service, "acme", right=Right.ADMIN)
    assert api_keys.resolve(service, eraser).rights == {Right.READ, Right.WRITE, Right.ERASE}
    assert api_keys.resolve(service, admin).rights == set(Right)


def test_an_admin_key_made_before_a_right_has_it(service: Service, store: Store) -> None:
    _, secret = api_keys.create(service, "acme", right=Right.ADMIN)
    store.rows[0]["scopes"] = ["read", "write", "admin"]
    assert Right.ERASE in api_keys.resolve(service, secret).rights


def test_a_key_without_a_subject_sees_the_whole_tenant(service: Service) -> None:
    _, secret = api_keys.create(service, "acme")
    identity = api_keys.resolve(service, secret)
    assert identity.scope.subject_name is None
    assert not identity.scope.is_bound
    assert identity.rights == {Right.READ}


def test_the_store_never_holds_the_secret(service: Service, store: Store) -> None:
    _, secret = api_keys.create(service, "acme")
    assert secret.rpartition("_")[2] not in repr(store.rows)


def test_the_same_name_gives_another_key(service: Service) -> None:
    first, one = api_keys.create(service, "acme", name="bot")
    second, other = api_keys.create(service, "acme", name="bot")
    assert first.id != second.id
    assert one != other


@pytest.mark.parametrize("presented", [None, ""])
def test_a_missing_key_is_told_how_it_is_given(service: Service, presented: str | None) -> None:
    with pytest.raises(Unauthenticated, match=r"No API key was given.*Client\(url, key\)"):
        api_keys.resolve(service, presented)


@pytest.mark.parametrize("presented", ["gm_", "gm_aaaaaaaa_" + "a" * 43, "x" * 10_000, "gm_\0", "\ud800"])
def test_wrong_keys_get_one_answer(service: Service, presented: str) -> None:
    _, secret = api_keys.create(service, "acme")
    other = secret[:-1] + ("a" if secret[-1] != "a" else "b")
    told = set()
    for wrong in (presented, other):
        with pytest.raises(Unauthenticated) as raised:
            api_keys.resolve(service, wrong)
        told.add(raised.value.message)
    assert len(told) == 1


def test_a_right_prefix_with_another_secret_is_refused(service: Service) -> None:
    _, secret = api_keys.create(service, "acme")
    with pytest.raises(Unauthenticated):
        api_keys.resolve(service, secret[:-1] + ("a" if secret[-1] != "a" else "b"))


@pytest.mark.parametrize("by", ["prefix", "id"])
def test_a_revoked_key_is_told_so_and_what_begins_like_it_is_not(service: Service, by: str) -> None:
    key, secret = api_keys.create(service, "acme")
    api_keys.revoke(service, getattr(key, by))
    with pytest.raises(Unauthenticated, match="was revoked on"):
        api_keys.resolve(service, secret)
    with pytest.raises(Unauthenticated, match="No API key of this service"):
        api_keys.resolve(service, secret[:-1] + ("a" if secret[-1] != "a" else "b"))


def test_revoking_twice_keeps_the_first_end(service: Service, store: Store) -> None:
    key, _ = api_keys.create(service, "acme")
    api_keys.revoke(service, key.prefix)
    store.now = NOW.replace(hour=12)
    assert api_keys.revoke(service, key.prefix).revoked_at == NOW


def test_revoking_a_key_that_is_not_there_is_not_found(service: Service) -> None:
    with pytest.raises(NotFound):
        api_keys.revoke(service, "nothing")


def test_use_is_written_once_an_hour(service: Service, store: Store) -> None:
    _, secret = api_keys.create(service, "acme")
    for minute in (0, 20, 59):
        store.now = NOW.replace(minute=minute)
        api_keys.resolve(service, secret)
    assert store.asked.count("system/key_used") == 1
    store.now = NOW.replace(hour=10)
    api_keys.resolve(service, secret)
    assert store.asked.count("system/key_used") == 2


def test_the_ring_asks_the_store_once_while_it_remembers(service: Service, store: Store) -> None:
    _, secret = api_keys.create(service, "acme")
    ring = Keyring(service, seconds=60)
    assert ring.resolve(secret) == ring.resolve(secret)
    assert store.asked.count("system/key_find") == 1


def test_the_ring_forgets(service: Service) -> None:
    key, secret = api_keys.create(service, "acme")
    ring = Keyring(service, seconds=0)
    ring.resolve(secret)
    api_keys.revoke(service, key.prefix)
    with pytest.raises(Unauthenticated):
        ring.resolve(secret)


def test_the_ring_remembers_no_wrong_key(service: Service) -> None:
    ring = Keyring(service, seconds=60)
    with pytest.raises(Unauthenticated):
        ring.resolve("wrong")
    assert not ring._known


@pytest.mark.parametrize(
    ("tenant", "subject", "name"), [("", None, ""), ("a", " b", ""), ("a", None, "x\ny")]
)
def test_names_that_cannot_be_are_refused(
    service: Service, tenant: str, subject: str | None, name: str
) -> None:
    with pytest.raises(Invalid):
        api_keys.create(service, tenant, subject, name=name)


def test_a_key_shown_to_people_has_no_hash(service: Service) -> None:
    key, _ = api_keys.create(service, "acme")
    assert not {"hash", "salt", "secret"} & set(vars(key))
    assert api_keys.all_keys(service, "acme") == [key]
    assert api_keys.all_keys(service, "other") == []


def test_a_key_for_minutes_ends_by_itself(service: Service, store: Store) -> None:
    key, secret = api_keys.create(service, "acme", "ada", minutes=10)
    assert key.expires_at == NOW + timedelta(minutes=10)
    store.now = NOW + timedelta(minutes=9)
    assert api_keys.resolve(service, secret).scope.subject_name == "ada"
    store.now = NOW + timedelta(minutes=10)
    with pytest.raises(Unauthenticated, match="expired on"):
        api_keys.resolve(service, secret)


@pytest.mark.parametrize("minutes", [0, -1, 525_601])
def test_minutes_out_of_range_are_refused(service: Service, minutes: int) -> None:
    with pytest.raises(Invalid, match="minutes is"):
        api_keys.create(service, "acme", minutes=minutes)
