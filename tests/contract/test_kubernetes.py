"""deploy/kubernetes: it runs what docker-compose.yml runs, and all that it names exists."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml

from graph_memory.local.parts import PARTS
from graph_memory.settings import PREFIX, Settings, load
from tests.contract.compose_file import command, services

FOLDER = Path(__file__).parents[2] / "deploy" / "kubernetes"
PARTS_OF = {"api": "api", "worker": "worker", "worker-graph": "worker", "beat": "beat"}


def _read(name: str) -> list[dict[str, Any]]:
    return [each for each in yaml.safe_load_all((FOLDER / name).read_text("utf-8")) if each]


[KUSTOMIZATION] = _read("kustomization.yaml")
ALL = [each for name in KUSTOMIZATION["resources"] for each in _read(name)]
PODS = {
    each["metadata"]["name"]: each["spec"]["template"] for each in ALL if "template" in each.get("spec", {})
}
OURS = {name.removeprefix("graph-memory-"): pod for name, pod in PODS.items() if "broker" not in name}


def _of(kind: str) -> list[dict[str, Any]]:
    return [each for each in ALL if each["kind"] == kind]


def _containers() -> Iterator[tuple[str, dict[str, Any]]]:
    for name, pod in PODS.items():
        yield from (
            (name, each) for each in (*pod["spec"].get("initContainers", ()), *pod["spec"]["containers"])
        )


def test_every_file_is_put_in_and_there_is_nothing_twice() -> None:
    assert sorted(KUSTOMIZATION["resources"]) == sorted(
        file.name for file in FOLDER.iterdir() if file.name != "kustomization.yaml"
    )
    names = [(each["kind"], each["metadata"]["name"]) for each in ALL]
    assert len(names) == len(set(names))


@pytest.mark.parametrize("name", OURS)
def test_a_pod_runs_what_the_container_of_that_name_runs(name: str) -> None:
    [container] = OURS[name]["spec"]["containers"]
    assert container["command"] == command(name)
    grace = next(part.grace for part in PARTS if part.name == PARTS_OF[name])
    assert OURS[name]["spec"]["terminationGracePeriodSeconds"] >= grace
    [migrate] = OURS[name]["spec"]["initContainers"]
    assert migrate["command"] == command("migrate")


def test_the_parts_are_those_of_docker() -> None:
    assert set(OURS) == services().keys() - {"neo4j", "broker", "migrate"} == PARTS_OF.keys()


def test_the_broker_is_the_one_of_docker() -> None:
    [container] = PODS["graph-memory-broker"]["spec"]["containers"]
    assert container["image"] == services()["broker"]["image"]
    assert [each.strip() for each in container["command"]] == [each.strip() for each in command("broker")]


def test_every_setting_exists_and_every_password_comes_from_the_secret() -> None:
    settings_of_all = load()
    known = {
        f"{PREFIX}{section}_{field}".upper()
        for section in Settings.model_fields
        for field in type(getattr(settings_of_all, section)).model_fields
    }
    [settings] = _of("ConfigMap")
    given = set(settings["data"])
    for _, container in _containers():
        for row in container["env"]:
            given.add(row["name"])
            if row["name"].endswith("PASSWORD"):
                assert row["valueFrom"]["secretKeyRef"]["name"] == "graph-memory"
        for source in container.get("envFrom", ()):
            assert source["configMapRef"]["name"] == settings["metadata"]["name"]
    assert given - known == {"BROKER_PASSWORD"}


@pytest.mark.parametrize(
    ("name", "container"), [*_containers()], ids=lambda each: each if isinstance(each, str) else each["name"]
)
def test_a_container_may_do_little_and_has_a_limit(name: str, container: dict[str, Any]) -> None:
    pod = PODS[name]["spec"]
    assert pod["securityContext"]["runAsNonRoot"] is True
    assert pod["securityContext"]["seccompProfile"] == {"type": "RuntimeDefault"}
    assert pod["automountServiceAccountToken"] is False
    held = container["securityContext"]
    assert (held["readOnlyRootFilesystem"], held["allowPrivilegeEscalation"]) == (True, False)
    assert held["capabilities"] == {"drop": ["ALL"]}
    assert {"cpu", "memory"} <= container["resources"]["requests"].keys()
    assert "memory" in container["resources"]["limits"]
    mounted = {each["name"] for each in container["volumeMounts"]}
    assert mounted - {each["name"] for each in pod["volumes"]} <= {"data"}


@pytest.mark.parametrize("name", PODS)
def test_what_runs_is_asked_whether_it_lives(name: str) -> None:
    [container] = PODS[name]["spec"]["containers"]
    assert "livenessProbe" in container


def test_whoever_selects_selects_a_pod() -> None:
    labels = [pod["metadata"]["labels"] for pod in PODS.values()]
    selecting = [
        each["spec"].get("selector") or each["spec"]["podSelector"] for each in ALL if "spec" in each
    ]
    assert len(selecting) > 8
    for selector in selecting:
        wanted = selector.get("matchLabels", selector)
        assert any(wanted.items() <= each.items() for each in labels), wanted


def test_ports_are_named_alike() -> None:
    named = {
        (name, port["name"]): port["containerPort"]
        for name, each in _containers()
        for port in each.get("ports", ())
    }
    assert named == {("graph-memory-api", "http"): 8420, ("graph-memory-broker", "broker"): 6379}
    for service in _of("Service"):
        for port in service["spec"]["ports"]:
            assert named[service["metadata"]["name"], port["targetPort"]] == port["port"]


def test_there_is_one_beat() -> None:
    [beat] = [each for each in ALL if each["metadata"]["name"] == "graph-memory-beat"]
    assert (beat["spec"]["replicas"], beat["spec"]["strategy"]) == (1, {"type": "Recreate"})
