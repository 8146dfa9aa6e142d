"""Forecasts as a picture: one panel for each policy, the tiers stacked over the days."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from graph_memory.base.errors import Misconfigured, installed
from graph_memory.scoring.forecast import Day, Forecast

# From near to far; the last two are out of the usual answers. Told apart without colour by their order and labels.
_LAYERS = (
    ("hot", "hot", "#d1495b"),
    ("warm", "warm", "#edae49"),
    ("cold", "cold", "#66a5ad"),
    ("archived_tier", "tier archived", "#8d99ae"),
    ("archived", "archived by a rule", "#d9dce3"),
)
_WIDTH, _HEIGHT, _DPI = 6.4, 4.2, 160


def draw(forecasts: Sequence[Forecast], file: Path) -> None:
    """Draws forecasts side by side into a .png or .svg file. Misconfigured when matplotlib is not installed."""
    figure, axes = _figure(len(forecasts))
    for place, (panel, forecast) in enumerate(zip(axes, forecasts, strict=True)):
        _panel(panel, forecast, is_first=place == 0)
    handles, labels = axes[0].get_legend_handles_labels()
    figure.legend(handles, labels, loc="outside lower center", ncols=len(_LAYERS), frameon=False, fontsize=9)
    figure.suptitle(_title(forecasts[0]), fontsize=12)
    figure.savefig(file, dpi=_DPI, metadata={"Date": None} if file.suffix.lower() == ".svg" else None)


def _figure(panels: int) -> tuple[Any, Sequence[Any]]:
    try:
        from matplotlib.figure import Figure
    except ImportError as error:
        raise Misconfigured([f"charts need matplotlib; install it with: {installed('charts')}"]) from error
    # Room for the legend of five, also under one panel.
    figure = Figure(figsize=(max(_WIDTH * panels, 7.6), _HEIGHT), layout="constrained")
    axes = figure.subplots(1, panels, sharey=True, squeeze=False)[0]
    return figure, list(axes)


def _panel(panel: Any, forecast: Forecast, *, is_first: bool) -> None:
    days = [day.day for day in forecast.summary]
    layers = [[_count(day, name) for day in forecast.summary] for name, _, _ in _LAYERS]
    labels, colours = [label for _, label, _ in _LAYERS], [colour for _, _, colour in _LAYERS]
    panel.stackplot(days, *layers, labels=labels, colors=colours, step="post", linewidth=0)
    panel.set_title(f"policy {forecast.policy}", fontsize=10, loc="left")
    panel.set_xlabel("days from now")
    panel.set_ylabel("memories" if is_first else "")
    panel.set_xlim(0, forecast.days)
    panel.set_ylim(0, max(forecast.memories, 1))
    panel.yaxis.get_major_locator().set_params(integer=True)
    panel.xaxis.get_major_locator().set_params(integer=True)
    panel.spines[["top", "right"]].set_visible(False)


def _title(forecast: Forecast) -> str:
    noun = "memory" if forecast.memories == 1 else "memories"
    return f"What becomes of {forecast.memories} {noun} that nobody uses, from {forecast.at:%-d %B %Y}"


def _count(day: Day, name: str) -> int:
    return int(getattr(day, name))
