import type { operations } from "#generated/types/gateway.ts";
import type { Chunks, Operation, Reply, ValidRequest } from "#runtime/http/operation.ts";
import type { KnownRevision, Revised } from "../revisions.ts";
import {
  ask,
  canonicalPath,
  type GatewayEdge,
  type GatewayId,
  type OkBody,
  type ProvenGateway,
  type Reading,
  refuse,
} from "./gateway-operation.ts";

/** What a list shows of one batch of its entries. */
export type ShowEntries<Op, Batch> = (batch: Batch) => OkBody<Op> & readonly unknown[];

/**
 * A gateway operation that answers with a whole list: `read` gives it in batches, `show` a batch's entries. A list of
 * one batch is a body like any other; a longer one is sent as it is read, so that neither side ever holds all of it.
 */
export const listOperation =
  <Id extends GatewayId, Batch extends Revised>(
    operationId: Id,
    read: (reading: Reading<operations[Id]>) => AsyncIterable<Batch>,
    show: ShowEntries<operations[Id], Batch>,
  ) =>
  (edge: GatewayEdge): Operation<operations[Id]> => ({
    handle: (request) =>
      askList(edge, request, {
        target: canonicalPath(operationId, request.params),
        read: (gateway, known) => read({ params: request.params, gateway, known }),
        show,
      }),
    invalid: (request, parts) => refuse(edge, request, parts),
  });

interface ListQuestion<Op, Batch extends Revised> {
  /** As of any question. */
  readonly target: string;
  /** Makes the one call. */
  read(gateway: ProvenGateway, known: KnownRevision): AsyncIterable<Batch>;
  readonly show: ShowEntries<Op, Batch>;
  /** Headers that follow from the first batch. */
  headers?(first: Batch): Readonly<Record<string, string>>;
}

/**
 * Answers with the list that the one call gives. Every refusal comes in place of the first batch, before anything is
 * sent.
 */
export const askList = <Op extends operations[keyof operations], Batch extends Revised>(
  edge: GatewayEdge,
  request: ValidRequest<Op>,
  { target, read, show, headers }: ListQuestion<Op, Batch>,
): Promise<Reply<Op>> =>
  ask<Op, BegunList<Batch>>(edge, request, {
    target,
    read: (gateway, known) => begin(read(gateway, known)),
    show: ({ first, second, rest }) => {
      const body = show(first);
      const more = headers === undefined ? {} : { headers: headers(first) };
      return second === undefined
        ? { ...more, body }
        : { ...more, chunks: jsonArray([body, show(second)], rest, show) };
    },
    leave: ({ rest }) => void rest.return?.(),
  });

/** A list whose first batches are read. */
interface BegunList<Batch> extends Revised {
  readonly first: Batch;
  /** None when the first batch is the whole list. */
  readonly second: Batch | undefined;
  readonly rest: AsyncIterator<Batch>;
}

/** Reads until it is known whether the list has more than one batch; if it has one, the call has ended by then. */
async function begin<Batch extends Revised>(batches: AsyncIterable<Batch>): Promise<BegunList<Batch>> {
  const rest = batches[Symbol.asyncIterator]();
  const { value: first, done } = await rest.next();
  if (done === true) throw new Error("A list had not even an empty batch.");
  const second = await rest.next();
  const { revision, unchanged } = first;
  return { revision, unchanged, first, second: second.done === true ? undefined : second.value, rest };
}

/** The texts of one JSON array, a text for each batch of entries. */
function jsonArray<Op, Batch>(
  begun: readonly (readonly unknown[])[],
  rest: AsyncIterator<Batch>,
  show: ShowEntries<Op, Batch>,
): Chunks {
  const texts = (async function* () {
    let before = "[";
    const written = (entries: readonly unknown[]) => {
      if (entries.length === 0) return "";
      const text = before + JSON.stringify(entries).slice(1, -1);
      before = ",";
      return text;
    };
    for (const entries of begun) yield written(entries);
    for (let step = await rest.next(); step.done !== true; step = await rest.next()) yield written(show(step.value));
    yield before === "[" ? "[]" : "]";
  })();
  return {
    [Symbol.asyncIterator]: () => texts,
    discard: () => void rest.return?.(),
  };
}
