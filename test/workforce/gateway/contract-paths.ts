import { contract, operationsOf } from "../../contract/contracts.ts";

/** One id in a path, as the contract has it. */
export interface Position {
  readonly name: string;
  /** The word of the id's kind, without the underscore. */
  readonly prefix: string;
  /** An id of that kind that nothing has. */
  readonly unknown: string;
}

/** One operation of the contract with the ids of its path, in the path's order. */
export interface PathOperation {
  readonly id: string;
  readonly method: string;
  readonly path: string;
  readonly positions: readonly Position[];
}

/** What is to be filled in, by the name of the parameter. */
export type Ids = Readonly<Record<string, string>>;

/**
 * Every operation of gateway.yaml: what is added to the contract is in every test that goes by this list, or by the two
 * below.
 */
const ALL_OPERATIONS: readonly PathOperation[] = operationsOf(contract("gateway")).map(
  ({ operationId, method, path, parameters }) => {
    const named = new Map(parameters.map((parameter) => [parameter.name, parameter.schema as { pattern?: string }]));
    const positions = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = ""]) => {
      const [, prefix = ""] = /^\^([a-z]+)_\[A-Za-z0-9\]\{21\}\$$/.exec(named.get(name)?.pattern ?? "") ?? [];
      return { name, prefix, unknown: `${prefix}_${"A".repeat(21)}` };
    });
    return { id: operationId, method, path, positions };
  },
);

const isOfWebhooks = ({ path }: PathOperation): boolean => path.startsWith("/v1/webhooks/");

/** The reads of clients, users, workers and structure, with a key that has the scope `read`. */
export const OPERATIONS = ALL_OPERATIONS.filter((operation) => !isOfWebhooks(operation));

/** What integrations do about their own webhooks, with a key that has the scope `webhooks`; without what needs no key. */
export const WEBHOOKS_OPERATIONS = ALL_OPERATIONS.filter(isOfWebhooks).filter(({ id }) => id !== "listPublicKeys");

export const fillIds = (path: string, ids: Ids): string =>
  path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const id = ids[name];
    if (id === undefined) throw new Error(`The tests know no id to put in the place of {${name}}; teach them one.`);
    return id;
  });

/** Ids that nothing has, for every position of the operation. */
export const unknownIds = ({ positions }: PathOperation): Ids =>
  Object.fromEntries(positions.map(({ name, unknown }) => [name, unknown]));
