"""What a Change of the ledger says was done."""

from __future__ import annotations

from enum import StrEnum


class Operation(StrEnum):
    """What a decision did."""

    ADD = "ADD"
    UPDATE = "UPDATE"
    MERGE = "MERGE"
    SUPERSEDE = "SUPERSEDE"
    ARCHIVE = "ARCHIVE"
    RESTORE = "RESTORE"
    DELETE = "DELETE"
    NOOP = "NOOP"
    LINK = "LINK"
    UNLINK = "UNLINK"
    UNDO = "UNDO"
    ERASE = "ERASE"


# The classification of a MERGE that made a new memory of several: before it, nobody believed the new one.
CONSOLIDATE = "CONSOLIDATE"
# That of an ADD whose memories are statements that one memory made before them.
SPLIT = "SPLIT"
