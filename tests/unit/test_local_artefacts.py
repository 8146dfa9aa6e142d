from __future__ import annotations

import json
import re
from importlib.resources import files

from graph_memory.local.artefacts import LOCK, locked, versions


def test_the_lock_names_every_part_with_checksum_and_size():
    assert len(locked()) > 300
    assert all(re.fullmatch(r"[0-9a-f]{64}", each.sha256) and each.size > 0 for each in locked())


def test_no_file_name_appears_twice_in_a_folder():
    names = [(each.target, each.file) for each in locked()]
    assert len(set(names)) == len(names)


def test_the_lock_holds_neo4j_its_browser_and_gds_in_the_versions_it_says():
    found = {(each.artifact, each.version, each.target) for each in locked()}
    assert ("neo4j", versions()["neo4j"], "lib") in found
    assert ("neo4j-browser", versions()["browser"], "lib") in found
    assert ("proc", versions()["gds"], "plugins") in found


def test_the_lock_names_no_host():
    text = files("graph_memory.local").joinpath(LOCK).read_text("utf-8")
    assert "://" not in text
    assert json.loads(text).keys() == {"versions", "artefacts"}
