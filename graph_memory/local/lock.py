"""Makes `neo4j.lock.json` again: `python -m graph_memory.local.lock`. For developers who change a version.

Poms are read one after the other, so this takes some minutes; what it finds is then downloaded and hashed.
"""

from __future__ import annotations

import hashlib
import json
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict
from pathlib import Path
from typing import Any

from jgo.maven import Dependency, MavenContext

from graph_memory.local.artefacts import LOCK, Artefact
from graph_memory.local.repositories import context
from graph_memory.settings import load

NEO4J = "2026.01.4"
GDS = "2.26.0"
BROWSER = "5.24.0"
COORDINATES = (
    f"org.neo4j.app:neo4j-server:{NEO4J}",
    f"org.neo4j:neo4j:{NEO4J}",
    f"org.neo4j.gds:proc:{GDS}",
    f"org.neo4j.gds:proc-sysinfo:{GDS}",
    f"org.neo4j.gds:opengds-extension:{GDS}",
    f"org.neo4j.gds:open-model-catalog:{GDS}",
)
# The server asks for a Browser that was never published; the newest published one takes its place.
BROWSER_PROJECT = ("org.neo4j.client", "neo4j-browser")
PLUGIN_GROUP = "org.neo4j.gds"
THREADS = 12


def main() -> None:
    """Resolve, download, hash, write."""
    maven = context(load().stack.cache / "maven")
    wanted = _resolve(maven)
    with ThreadPoolExecutor(THREADS) as pool:
        found = sorted(pool.map(_artefact, wanted), key=lambda each: (each.target, each.path))
    _write(found)
    print(f"{len(found)} artefacts, {sum(each.size for each in found) / 1e6:.0f} MB")


def _resolve(maven: MavenContext) -> list[Dependency]:
    excluded = [maven.project(*BROWSER_PROJECT)]
    asked = [maven.create_dependency(name, exclusions=excluded) for name in COORDINATES]
    named, followed = maven.resolver.resolve(asked)
    needed = [each for each in followed if each.scope in ("compile", "runtime") and not each.optional]
    browser = maven.create_dependency(":".join((*BROWSER_PROJECT, BROWSER)))
    return [*named, *needed, browser]


def _artefact(dependency: Dependency) -> Artefact:
    path = Path(dependency.artifact.resolve())
    content = path.read_bytes()
    return Artefact(
        group=dependency.groupId,
        artifact=dependency.artifactId,
        version=dependency.version,
        file=path.name,
        sha256=hashlib.sha256(content).hexdigest(),
        size=len(content),
        target="plugins" if dependency.groupId == PLUGIN_GROUP else "lib",
    )


def _write(found: list[Artefact]) -> None:
    lock: dict[str, Any] = {
        "versions": {"neo4j": NEO4J, "gds": GDS, "browser": BROWSER},
        "artefacts": [asdict(each) for each in found],
    }
    Path(__file__).with_name(LOCK).write_text(json.dumps(lock, indent=1) + "\n", "utf-8")


if __name__ == "__main__":
    main()
