import { Failure } from "#runtime/basis/errors.ts";
import type { Asked } from "./verb.ts";

/** What the things that an answer refers to are called. */
export interface Names {
  /** `Europe`, with `--ids` `Europe (instance_…)`; the id itself where no name is known; null for none. */
  readonly of: (id: string | null | undefined) => string | null;
}

/**
 * Reads the names of what the ids refer to, by one question unless they are many; none for `--json`, which has ids. What
 * a command did is done, so a failure of this is none of its own: the ids are shown instead.
 */
export async function namesOf(
  { workforce, call, shows }: Asked,
  ids: readonly (string | null | undefined)[],
): Promise<Names> {
  const wanted = [...new Set(ids.filter((id) => typeof id === "string" && id !== ""))] as string[];
  const names = new Map<string, string>();
  for (let from = 0; shows !== "json" && from < wanted.length; from += IDS_MAX) {
    const ids = wanted.slice(from, from + IDS_MAX);
    const answer = await workforce.readNames({ ids }, call).catch((error: unknown) => {
      if (error instanceof Failure) return undefined;
      throw error;
    });
    if (answer === undefined) break;
    for (const { id, name } of answer.names) names.set(id, name);
  }
  return namesIn(names, shows);
}

/** The names that an answer has beside the ids, by id. */
export const namesIn = (names: ReadonlyMap<string, string>, shows: Asked["shows"]): Names => ({
  of: (id) => {
    if (id === null || id === undefined || id === "") return null;
    const name = names.get(id);
    if (name === undefined) return id;
    return shows === "names and ids" ? `${name} (${id})` : name;
  },
});

/** Ids of one question. */
const IDS_MAX = 500;
