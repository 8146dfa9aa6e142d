"""The pair model: it reads a new statement beside a known one and tells how the two likely stand to each other.

It reads English, up to MOST tokens a side, and knows who said each and how long ago. Which links it knows, and in which
order it answers, is part of its file's contract.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from graph_memory.judge.linker_input import NOBODY, Known, Utterance
from graph_memory.judge.trained_model import DATA, TrainedModel, softmax
from graph_memory.model.link_kinds import LinkKind
from graph_memory.model.verdict import JUDGED_ACTIONS, Action, Statement

MODEL = DATA / "pairs.onnx"
# Tokens that are read of either statement.
MOST = 128
ACTIONS = JUDGED_ACTIONS
_ENDS = (".", "!", "?", "…", '"', ")")


@dataclass(frozen=True)
class Joined:
    """A link between the two: from the new statement to the known one, or the other way."""

    kind: LinkKind
    from_known: bool = False


LINKS: tuple[Joined | None, ...] = (
    None,
    Joined(LinkKind.CONFLICTS),
    Joined(LinkKind.CAUSES),
    Joined(LinkKind.CAUSES, from_known=True),
    Joined(LinkKind.INSTANCE_OF),
    Joined(LinkKind.INSTANCE_OF, from_known=True),
    Joined(LinkKind.INVALIDATED_BY),
    Joined(LinkKind.INVALIDATED_BY, from_known=True),
    Joined(LinkKind.MOTIVATED_BY),
    Joined(LinkKind.MOTIVATED_BY, from_known=True),
)


@dataclass(frozen=True)
class Likely:
    """The chance of each action, 0 to 1, and the link, with its chance if both statements stand."""

    actions: Mapping[Action, float]
    link: Joined | None
    link_chance: float


class PairModel:
    """One loaded file of the pair model; any number of threads may ask it."""

    def __init__(self, file: Path | None = None) -> None:
        """The file is loaded for the first pair. Raises ModelFault then where it is missing or another."""
        self._model = TrainedModel(file or MODEL)

    @property
    def thresholds(self) -> Mapping[Action, float]:
        """The least chance at which each action other than COEXIST is taken, as the file's card tells."""
        return {Action(name): float(least) for name, least in self._model.card["thresholds"].items()}

    def read(self, new: Statement, old: Statement) -> Likely | None:
        """How the new statement stands to the known one; None where one of them is too long to be read whole."""
        known = Known(as_sentence(old.text), old.author or NOBODY, new.at - old.at)
        [one] = self._model.reader.read(Utterance(new.author or NOBODY, as_sentence(new.text)), [known], MOST)
        if one.is_cut:
            return None
        actions, links = (softmax(each) for each in self._model.run(one))
        likeliest = int(links.argmax())
        return Likely(
            {action: float(chance) for action, chance in zip(ACTIONS, actions, strict=True)},
            LINKS[likeliest],
            float(links[likeliest]),
        )


def as_sentence(text: str) -> str:
    """The text with a full stop where it has no end, as what the model has learnt from has."""
    return text if text[-1:] in _ENDS else f"{text}."


@cache
def opened(file: Path | None = None) -> PairModel:
    """The pair model of this process for a file; the packaged one without."""
    return PairModel(file)
