import { ask, follow } from "./client.js";
import { draw } from "./picture.js";

const SEARCH = `query ($question: String!) {
  search(query: $question, first: 5) { hits { memory { id text validFrom } } note }
}`;
const AROUND = `query ($ids: [ID!]!) {
  subgraph(ids: $ids, depth: 2, first: 12, includePast: true) {
    nodes { uuid caption }
    edges { kind from { uuid } to { uuid } }
  }
}`;
const CHANGES = "subscription ($after: String) { changes(after: $after) { sequence operation reason at } }";

const at = (id) => document.getElementById(id);
let followed = null;

at("asking").addEventListener("submit", async (event) => {
  event.preventDefault();
  const key = at("key").value;
  if (followed !== key) watch((followed = key));
  await told(async () => {
    const { search } = await ask(key, SEARCH, { question: at("question").value });
    at("note").textContent = search.note ?? `${search.hits.length} found`;
    at("hits").replaceChildren(...search.hits.map(({ memory }) => row(key, memory)));
    if (search.hits.length) await show(key, search.hits[0].memory.id);
  });
});

function row(key, memory) {
  const item = document.createElement("li");
  const button = document.createElement("button");
  button.textContent = memory.text;
  button.addEventListener("click", () => told(() => show(key, memory.id)));
  const since = document.createElement("small");
  since.textContent = ` since ${memory.validFrom.slice(0, 10)}`;
  item.append(button, since);
  return item;
}

async function show(key, id) {
  const { subgraph } = await ask(key, AROUND, { ids: [id] });
  draw(at("picture"), subgraph.nodes, subgraph.edges);
}

// The place in the ledger is kept, so that a connection that was lost goes on without a gap.
async function watch(key) {
  let after = null;
  while (key === followed) {
    try {
      await follow(key, CHANGES, () => ({ after }), ({ changes }) => {
        after = String(changes.sequence);
        const item = document.createElement("li");
        item.textContent = `${changes.operation} ${changes.reason ?? ""}`;
        at("changes").prepend(item);
      });
    } catch (error) {
      at("note").textContent = error.message;
    }
    await new Promise((done) => setTimeout(done, 1000));
  }
}

async function told(work) {
  try {
    await work();
  } catch (error) {
    at("note").textContent = error.message;
  }
}
