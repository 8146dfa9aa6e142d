"""The page at /: what is served where. It asks nothing of any other server."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import HTMLResponse

from graph_memory import __version__

_ROUTES = (
    ("POST /graphql", "The GraphQL service. Send your key as <code>Authorization: Bearer gm_…</code>"),
    ("GET /graphql", "A page to ask from, where <code>GRAPH_MEMORY_API_GRAPHIQL</code> allows it"),
    ("GET /graphql/schema", "The schema, as SDL"),
    ("POST /mcp", "The tools for agents, by the Model Context Protocol; with the same key"),
    ("GET /browser/guide.html", "A guide, a style and saved queries for Neo4j Browser"),
    ("GET /livez", "Whether the process lives"),
    ("GET /readyz", "Whether database, migrations and broker are ready, each by name"),
    ("GET /version", "What runs here"),
    ("GET /metrics", "What Prometheus fetches, with the key of <code>GRAPH_MEMORY_API_METRICS_KEY</code>"),
)

_ROWS = "\n".join(
    f"<tr><th scope=row><code>{route}</code></th><td>{what}</td></tr>" for route, what in _ROUTES
)

_PAGE = f"""<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>graph-memory</title>
<style>
:root {{ color-scheme: light dark }}
body {{ font: 1rem/1.6 system-ui, sans-serif; max-width: 46rem; margin: 4rem auto; padding: 0 1rem }}
th {{ text-align: left; padding-right: 2rem; white-space: nowrap; vertical-align: top }}
pre {{ padding: 1rem; overflow-x: auto; border: 1px solid #8885; border-radius: .5rem }}
</style>
</head>
<body>
<main>
<h1>graph-memory {__version__}</h1>
<p>A memory service for agents. This is what it serves:</p>
<table>{_ROWS}</table>
<p>A first question:</p>
<pre><code>curl -s http://127.0.0.1:8420/graphql \\
  -H "Authorization: Bearer $KEY" -H "Content-Type: application/json" \\
  -d '{{"query": "{{ viewer {{ tenant rights }} }}"}}'</code></pre>
<p>A key is made by <code>graph-memory keys create --tenant NAME</code>; the schema
is printed by <code>graph-memory schema</code>.</p>
</main>
</body>
</html>
"""


async def index(_: Request) -> HTMLResponse:
    """The page."""
    policy = "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'"
    return HTMLResponse(_PAGE, headers={"Content-Security-Policy": policy})
