"""The two walls: a tenant, and a subject inside it. A Scope is what every query on tenant data is sent with."""

from __future__ import annotations

from dataclasses import dataclass

from graph_memory.base.errors import Forbidden, Invalid
from graph_memory.base.ids import token

DEFAULT_SUBJECT = "default"
_MAX_NAME = 200


@dataclass(frozen=True)
class Scope:
    """One tenant, and one subject of it or all (`subject_name` None). `tenant` and `subject` are tokens.

    A bound scope cannot leave its subject.
    """

    tenant_name: str
    subject_name: str | None = None
    is_bound: bool = False

    def __post_init__(self) -> None:
        for what, name in (("tenant", self.tenant_name), ("subject", self.subject_name)):
            if name is not None:
                check_name(what, name)

    @property
    def tenant(self) -> str:
        return token("tenant", self.tenant_name)

    @property
    def subject(self) -> str | None:
        return None if self.subject_name is None else token("subject", self.tenant_name, self.subject_name)

    @property
    def lo(self) -> str:
        """Lower end of the subject range, inclusive."""
        return self.subject or ""

    @property
    def hi(self) -> str:
        """Upper end of the subject range, inclusive."""
        return self.subject or "~"

    def of(self, subject_name: str | None) -> Scope:
        """This scope narrowed to a subject. Another subject than the bound one raises Forbidden."""
        if subject_name is None or subject_name == self.subject_name:
            return self
        if self.is_bound:
            raise Forbidden(
                f"This key is bound to the subject {self.subject_name!r}; leave out the subject, or name that one.",
                path="subject",
            )
        return Scope(self.tenant_name, subject_name)

    def for_writing(self) -> Scope:
        """This scope with a subject: memories always belong to one."""
        return self if self.subject_name is not None else Scope(self.tenant_name, DEFAULT_SUBJECT)


def check_name(what: str, name: str) -> str:
    """A tenant's or subject's name: 1 to 200 printable characters without spaces at the ends."""
    if not name or len(name) > _MAX_NAME or name != name.strip() or not name.isprintable():
        raise Invalid(
            f"The {what}'s name must be 1 to {_MAX_NAME} printable characters, without spaces at its ends.",
            path=what,
        )
    return name
