import type { OperationEntry } from "../../src/portal/reference/outline.ts";

/** A request as the contract's examples make it. */
export interface ShownRequest {
  readonly method: string;
  /** With the examples of its path and query. */
  readonly url: string;
  readonly path: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, string>>;
  /** Members of a form; empty without one. */
  readonly form: Readonly<Record<string, string>>;
  readonly hasAnswerBody: boolean;
}

/** The address that contracts have in place of the one of the installation that publishes them. */
export const SERVER = "http://localhost:8080";

/** The next page's start is nothing that a first request has, nor a copy's entity tag. */
const LATER = ["cursor", "If-None-Match"];

const valuesOf = ({ parameters }: OperationEntry, place: string): Readonly<Record<string, string>> =>
  Object.fromEntries(
    parameters
      .filter((one) => one.in === place && one.example !== undefined && !LATER.includes(one.name))
      .map(({ name, example }) => [name, String(example)]),
  );

/** The first example of the form, or what a browser would send to the same address by GET. */
export function shownRequest(entry: OperationEntry, query = valuesOf(entry, "query")): ShownRequest {
  const path = valuesOf(entry, "path");
  const content = entry.operation.requestBody?.content["application/x-www-form-urlencoded"];
  const filled = (entry.path ?? "").replaceAll(/\{(\w+)\}/g, (_, name: string) => path[name] ?? "");
  const search = new URLSearchParams(query).toString();
  return {
    method: entry.label,
    url: `${SERVER}${filled}${search === "" ? "" : `?${search}`}`,
    path,
    query,
    form: (Object.values(content?.examples ?? {})[0]?.value ?? {}) as Readonly<Record<string, string>>,
    hasAnswerBody: Object.entries(entry.operation.responses).some(
      ([status, { content: answer }]) => status.startsWith("2") && answer !== undefined,
    ),
  };
}
