import type { SearchAttributeType } from "@temporalio/common";
import type { NativeConnection } from "@temporalio/worker";
import type { TemporalAddress } from "./link.ts";

const DEADLINE_MS = 5_000;
const GRPC_NOT_FOUND = 5;
const GRPC_PERMISSION_DENIED = 7;
const GRPC_UNAUTHENTICATED = 16;

/** Types of search attributes as the server numbers them and as its command line spells them. */
const TYPES: Readonly<Record<SearchAttributeType, { readonly number: number; readonly word: string }>> = {
  TEXT: { number: 1, word: "Text" },
  KEYWORD: { number: 2, word: "Keyword" },
  INT: { number: 3, word: "Int" },
  DOUBLE: { number: 4, word: "Double" },
  BOOL: { number: 5, word: "Bool" },
  DATETIME: { number: 6, word: "Datetime" },
  KEYWORD_LIST: { number: 7, word: "KeywordList" },
};

export type SearchAttributes = readonly { readonly name: string; readonly type: SearchAttributeType }[];

/** A server that answers is not suitable; one line with the reason and the command that fixes it. */
export class ServerUnfit extends Error {
  override readonly name = "ServerUnfit";
}

/**
 * Asserts that the namespace exists and has the search attributes: a workflow that sets an unknown one would repeat its
 * task forever instead of failing.
 * @throws ServerUnfit; or the connection's error when the server is unreachable.
 */
export async function assertServer(
  connection: NativeConnection,
  { address, namespace }: TemporalAddress,
  wanted: SearchAttributes,
): Promise<void> {
  const within = <T>(ask: () => Promise<T>) => connection.withDeadline(Date.now() + DEADLINE_MS, ask);
  const at = `--namespace ${namespace} --address ${address}`;
  try {
    await within(() => connection.workflowService.describeNamespace({ namespace }));
  } catch (error) {
    if (codeOf(error) === GRPC_NOT_FOUND) {
      throw new ServerUnfit(
        `The namespace ${namespace} is not there. Make it with: temporal operator namespace create ${at}`,
      );
    }
    if (isDenied(error)) {
      throw new ServerUnfit(`The server refuses us the namespace ${namespace}. See temporal-api-key.`);
    }
    throw error;
  }
  const { customAttributes = {} } = await within(() =>
    connection.operatorService.listSearchAttributes({ namespace }),
  ).catch((error: unknown) => {
    if (!isDenied(error)) throw error;
    throw new ServerUnfit(
      `The server refuses us the list of search attributes of ${namespace}. Let the owner of temporal-api-key read it.`,
    );
  });
  const missing = wanted.filter(({ name }) => customAttributes?.[name] === undefined);
  if (missing.length > 0) {
    const words = missing.map(({ name, type }) => `--name ${name} --type ${TYPES[type].word}`).join(" ");
    throw new ServerUnfit(
      `The namespace ${namespace} lacks search attributes. Add them with: temporal operator search-attribute create ${words} ${at}`,
    );
  }
  const other = wanted.find(({ name, type }) => customAttributes?.[name] !== TYPES[type].number);
  if (other !== undefined) {
    throw new ServerUnfit(
      `The search attribute ${other.name} is not of the type ${TYPES[other.type].word}. Remove it with: temporal operator search-attribute remove --name ${other.name} ${at}`,
    );
  }
}

/** True when the server rejects our identity or our permission. */
export function isDenied(error: unknown): boolean {
  const code = codeOf(error);
  return code === GRPC_PERMISSION_DENIED || code === GRPC_UNAUTHENTICATED;
}

const codeOf = (error: unknown): unknown => (error as { readonly code?: unknown } | null | undefined)?.code;
