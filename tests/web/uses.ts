// How a frontend uses the types; the compiler reads this, nobody runs it.
import type { FollowChangesSubscription, SearchQuery, SearchQueryVariables } from "./made/types.ts";

const asked: SearchQueryVariables = { query: "Where does Mara live?", first: 5 };

export function shown(answer: SearchQuery): string[] {
  const hits = answer.search?.hits ?? [];
  return hits.map((hit) => `${hit.memory.text} since ${hit.memory.validFrom.slice(0, 4)} ${asked.query}`);
}

export function place(event: FollowChangesSubscription): string {
  return String(event.changes.sequence);
}

// @ts-expect-error A question is needed.
export const nothing: SearchQueryVariables = { first: 5 };
