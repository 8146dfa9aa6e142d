"""Keys made on the command line open the service, until they are revoked there."""

from __future__ import annotations

import json

import pytest
from typer.testing import CliRunner

from graph_memory.base.ids import new_id
from graph_memory.cli.keys import app
from graph_memory.store import api_keys
from graph_memory.store.api_keys import Right
from tests.integration.api_world import Api, api

__all__ = ["api"]

pytestmark = pytest.mark.stack


def _run(*arguments: str) -> str:
    result = CliRunner().invoke(app, list(arguments), catch_exceptions=False)
    assert result.exit_code == 0, result.output
    return result.stdout


def test_a_key_from_the_command_line_opens_the_service_until_it_is_revoked(api: Api) -> None:
    tenant = f"cli-{new_id()}"
    made = json.loads(_run("create", "--tenant", tenant, "--subject", "ada", "--scope", "write", "--json"))
    assert api.data(made["key"], "{viewer{tenant subject}}") == {"tenant": tenant, "subject": "ada"}
    assert "revoked" in _run("revoke", made["prefix"])
    [listed] = json.loads(_run("list", "--tenant", tenant, "--json"))["keys"]
    assert listed["revoked_at"] is not None
    assert listed["last_used_at"] is not None
    with pytest.raises(api_keys.Unauthenticated):
        api_keys.resolve(api.service, made["key"])


def test_the_right_to_erase_is_granted_beside_another(api: Api) -> None:
    tenant = f"cli-{new_id()}"
    secret = _run("create", "--tenant", tenant, "--scope", "write", "--scope", "erase").strip()
    assert api.data(secret, "{viewer{rights}}") == {"rights": ["READ", "WRITE", "ERASE"]}
    assert "erase" in _run("list", "--tenant", tenant)


def test_without_json_the_key_stands_alone_on_standard_output(api: Api) -> None:
    out = _run("create", "--tenant", f"cli-{new_id()}")
    assert out.startswith("gm_")
    assert out.count("\n") == 1


def test_the_list_never_shows_a_secret(api: Api) -> None:
    tenant = f"cli-{new_id()}"
    secret = _run("create", "--tenant", tenant, "--name", "bot").strip()
    listed = _run("list", "--tenant", tenant, "--json") + _run("list", "--tenant", tenant)
    assert secret[3:11] in listed
    assert secret.rpartition("_")[2] not in listed
    assert "hash" not in listed


def test_an_admin_makes_a_short_lived_key_for_a_page_and_ends_it(api: Api) -> None:
    tenant = f"keys-{new_id()}"
    admin = api.key(tenant, right=Right.ADMIN)
    made = api.done(
        admin,
        "createApiKey",
        "secret apiKey{prefix expiresAt rights}",
        subject="ada",
        minutes=10,
        name="page",
    )
    assert api.data(made["secret"], "{viewer{subject rights}}") == {"subject": "ada", "rights": ["READ"]}
    assert made["apiKey"]["expiresAt"] is not None
    listed = api.data(admin, "{apiKeys{prefix name subject}}")
    assert listed[-1] == {"prefix": made["apiKey"]["prefix"], "name": "page", "subject": "ada"}
    ended = api.done(admin, "revokeApiKey", "apiKey{revokedAt}", prefix=made["apiKey"]["prefix"])
    assert ended["apiKey"]["revokedAt"] is not None


def test_an_admin_reaches_no_other_accounts_keys_and_one_of_a_subject_reaches_none(api: Api) -> None:
    _, foreign = api_keys.create(api.service, f"keys-{new_id()}")
    admin = api.key(f"keys-{new_id()}", right=Right.ADMIN)
    told = api.ask(
        admin, "mutation($p:String!){revokeApiKey(input:{prefix:$p}){errors{code}}}", p=foreign[3:11]
    )
    assert told["data"]["revokeApiKey"]["errors"] == [{"code": "NOT_FOUND"}]
    assert api_keys.resolve(api.service, foreign)
    bound = api.key(f"keys-{new_id()}", "ada", right=Right.ADMIN)
    assert api.code(bound, "{apiKeys{prefix}}") == "FORBIDDEN"
    assert api.code(bound, "mutation{createApiKey(input:{}){secret}}") == "FORBIDDEN"
