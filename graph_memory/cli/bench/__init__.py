"""`graph-memory bench`: every figure that is promised, by a command that anybody can run."""

from __future__ import annotations

from graph_memory.cli.bench import finding, under_load, understanding
from graph_memory.cli.commands import App

app = App(help="Measure: figures on standard output, progress on standard error.", no_args_is_help=True)

# In the order in which they are listed.
for _command in (
    finding.recall,
    finding.questions,
    under_load.store,
    finding.temporal,
    finding.time,
    under_load.chain,
    under_load.transfer,
    under_load.decay,
    under_load.remember,
    under_load.consolidate,
    understanding.judge,
    understanding.extraction,
    under_load.conversations,
    understanding.stories,
    understanding.statements,
    understanding.links,
    understanding.claims,
    understanding.worth,
    under_load.communities,
    under_load.api,
    under_load.clear,
):
    app.command()(_command)
