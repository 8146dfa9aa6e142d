"""Brings the locked artefacts into the cache: in parallel, checked, resumed where they broke off."""

from __future__ import annotations

import hashlib
import os
import time
from collections.abc import Callable, Sequence
from concurrent.futures import FIRST_EXCEPTION, ThreadPoolExecutor, wait
from http import HTTPStatus
from pathlib import Path
from typing import IO, TYPE_CHECKING

if TYPE_CHECKING:
    import requests

from graph_memory.base.errors import StackFault
from graph_memory.base.lost import why_lost
from graph_memory.local.artefacts import Artefact
from graph_memory.local.locks import only_one
from graph_memory.local.progress import Progress
from graph_memory.local.repositories import TIMEOUT, roots

THREADS = 12
CHUNK = 1 << 16
# Seconds before each try.
WAITS = (0, 1, 2, 4)
GONE = (HTTPStatus.NOT_FOUND, HTTPStatus.FORBIDDEN, HTTPStatus.GONE)


def fetch(artefacts: Sequence[Artefact], cache: Path, progress: Progress) -> None:
    """All of them lie in the cache, whole; a damaged one is named and fetched again."""
    cache.mkdir(parents=True, exist_ok=True)
    with only_one(cache / "download.lock"):
        missing = [each for each in artefacts if not _whole(each, cache, progress.say)]
        if missing:
            _download(missing, cache, progress)


def is_intact(artefact: Artefact, path: Path) -> bool:
    """Whether the file is there and has the locked checksum."""
    if not path.is_file() or path.stat().st_size != artefact.size:
        return False
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest() == artefact.sha256


def _whole(artefact: Artefact, cache: Path, say: Callable[[str], None]) -> bool:
    path = artefact.cached(cache)
    if not path.exists():
        return False
    if is_intact(artefact, path):
        return True
    say(f"{path} is damaged (its checksum is not the locked one); fetching it again")
    path.unlink()
    return False


def _download(missing: list[Artefact], cache: Path, progress: Progress) -> None:
    import truststore

    # The machine's own certificates count: many networks have one of theirs between us and the repositories.
    truststore.inject_into_ssl()
    addresses = roots(cache / "maven")
    largest_first = sorted(missing, key=lambda each: -each.size)
    with progress.downloading(missing) as tell, ThreadPoolExecutor(THREADS) as pool:
        jobs = [pool.submit(_bring, each, cache, addresses, tell) for each in largest_first]
        done, rest = wait(jobs, return_when=FIRST_EXCEPTION)
        for job in rest:
            job.cancel()
        for job in done:
            job.result()


def _bring(artefact: Artefact, cache: Path, addresses: tuple[str, ...], tell: Callable[[int], None]) -> None:
    target = artefact.cached(cache)
    target.parent.mkdir(parents=True, exist_ok=True)
    partial = target.with_name(target.name + ".part")
    tell(_size(partial))
    for address in addresses:
        if _complete(artefact, f"{address}/{artefact.path}", partial, tell):
            partial.replace(target)
            return
    raise StackFault(
        f"{artefact.file} could not be found in any of the repositories that were asked; "
        "check the network, or name a mirror under [repositories] in jgo's settings file."
    )


def _complete(artefact: Artefact, url: str, partial: Path, tell: Callable[[int], None]) -> bool:
    """Whether the repository had it; broken connections are taken up where they ended."""
    import requests

    broken: Exception | None = None
    for seconds in WAITS:
        time.sleep(seconds)
        try:
            if not _stream(artefact, url, partial, tell):
                return False
            broken = None
        except requests.RequestException as error:
            broken = error
            continue
        if is_intact(artefact, partial):
            return True
        tell(-_size(partial))
        partial.unlink(missing_ok=True)
    raise _unfinished(artefact, broken) from broken


def _unfinished(artefact: Artefact, broken: Exception | None) -> StackFault:
    if broken:
        return StackFault(
            f"{artefact.file} could not be downloaded ({why_lost(broken)}); "
            "check the network and run the command again, it goes on from here."
        )
    return StackFault(
        f"{artefact.file} arrived {len(WAITS)} times with another checksum than the locked one; "
        "the repository or something before it changes files, nothing of it was used."
    )


def _stream(artefact: Artefact, url: str, partial: Path, tell: Callable[[int], None]) -> bool:
    import requests

    have = _size(partial)
    if have >= artefact.size:
        return True
    headers = {"Range": f"bytes={have}-"} if have else {}
    with requests.get(url, stream=True, timeout=TIMEOUT, headers=headers) as answer:
        if answer.status_code in GONE:
            return False
        answer.raise_for_status()
        if have and answer.status_code != HTTPStatus.PARTIAL_CONTENT:
            tell(-have)
            have = 0
        with partial.open("ab" if have else "wb") as file:
            _copy(answer, file, tell)
    return True


def _copy(answer: requests.Response, file: IO[bytes], tell: Callable[[int], None]) -> None:
    for chunk in answer.iter_content(CHUNK):
        file.write(chunk)
        tell(len(chunk))
    file.flush()
    os.fsync(file.fileno())


def _size(path: Path) -> int:
    return path.stat().st_size if path.exists() else 0
