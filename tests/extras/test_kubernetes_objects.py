"""deploy/kubernetes: what Kubernetes itself would take, by its own schemas, with no field that it does not know."""

from __future__ import annotations

from typing import Any

import kubernetes_validate
import pytest

from tests.contract.test_kubernetes import ALL

VERSIONS = ("1.30", "1.33", "1.37")


@pytest.mark.parametrize("version", VERSIONS)
@pytest.mark.parametrize("given", ALL, ids=lambda each: f"{each['kind']}-{each['metadata']['name']}")
def test_every_object_is_as_kubernetes_describes_it(given: dict[str, Any], version: str) -> None:
    assert kubernetes_validate.validate(given, version, strict=True) == version


def test_a_field_that_is_not_known_is_refused() -> None:
    [deployment] = [each for each in ALL if each["metadata"]["name"] == "graph-memory-beat"]
    spec = {**deployment["spec"], "replica": 1}
    with pytest.raises(kubernetes_validate.ValidationError):
        kubernetes_validate.validate({**deployment, "spec": spec}, VERSIONS[-1], strict=True)
