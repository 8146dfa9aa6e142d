// GraphiQL with the key of the field above it. The key stays in this tab and goes with it.
"use strict";

const KEPT = "graph-memory-key";
const field = document.getElementById("key");
const root = ReactDOM.createRoot(document.getElementById("graphiql"));

const FIRST = `# Press Ctrl-Enter, or the button.
query Viewer {
  viewer { tenant subject actor rights }
}
`;

async function ask(params, { documentAST } = {}) {
  const accept = subscribes(documentAST, params.operationName) ? "text/event-stream" : "application/json";
  const answer = await fetch("/graphql", {
    method: "POST",
    headers: { Authorization: `Bearer ${field.value.trim()}`, "Content-Type": "application/json", Accept: accept },
    body: JSON.stringify(params),
  });
  const kind = answer.headers.get("Content-Type") || "";
  return kind.startsWith("text/event-stream") ? events(answer.body.getReader()) : answer.json();
}

function subscribes(document, name) {
  const operations = (document?.definitions ?? []).filter((each) => each.kind === "OperationDefinition");
  return operations.some((each) => each.operation === "subscription" && (!name || each.name?.value === name));
}

async function* events(reader) {
  const decoder = new TextDecoder();
  let rest = "";
  try {
    for (;;) {
      const { value, done } = await reader.read();
      if (done) return;
      const parts = (rest + decoder.decode(value, { stream: true })).split(/\r?\n\r?\n/);
      rest = parts.pop();
      for (const part of parts) {
        const lines = part.split(/\r?\n/);
        if (lines.includes("event: complete")) return;
        const data = lines.find((line) => line.startsWith("data: {"));
        if (data) yield JSON.parse(data.slice(6));
      }
    }
  } finally {
    reader.cancel();
  }
}

const told = document.getElementById("told");
const WITHOUT = told.innerHTML;

// Whose key it is, or why it is none.
async function tell() {
  if (!field.value.trim()) {
    told.innerHTML = WITHOUT;
    return;
  }
  const { data, errors } = await ask({ query: "{ viewer { tenant subject } }" });
  const viewer = data?.viewer;
  told.textContent = viewer ? `The key is of ${[viewer.tenant, viewer.subject].filter(Boolean).join(", ")}.` : errors[0].message;
}

// Another key is another user: the schema is asked for anew.
function show() {
  tell().catch((error) => (told.textContent = String(error)));
  const storage = GraphiQL.createLocalStorage({ namespace: "graph-memory" });
  root.render(React.createElement(GraphiQL, { key: field.value, fetcher: ask, defaultQuery: FIRST, storage }));
}

field.value = sessionStorage.getItem(KEPT) ?? "";
document.getElementById("who").addEventListener("submit", (event) => {
  event.preventDefault();
  sessionStorage.setItem(KEPT, field.value.trim());
  show();
});
show();
