import { GatewayApi } from "./apis/GatewayApi.js";
import { SignOnApi } from "./apis/SignOnApi.js";
import type { InstanceIntegration } from "./models/InstanceIntegration.js";
import type { OrganizationStructure } from "./models/OrganizationStructure.js";
import type { PlatformClient } from "./models/PlatformClient.js";
import type { PlatformUser } from "./models/PlatformUser.js";
import type { WorkerV2 } from "./models/WorkerV2.js";
import { type RememberedLimits } from "./remembered-answers.js";
import { type FetchAPI } from "./runtime.js";
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
    readonly application?: {
        readonly id: string;
        readonly secret: string;
    };
    /** In place of the built-in `fetch`: for proxies and tests. */
    readonly fetch?: FetchAPI;
}
export interface CallOptions {
    /** Cancels the call. */
    readonly signal?: AbortSignal;
}
/**
 * Gatehouse as a program sees it. Every call throws a `GatehouseError`, and nothing else, when it does not succeed. One object serves
 * a whole program.
 */
export declare class Gatehouse {
    #private;
    /** The operations of the gateway, one by one: with pages, and with version 1 of workers. */
    readonly gateway: GatewayApi;
    /** The operations of sign-on for programs. To sign people in, use an OpenID Connect library instead. */
    readonly signOn: SignOnApi;
    constructor(options: GatehouseOptions);
    /** Every instance integration of the API key's integration, oldest first. */
    instanceIntegrations(call?: CallOptions): Promise<InstanceIntegration[]>;
    /** Every client (tenant) of an instance integration, oldest first. */
    clients(instanceIntegrationId: string, call?: CallOptions): Promise<PlatformClient[]>;
    client(instanceIntegrationId: string, clientId: string, call?: CallOptions): Promise<PlatformClient>;
    /** Every worker of a client with their units, oldest first; reads further pages as it is iterated. */
    workers(instanceIntegrationId: string, clientId: string, call?: CallOptions): AsyncGenerator<WorkerV2>;
    worker(instanceIntegrationId: string, clientId: string, workerId: string, call?: CallOptions): Promise<WorkerV2>;
    /** Every dashboard user of a client, oldest first; reads further pages as it is iterated. */
    users(instanceIntegrationId: string, clientId: string, call?: CallOptions): AsyncGenerator<PlatformUser>;
    user(instanceIntegrationId: string, clientId: string, userId: string, call?: CallOptions): Promise<PlatformUser>;
    /** The job titles of a client's workers, each once, sorted. */
    jobTitles(instanceIntegrationId: string, clientId: string, call?: CallOptions): Promise<string[]>;
    /** Unit types, units and locations of a client. */
    organizationStructure(instanceIntegrationId: string, clientId: string, call?: CallOptions): Promise<OrganizationStructure>;
    /** The current state of an event's entity: what is at its `data.links.self`, as parsed JSON. */
    follow(link: string, call?: CallOptions): Promise<unknown>;
}
/** True when the link is within the gateway's API at `baseUrl`: the API key must not be sent to any other address. */
export declare function leadsToGateway(baseUrl: string, link: unknown): link is string;
