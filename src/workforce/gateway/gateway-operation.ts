import { operations as paths } from "#generated/operations/gateway.ts";
import type { GatewayService } from "#generated/proto/gatehouse/workforce/v1/gateway.ts";
import type { operations } from "#generated/types/gateway.ts";
import { acceptedCoding, type Coding, coded, codedChunks } from "#runtime/http/content-coding.ts";
import { listedEntityTags, passesIfMatch } from "#runtime/http/entity-tag.ts";
import type {
  AnyReply,
  Chunks,
  EdgeRequest,
  InvalidPart,
  Operation,
  Reply,
  ValidRequest,
} from "#runtime/http/operation.ts";
import type { CallOptions, PromiseClient } from "#runtime/rpc/call.ts";
import type { KnownRevision, Revised } from "../revisions.ts";
import type { AnswerMemory } from "./answer-memory.ts";
import { problemReply } from "./gateway-error.ts";
import { keyIn, withKey } from "./keyed-request.ts";
import type { LongLists } from "./long-lists.ts";
import { knownTag, toRevisionTag } from "./revision-tag.ts";

/** What every gateway operation works with. */
export interface GatewayEdge {
  readonly gateway: PromiseClient<typeof GatewayService>;
  /** Binds the service's methods to one request's options. */
  readonly proven: ReturnType<typeof provenBy>;
  readonly longLists: LongLists;
  readonly answers: AnswerMemory;
  /** Origin of the pages that problems lead to. */
  readonly gatewayUrl: string;
  /** Names how answers are written down; part of every entity tag (R-G10). */
  readonly representation: string;
}

type Client = GatewayEdge["gateway"];

/** The service as a handler calls it: the key's proof and the request id go along by themselves. */
export type ProvenGateway = {
  readonly [K in keyof Client]: (request: Parameters<Client[K]>[0]) => ReturnType<Client[K]>;
};

/** The body of an operation's good answer. */
export type OkBody<Op> = Op extends { responses: { 200: { content: { "application/json": infer Body } } } }
  ? Body
  : never;

export type GatewayId = keyof typeof paths;

/** What a handler reads with. */
export interface Reading<Op extends operations[keyof operations]> extends Pick<ValidRequest<Op>, "params"> {
  readonly gateway: ProvenGateway;
  /** To be sent along: what the integrator has already (R-G10). */
  readonly known: KnownRevision;
}

/**
 * Makes an operation of a handler that translates: `read` into our words, by one call, `show` back. Every request costs
 * exactly that call, or `CheckCaller` when the request is known to be invalid, so that a bad key is reported first
 * (R-G2, R-G15). A malformed key costs no call. Content that the integrator already has is neither read nor sent again
 * (R-G10).
 */
export const gatewayOperation =
  <Id extends GatewayId, Answer extends Revised>(
    operationId: Id,
    read: (reading: Reading<operations[Id]>) => Promise<Answer>,
    show: (answer: Answer) => OkBody<operations[Id]>,
  ) =>
  (edge: GatewayEdge): Operation<operations[Id]> => ({
    handle: (request) =>
      ask(edge, request, {
        target: canonicalPath(operationId, request.params),
        read: (gateway, known) => read({ params: request.params, gateway, known }),
        show: (answer) => ({ body: show(answer) }),
      }),
    invalid: (request, parts) => refuse(edge, request, parts),
  });

/** The path of a request in one spelling; as sent, it may have percent-encoding that changes nothing. */
export function canonicalPath(operationId: GatewayId, params: object): string {
  let path = "";
  for (const [index, part] of (PATH_PARTS.get(operationId) ?? []).entries())
    path += index % 2 === 0 ? part : (params as Readonly<Record<string, string>>)[part];
  return path;
}

/** Each operation's path, split: fixed texts alternate with names of parameters. */
const PATH_PARTS: ReadonlyMap<string, readonly string[]> = new Map(
  Object.entries(paths).map(([id, { path }]) => [id, path.split(/[{}]/)]),
);

/** What a good answer shows: its body, or the texts that are its body one after the other. */
type Shown = Pick<AnyReply, "headers"> & ({ readonly body: unknown } | { readonly chunks: Chunks });

interface Question<Answer extends Revised> {
  /** Path and query in one spelling: the resource that the entity tag covers. */
  readonly target: string;
  /** Makes the one call. */
  read(gateway: ProvenGateway, known: KnownRevision): Promise<Answer>;
  show(answer: Answer): Shown;
  /** Called with an answer that is not sent, to release it. */
  leave?(answer: Answer): void;
}

/**
 * Answers with the result of the one call; with 304 and no body when the integrator already has it; with 412 when it has
 * none of the tags that `If-Match` names (RFC 9110 §13.2.2). Services are asked for content only when neither the
 * integrator nor this edge has what is there now. For `If-Match` it must be here: the tag of what would be sent has the
 * coding, which depends on it.
 */
export const ask = <Op extends operations[keyof operations], Answer extends Revised>(
  edge: GatewayEdge,
  request: ValidRequest<Op>,
  { target, read, show, leave }: Question<Answer>,
): Promise<Reply<Op>> =>
  withKey(edge, request, async (options, facts, { lookUp }) => {
    const scope = { key: keyIn(request), target, representation: edge.representation };
    const { "if-none-match": condition, "if-match": ifMatch } = request.headers;
    const known = knownTag(scope, condition);
    const accepted = acceptedCoding(request.headers["accept-encoding"]);
    const name = { lookUp, target, accepted };
    const remembered = edge.answers.recall(name);
    const had = newerOf(ifMatch === undefined ? known : undefined, remembered);
    const answer = await read(edge.proven(options), { knownRevision: had });
    const unsent = (reply: AnyReply): AnyReply => {
      leave?.(answer);
      return reply;
    };
    const unchanged = (valid: string) => unsent({ status: 304, headers: headersWith(valid) });
    // The copy that the request named is still valid, whatever its coding (RFC 9111 §4.3.4).
    const named = known?.revision === answer.revision ? known.tag : undefined;
    if (named !== undefined && ifMatch === undefined) return unchanged(named);
    const current = remembered?.revision === answer.revision ? remembered : undefined;
    const tag = current?.tag ?? toRevisionTag(scope, answer.revision);
    const listed = listedEntityTags(condition);
    const copy = named ?? listed.find((one) => one === tag);
    if (copy !== undefined && ifMatch === undefined) return unchanged(copy);
    const tagIn = (coding?: Coding) => (coding === undefined ? tag : toRevisionTag(scope, answer.revision, coding));
    const { headers, body } = current ?? (await asSent(show(answer), accepted, tagIn));
    const sentTag = headers.ETag ?? tag;
    if (!passesIfMatch(ifMatch, sentTag)) return unsent(problemReply("precondition_failed", facts));
    if (copy !== undefined) return unchanged(copy);
    // Names the copy that this request would get: its tag has the coding, which depends on the content (RFC 9110 §15.4.5).
    if (listed.includes("*")) return unchanged(sentTag);
    if (current !== undefined) return unsent({ status: 200, headers, body });
    // Only now: what is not sent would never give its place back.
    if (!Buffer.isBuffer(body)) return { status: 200, headers, chunks: edge.longLists.begin(keyIn(request), body) };
    edge.answers.keep(name, { revision: answer.revision, tag, headers, body });
    return { status: 200, headers, body };
  }) as Promise<Reply<Op>>;

/** A good answer in the coding that the request accepts, with the tag that it has in it. */
async function asSent(
  { headers, ...shown }: Shown,
  accepted: ReturnType<typeof acceptedCoding>,
  tagIn: (coding?: Coding) => string,
) {
  const { coding, content } =
    "chunks" in shown ? codedChunks(shown.chunks, accepted) : await coded(JSON.stringify(shown.body), accepted);
  const named = coding === undefined ? {} : { "Content-Encoding": coding };
  return { headers: { ...headersWith(tagIn(coding)), ...named, ...headers }, body: content };
}

/** The higher revision of two copies: the only one that can be the revision as of now. */
function newerOf(one: { readonly revision: number } | undefined, other: typeof one): number | null {
  if (one === undefined || other === undefined) return (one ?? other)?.revision ?? null;
  return Math.max(one.revision, other.revision);
}

const headersWith = (tag: string) => ({
  "Cache-Control": "private, no-cache",
  ETag: tag,
  Vary: "x-api-key, Accept-Encoding",
});

/** Answers a request that is known to be invalid, once its key is proven. */
export const refuse = (edge: GatewayEdge, request: EdgeRequest, parts: readonly InvalidPart[]): Promise<AnyReply> =>
  withKey(edge, request, async (options, facts) => {
    await edge.gateway.checkCaller({}, options);
    return problemReply("invalid_request", { ...facts, errors: parts });
  });

/** Makes, once, what binds the methods of a client to the options of one request after the other. */
export function provenBy(client: Client): (options: CallOptions) => ProvenGateway {
  class Bound {
    readonly options: CallOptions;

    constructor(options: CallOptions) {
      this.options = options;
    }
  }
  for (const [name, method] of Object.entries(client)) {
    const call = method as (request: never, options: CallOptions) => unknown;
    Object.defineProperty(Bound.prototype, name, {
      value(this: Bound, request: never) {
        return call(request, this.options);
      },
    });
  }
  return (options) => new Bound(options) as unknown as ProvenGateway;
}
