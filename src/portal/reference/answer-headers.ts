import type { Header, OperationContract } from "./contract.ts";
import { operationGroups } from "./outline.ts";
import type { Described } from "./schema-members.ts";

/** The headers of a contract's answers, and where a page explains each. */
interface AnswerHeaders {
  /** Sorted by name. A header that is one thing in some answers and another in others is there for each of them. */
  readonly all: readonly Described[];
  /** The place of what the header is in an answer that has it. */
  anchorOf(name: string, header: Header): string;
}

/** Where a page explains a header; the first of several things that it is. */
export const headerAnchor = (name: string): string => `header-${name.toLowerCase()}`;

export function answerHeaders(contract: OperationContract): AnswerHeaders {
  const entries = operationGroups(contract).flatMap((group) => group.entries);
  const headers = entries.flatMap((entry) =>
    entry.kind === "operation"
      ? Object.values(entry.operation.responses).flatMap(({ headers: all = {} }) => Object.entries(all))
      : [],
  );
  const byName = Map.groupBy(headers, ([name]) => name.toLowerCase());
  const anchors = new Map<string, string>();
  const all = [...byName]
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .flatMap(([name, sameName]) =>
      [...Map.groupBy(sameName, ([, header]) => meaningOf(name, header))].map(([meaning, alike], index) => {
        const id = index === 0 ? headerAnchor(name) : `${headerAnchor(name)}-${index + 1}`;
        anchors.set(meaning, id);
        const [[, { description, schema = {}, example }] = ["", {}]] = alike;
        return {
          id,
          name,
          schema,
          description,
          example,
          required: alike.every(([, { required }]) => required === true),
        };
      }),
    );
  return { all, anchorOf: (name, header) => anchors.get(meaningOf(name.toLowerCase(), header)) ?? headerAnchor(name) };
}

const meaningOf = (name: string, { description, schema }: Header): string =>
  JSON.stringify([name, description, schema]);
