// Where the service is: ?api=http://... in the address of the page, or the local stack.
const API = new URLSearchParams(location.search).get("api") ?? "http://127.0.0.1:8420";

function send(key, query, variables, accept) {
  return fetch(`${API}/graphql`, {
    method: "POST",
    headers: { Authorization: `Bearer ${key}`, "Content-Type": "application/json", Accept: accept },
    body: JSON.stringify({ query, variables }),
  });
}

function data(answer) {
  if (answer.errors) throw new Error(answer.errors.map((each) => each.message).join("\n"));
  return answer.data;
}

// One question, one answer.
export async function ask(key, query, variables) {
  const response = await send(key, query, variables, "application/json");
  return data(await response.json());
}

// Server-sent events over POST: each block of lines is an event, `next` holds an answer. Ends when the server ends it.
export async function follow(key, query, variables, seen) {
  const response = await send(key, query, variables(), "text/event-stream");
  if (!response.headers.get("Content-Type").startsWith("text/event-stream")) data(await response.json());
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let waiting = "";
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    const blocks = (waiting + part.value).replaceAll("\r\n", "\n").split("\n\n");
    waiting = blocks.pop();
    for (const block of blocks) {
      const field = (name) => block.match(new RegExp(`^${name}: ?(.*)$`, "m"))?.[1];
      if (field("event") === "next") seen(data(JSON.parse(field("data"))));
    }
  }
}
