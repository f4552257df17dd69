import { operations as paths } from "#generated/operations/gateway.ts";
import type { IntegratorService } from "#generated/proto/gatehouse/webhooks/v1/integrator.ts";
import type { operations } from "#generated/types/gateway.ts";
import { acceptedCoding, type Coding, coded } from "#runtime/http/content-coding.ts";
import type { AnyReply, EdgeRequest, InvalidPart, Operation, Reply, ValidRequest } from "#runtime/http/operation.ts";
import type { CallOptions, PromiseClient } from "#runtime/rpc/call.ts";
import type { Keyed, Problem } from "./keyed.ts";
import { conditionOfRead, toHeader } from "./subscription-condition.ts";
import { webhookProblem } from "./webhook-problem.ts";

/** What every operation works with. */
interface WebhooksGateway {
  readonly integrator: PromiseClient<typeof IntegratorService>;
  readonly keyed: Keyed;
}

/** The operations below /v1/webhooks. */
export type WebhooksId = {
  [Id in keyof typeof paths]: (typeof paths)[Id]["path"] extends `/v1/webhooks/${string}` ? Id : never;
}[keyof typeof paths];

/** The body of an operation's good answer; `undefined` where it has none. */
type GoodBody<Op> = Op extends { responses: infer Responses }
  ? {
      [S in keyof Responses & (200 | 201 | 202 | 204)]: Responses[S] extends {
        content: { "application/json": infer B };
      }
        ? B
        : undefined;
    }[keyof Responses & (200 | 201 | 202 | 204)]
  : never;

/** What a handler answers with: what it asks, and what the integrator sent. */
export interface Asking<Id extends WebhooksId> {
  readonly request: ValidRequest<operations[Id]>;
  readonly integrator: WebhooksGateway["integrator"];
  /** For the one call: the proof of the key goes along by them. */
  readonly options: CallOptions;
  readonly keyed: Keyed;
}

/** A body that shows a subscription, with the entity tag of that, as services have it. */
export class Tagged<Body> {
  readonly body: Body;
  readonly entityTag: string;

  constructor(body: Body, entityTag: string) {
    this.body = body;
    this.entityTag = entityTag;
  }
}

/** A body that shows what the request made, with the path at which it can be read. */
export class Made<Body> extends Tagged<Body> {
  readonly path: string;

  constructor(body: Body, path: string, entityTag = "") {
    super(body, entityTag);
    this.path = path;
  }
}

/** In place of a body: a refusal of the edge's own. */
export class Refused {
  readonly problem: Problem;
  /** False when nothing was called yet: then the key is still to be proven. */
  readonly isAsked: boolean;

  constructor(problem: Problem, isAsked: boolean) {
    this.problem = problem;
    this.isAsked = isAsked;
  }
}

/** A part of the request that is refused before anything is asked. */
export const refusedPart = (part: InvalidPart): Refused =>
  new Refused({ code: "invalid_request", errors: [part] }, false);

type Answered<Body> = Body | Tagged<Body> | Refused;

type StatusOf<Id extends WebhooksId> = keyof operations[Id]["responses"] & (200 | 201 | 202 | 204);

/**
 * Makes an operation of what asks our services, by one call, and says the answer in the contract's words. A request
 * that breaks the contract costs a call too, so that a bad key is reported first (R-G2). A refusal before the call that
 * `run` answers with is checked in the same way.
 */
export const webhookOperation =
  <Id extends WebhooksId>(
    status: StatusOf<Id>,
    run: (asking: Asking<Id>) => Promise<Answered<GoodBody<operations[Id]>>>,
  ) =>
  ({ integrator, keyed }: WebhooksGateway): Operation<operations[Id]> => {
    const refuse = async (options: CallOptions, problem: Problem) => {
      await integrator.checkIntegrator({}, options);
      return { problem };
    };
    return {
      handle(request) {
        const hasBody = (request.body as unknown) !== undefined;
        return keyed.withKey(request, {
          scope: "webhooks",
          async answer(options) {
            const body = await run({ request, integrator, options, keyed });
            if (body instanceof Refused)
              return body.isAsked ? { problem: body.problem } : await refuse(options, body.problem);
            return await replyWith(status, body, request, keyed);
          },
          problemOf: (failure) => webhookProblem(failure, hasBody ? "body" : "query"),
        }) as Promise<Reply<operations[Id]>>;
      },
      invalid: (request, parts) =>
        keyed.withKey(request, {
          scope: "webhooks",
          answer: (options) => refuse(options, problemOfParts(request, parts)),
          problemOf: () => undefined,
        }),
    };
  };

/**
 * Answers that have no secrets are compressed as those of the gateway's lists (R-X62). Those that show a subscription have
 * its entity tag, and a read of it is answered by its conditions (R-X423).
 */
async function replyWith(
  status: number,
  answered: unknown,
  request: EdgeRequest,
  { addressOf }: Keyed,
): Promise<AnyReply | { readonly problem: Problem }> {
  const noStore = { "Cache-Control": "no-store" };
  // Services of the version before have no tags.
  const entityTag = answered instanceof Tagged && answered.entityTag !== "" ? answered.entityTag : undefined;
  const body: unknown = answered instanceof Tagged ? answered.body : answered;
  const tagged = (coding?: Coding) => (entityTag === undefined ? {} : { ETag: toHeader(entityTag, coding) });
  if (body === undefined) return { status, headers: noStore };
  // Secrets are in answers to POST alone.
  if (paths[request.operationId as WebhooksId].method !== "GET") {
    const made = answered instanceof Made ? { Location: addressOf(answered.path) } : {};
    return { status, headers: { ...noStore, ...made, ...tagged() }, body };
  }
  const { coding, content } = await coded(JSON.stringify(body), acceptedCoding(request.headers["accept-encoding"]));
  const headers = { ...noStore, Vary: "x-api-key, Accept-Encoding", ...tagged(coding) };
  if (entityTag !== undefined) {
    const { isFalse, copy } = conditionOfRead(request, entityTag, coding);
    if (isFalse) return { problem: { code: "precondition_failed" } };
    if (copy !== undefined) return { status: 304, headers: { ...headers, ETag: copy } };
  }
  return {
    status,
    headers: coding === undefined ? headers : { ...headers, "Content-Encoding": coding },
    body: content,
  };
}

/** A body of another media type is 415 (S14, RFC 9110 §15.5.16); one without a media type is a part that is wrong. */
const problemOfParts = ({ headers }: EdgeRequest, parts: readonly InvalidPart[]): Problem =>
  headers["content-type"] !== undefined &&
  parts.some(({ in: place, name }) => place === "header" && name === "content-type")
    ? { code: "unsupported_media_type", detail: "The media type of the body must be application/json." }
    : { code: "invalid_request", errors: parts };
