"""The settings of webhooks: what each is for, its default and its rule."""

from __future__ import annotations

from typing import ClassVar

from pydantic import Field

from graph_memory.base.sections import Count, Positive, Section


class WebhooksSettings(Section):
    """Sending changes to addresses that admins name. `webhooks` in `jobs.periods` tells how often is looked."""

    private: bool = Field(
        False,
        description="Whether webhooks may lead to addresses that are not public, and go without TLS. Off: an account's admin "
        "cannot make this service call what only it can reach.",
    )
    most: Count = Field(20, description="Webhooks of one account at most.")
    timeout: Positive = Field(15.0, description="Seconds in which a receiver must have answered.")
    # Seconds before a change that failed is sent again; each next pause is twice as long.
    pause: ClassVar[float] = 5.0
    # Seconds that such a pause has at most.
    longest_pause: ClassVar[float] = 3600.0
    give_up: Positive = Field(
        259_200.0, description="Seconds of failing without a break after which a webhook is set aside."
    )
