import { GatewayApi } from "./apis/GatewayApi.js";
import { SignOnApi } from "./apis/SignOnApi.js";
import { exchange } from "./exchange.js";
import { asGatehouseError, errorOf, localError, withOneError } from "./gatehouse-error.js";
import { itemsOf } from "./pages.js";
import { RememberedAnswers } from "./remembered-answers.js";
import { Configuration, FetchError } from "./runtime.js";
export * from "./apis/index.js";
export { GatehouseError } from "./gatehouse-error.js";
export * from "./models/index.js";
export * from "./verify-event.js";
const PAGE_SIZE = 200;
/** Far above a page of a list or what it may become; no more than a program has. */
const ANSWER_BYTES_MAX = 64 * 1024 * 1024;
/**
 * Gatehouse as a program sees it. Every call throws a `GatehouseError`, and nothing else, when it does not succeed. One object serves
 * a whole program.
 */
export class Gatehouse {
    /** The operations of the gateway, one by one: with pages, and with version 1 of workers. */
    gateway;
    /** The operations of sign-on for programs. To sign people in, use an OpenID Connect library instead. */
    signOn;
    #baseUrl;
    #apiKey;
    #fetch;
    constructor(options) {
        const { baseUrl, apiKey, accessToken, application, entityTags } = options;
        if (!isAddress(baseUrl))
            throw localError("invalid_argument", `baseUrl is not an address: ${baseUrl}`);
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
                        if (response.status >= 300)
                            throw await errorOf(response);
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
    async instanceIntegrations(call) {
        return await this.gateway.listInstanceIntegrations({}, call);
    }
    /** Every client (tenant) of an instance integration, oldest first. */
    async clients(instanceIntegrationId, call) {
        return await this.gateway.listClients(checked({ instanceIntegrationId }), call);
    }
    async client(instanceIntegrationId, clientId, call) {
        return await this.gateway.getClient(checked({ instanceIntegrationId, clientId }), call);
    }
    /** Every worker of a client with their units, oldest first; reads further pages as it is iterated. */
    workers(instanceIntegrationId, clientId, call) {
        const place = checked({ instanceIntegrationId, clientId });
        return itemsOf((cursor) => this.gateway.listWorkersV2Raw({ ...place, limit: PAGE_SIZE, ...from(cursor) }, call));
    }
    async worker(instanceIntegrationId, clientId, workerId, call) {
        return await this.gateway.getWorkerV2(checked({ instanceIntegrationId, clientId, workerId }), call);
    }
    /** Every dashboard user of a client, oldest first; reads further pages as it is iterated. */
    users(instanceIntegrationId, clientId, call) {
        const place = checked({ instanceIntegrationId, clientId });
        return itemsOf((cursor) => this.gateway.listUsersRaw({ ...place, limit: PAGE_SIZE, ...from(cursor) }, call));
    }
    async user(instanceIntegrationId, clientId, userId, call) {
        return await this.gateway.getUser(checked({ instanceIntegrationId, clientId, userId }), call);
    }
    /** The job titles of a client's workers, each once, sorted. */
    async jobTitles(instanceIntegrationId, clientId, call) {
        return await this.gateway.listJobTitles(checked({ instanceIntegrationId, clientId }), call);
    }
    /** Unit types, units and locations of a client. */
    async organizationStructure(instanceIntegrationId, clientId, call) {
        return await this.gateway.getOrganizationStructure(checked({ instanceIntegrationId, clientId }), call);
    }
    /** The current state of an event's entity: what is at its `data.links.self`, as parsed JSON. */
    async follow(link, call) {
        if (!leadsToGateway(this.#baseUrl, link))
            throw localError("invalid_argument", `Not a path of the gateway: ${link}`);
        const headers = this.#apiKey === undefined ? {} : { "x-api-key": this.#apiKey };
        const response = await this.#fetch(`${this.#baseUrl}${link}`, { method: "GET", headers, ...call });
        if (response.status >= 300)
            throw await errorOf(response);
        return await response.json().catch((cause) => {
            throw asGatehouseError(cause, response);
        });
    }
}
/** What timers take: with more they end at once. */
const TIMER_MS_MAX = 2 ** 31 - 1;
function assertNumbers(options) {
    const { deadlineMs, retries, longestWaitMs, answerBytesMax, entityTags } = options;
    const { answers, bytes } = entityTags === false || entityTags === undefined ? {} : entityTags;
    const ranges = [
        ["deadlineMs", deadlineMs, 1, TIMER_MS_MAX],
        ["retries", retries, 0, Number.MAX_SAFE_INTEGER],
        ["longestWaitMs", longestWaitMs, 0, TIMER_MS_MAX],
        ["answerBytesMax", answerBytesMax, 1, Number.MAX_SAFE_INTEGER],
        ["entityTags.answers", answers, 0, Number.MAX_SAFE_INTEGER],
        ["entityTags.bytes", bytes, 0, Number.MAX_SAFE_INTEGER],
    ];
    for (const [name, value, least, most] of ranges)
        if (value !== undefined && !(Number.isSafeInteger(value) && value >= least && value <= most))
            throw localError("invalid_argument", `${name} is no whole number from ${least} to ${most}: ${value}`);
}
/** Paths are put behind it, so it can have no query and no fragment; and `fetch` takes no password in it. */
function isAddress(text) {
    if (!/^https?:/i.test(text) || /[?#]/.test(text) || !URL.canParse(text))
        return false;
    const { username, password } = new URL(text);
    return username === "" && password === "";
}
const from = (cursor) => (cursor === undefined ? {} : { cursor });
/** Ids as they were given: letters, digits, `_` and `-`. Anything else would become another path. */
function checked(ids) {
    for (const [name, id] of Object.entries(ids)) {
        if (typeof id !== "string" || id === "")
            throw localError("invalid_argument", `${name} is missing.`);
        if (!/^[\w-]+$/.test(id))
            throw localError("invalid_argument", `${name} cannot be an id: ${id}`);
    }
    return ids;
}
/** True when the link is within the gateway's API at `baseUrl`: the API key must not be sent to any other address. */
export function leadsToGateway(baseUrl, link) {
    const base = baseUrl.replace(/\/+$/, "");
    if (typeof link !== "string" || !URL.canParse(base + link))
        return false;
    // Parsed before it is compared: that resolves "..", "@" and backslashes the way `fetch` will.
    const { href } = new URL(base + link);
    return href.startsWith(`${new URL(base).href.replace(/\/$/, "")}/v`) && /^\/v\d+\//.test(link);
}
const formPart = (text) => new URLSearchParams([["", text]]).toString().slice(1);
