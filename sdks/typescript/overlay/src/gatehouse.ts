import { GatewayApi } from "./apis/GatewayApi.js";
import { SignOnApi } from "./apis/SignOnApi.js";
import { exchange } from "./exchange.js";
import { asGatehouseError, errorOf, localError, withOneError } from "./gatehouse-error.js";
import type { InstanceIntegration } from "./models/InstanceIntegration.js";
import type { OrganizationStructure } from "./models/OrganizationStructure.js";
import type { PlatformClient } from "./models/PlatformClient.js";
import type { PlatformUser } from "./models/PlatformUser.js";
import type { WorkerV2 } from "./models/WorkerV2.js";
import { itemsOf } from "./pages.js";
import { RememberedAnswers, type RememberedLimits } from "./remembered-answers.js";
import { Configuration, type FetchAPI, FetchError } from "./runtime.js";

export * from "./apis/index.js";
export { type ErrorContent, GatehouseError, type LocalCode, type Violation } from "./gatehouse-error.js";
export * from "./models/index.js";
export type { RememberedLimits } from "./remembered-answers.js";
export * from "./verify-event.js";

export interface GatehouseOptions {
  /** Address of Gatehouse: `https://…`. */
  readonly baseUrl: string;
  /** For the gateway. */
  readonly apiKey?: string;
  /** Time for one attempt, until the last byte of its answer; 40,000 unless given. */
  readonly deadlineMs?: number;
  /** Further attempts of a read after 429, 503 or no answer; 2 unless given, 0 turns them off. */
  readonly retries?: number;
  /** The longest `Retry-After` that is waited for; 60,000 unless given. A longer one is thrown at once. */
  readonly longestWaitMs?: number;
  /** The most bytes of one answer's body; 67,108,864 (64 MiB) unless given. A larger one is thrown as `unexpected_answer`. */
  readonly answerBytesMax?: number;
  /** Limits of the answers that are remembered with their entity tags; false turns them off. */
  readonly entityTags?: RememberedLimits | false;
  /** For `signOn.getUserinfo`: an access token, or a function that returns the current one. */
  readonly accessToken?: string | (() => string | Promise<string>);
  /** For `signOn.exchangeToken`, in place of `clientId` and `clientSecret` in the request. */
  readonly application?: { readonly id: string; readonly secret: string };
  /** In place of the built-in `fetch`: for proxies and tests. */
  readonly fetch?: FetchAPI;
}

export interface CallOptions {
  /** Cancels the call. */
  readonly signal?: AbortSignal;
}

const PAGE_SIZE = 200;
/** Far above a page of a list or what it may become; no more than a program has. */
const ANSWER_BYTES_MAX = 64 * 1024 * 1024;

/**
 * Gatehouse as a program sees it. Every call throws a `GatehouseError`, and nothing else, when it does not succeed. One object serves
 * a whole program.
 */
export class Gatehouse {
  /** The operations of the gateway, one by one: with pages, and with version 1 of workers. */
  readonly gateway: GatewayApi;
  /** The operations of sign-on for programs. To sign people in, use an OpenID Connect library instead. */
  readonly signOn: SignOnApi;
  readonly #baseUrl: string;
  readonly #apiKey: string | undefined;
  readonly #fetch: FetchAPI;

  constructor(options: GatehouseOptions) {
    const { baseUrl, apiKey, accessToken, application, entityTags } = options;
    if (!isAddress(baseUrl)) throw localError("invalid_argument", `baseUrl is not an address: ${baseUrl}`);
    if (apiKey !== undefined && !/^[\x21-\x7e]+$/.test(apiKey))
      throw localError("invalid_argument", "apiKey is empty, or has characters that no API key has.");
    assertNumbers(options);
    if (options.fetch !== undefined && typeof options.fetch !== "function")
      throw localError("invalid_argument", "fetch is not a function.");
    this.#baseUrl = baseUrl.replace(/\/+$/, "");
    this.#apiKey = apiKey;
    this.#fetch = exchange({
      fetch: options.fetch ?? ((input, init) => fetch(input, init)),
      deadlineMs: options.deadlineMs ?? 40_000,
      retries: options.retries ?? 2,
      longestWaitMs: options.longestWaitMs ?? 60_000,
      answerBytesMax: options.answerBytesMax ?? ANSWER_BYTES_MAX,
      remembered: entityTags === false ? undefined : new RememberedAnswers(entityTags),
      isGateway: (url) => leadsToGateway(this.#baseUrl, url.slice(this.#baseUrl.length)),
    });
    const configuration = new Configuration({
      basePath: this.#baseUrl,
      ...(apiKey === undefined ? {} : { apiKey }),
      ...(accessToken === undefined
        ? {}
        : { accessToken: typeof accessToken === "function" ? async () => accessToken() : accessToken }),
      // Form-encoded before it is joined (RFC 6749 §2.3.1).
      ...(application === undefined
        ? {}
        : { username: formPart(application.id), password: formPart(application.secret) }),
      fetchApi: this.#fetch,
      middleware: [
        {
          async post({ response }) {
            if (response.status >= 300) throw await errorOf(response);
          },
          async onError({ error }) {
            throw asGatehouseError(error instanceof FetchError ? error.cause : error);
          },
        },
      ],
    });
    this.gateway = withOneError(new GatewayApi(configuration));
    this.signOn = withOneError(new SignOnApi(configuration));
  }

  /** Every instance integration of the API key's integration, oldest first. */
  async instanceIntegrations(call?: CallOptions): Promise<InstanceIntegration[]> {
    return await this.gateway.listInstanceIntegrations({}, call);
  }

  /** Every client (tenant) of an instance integration, oldest first. */
  async clients(instanceIntegrationId: string, call?: CallOptions): Promise<PlatformClient[]> {
    return await this.gateway.listClients(checked({ instanceIntegrationId }), call);
  }

  async client(instanceIntegrationId: string, clientId: string, call?: CallOptions): Promise<PlatformClient> {
    return await this.gateway.getClient(checked({ instanceIntegrationId, clientId }), call);
  }

  /** Every worker of a client with their units, oldest first; reads further pages as it is iterated. */
  workers(instanceIntegrationId: string, clientId: string, call?: CallOptions): AsyncGenerator<WorkerV2> {
    const place = checked({ instanceIntegrationId, clientId });
    return itemsOf((cursor) => this.gateway.listWorkersV2Raw({ ...place, limit: PAGE_SIZE, ...from(cursor) }, call));
  }

  async worker(
    instanceIntegrationId: string,
    clientId: string,
    workerId: string,
    call?: CallOptions,
  ): Promise<WorkerV2> {
    return await this.gateway.getWorkerV2(checked({ instanceIntegrationId, clientId, workerId }), call);
  }

  /** Every dashboard user of a client, oldest first; reads further pages as it is iterated. */
  users(instanceIntegrationId: string, clientId: string, call?: CallOptions): AsyncGenerator<PlatformUser> {
    const place = checked({ instanceIntegrationId, clientId });
    return itemsOf((cursor) => this.gateway.listUsersRaw({ ...place, limit: PAGE_SIZE, ...from(cursor) }, call));
  }

  async user(
    instanceIntegrationId: string,
    clientId: string,
    userId: string,
    call?: CallOptions,
  ): Promise<PlatformUser> {
    return await this.gateway.getUser(checked({ instanceIntegrationId, clientId, userId }), call);
  }

  /** The job titles of a client's workers, each once, sorted. */
  async jobTitles(instanceIntegrationId: string, clientId: string, call?: CallOptions): Promise<string[]> {
    return await this.gateway.listJobTitles(checked({ instanceIntegrationId, clientId }), call);
  }

  /** Unit types, units and locations of a client. */
  async organizationStructure(
    instanceIntegrationId: string,
    clientId: string,
    call?: CallOptions,
  ): Promise<OrganizationStructure> {
    return await this.gateway.getOrganizationStructure(checked({ instanceIntegrationId, clientId }), call);
  }

  /** The current state of an event's entity: what is at its `data.links.self`, as parsed JSON. */
  async follow(link: string, call?: CallOptions): Promise<unknown> {
    if (!leadsToGateway(this.#baseUrl, link))
      throw localError("invalid_argument", `Not a path of the gateway: ${link}`);
    const headers: Record<string, string> = this.#apiKey === undefined ? {} : { "x-api-key": this.#apiKey };
    const response = await this.#fetch(`${this.#baseUrl}${link}`, { method: "GET", headers, ...call });
    if (response.status >= 300) throw await errorOf(response);
    return await response.json().catch((cause: unknown) => {
      throw asGatehouseError(cause, response);
    });
  }
}

/** What timers take: with more they end at once. */
const TIMER_MS_MAX = 2 ** 31 - 1;

function assertNumbers(options: GatehouseOptions): void {
  const { deadlineMs, retries, longestWaitMs, answerBytesMax, entityTags } = options;
  const { answers, bytes } = entityTags === false || entityTags === undefined ? {} : entityTags;
  const ranges = [
    ["deadlineMs", deadlineMs, 1, TIMER_MS_MAX],
    ["retries", retries, 0, Number.MAX_SAFE_INTEGER],
    ["longestWaitMs", longestWaitMs, 0, TIMER_MS_MAX],
    ["answerBytesMax", answerBytesMax, 1, Number.MAX_SAFE_INTEGER],
    ["entityTags.answers", answers, 0, Number.MAX_SAFE_INTEGER],
    ["entityTags.bytes", bytes, 0, Number.MAX_SAFE_INTEGER],
  ] as const;
  for (const [name, value, least, most] of ranges)
    if (value !== undefined && !(Number.isSafeInteger(value) && value >= least && value <= most))
      throw localError("invalid_argument", `${name} is no whole number from ${least} to ${most}: ${value}`);
}

/** Paths are put behind it, so it can have no query and no fragment; and `fetch` takes no password in it. */
function isAddress(text: string): boolean {
  if (!/^https?:/i.test(text) || /[?#]/.test(text) || !URL.canParse(text)) return false;
  const { username, password } = new URL(text);
  return username === "" && password === "";
}

const from = (cursor: string | undefined) => (cursor === undefined ? {} : { cursor });

/** Ids as they were given: letters, digits, `_` and `-`. Anything else would become another path. */
function checked<Ids extends Readonly<Record<string, string>>>(ids: Ids): Ids {
  for (const [name, id] of Object.entries(ids)) {
    if (typeof id !== "string" || id === "") throw localError("invalid_argument", `${name} is missing.`);
    if (!/^[\w-]+$/.test(id)) throw localError("invalid_argument", `${name} cannot be an id: ${id}`);
  }
  return ids;
}

/** True when the link is within the gateway's API at `baseUrl`: the API key must not be sent to any other address. */
export function leadsToGateway(baseUrl: string, link: unknown): link is string {
  const base = baseUrl.replace(/\/+$/, "");
  if (typeof link !== "string" || !URL.canParse(base + link)) return false;
  // Parsed before it is compared: that resolves "..", "@" and backslashes the way `fetch` will.
  const { href } = new URL(base + link);
  return href.startsWith(`${new URL(base).href.replace(/\/$/, "")}/v`) && /^\/v\d+\//.test(link);
}

const formPart = (text: string): string => new URLSearchParams([["", text]]).toString().slice(1);
