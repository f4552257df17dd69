import { GatewayApi } from "./apis/GatewayApi.js";
import { SignOnApi } from "./apis/SignOnApi.js";
import { LinkApi } from "./links.js";
import { type FetchAPI } from "./runtime.js";
export * from "./apis/index.js";
export { GatehouseFailure, GatewayProblem, SignOnRefusal } from "./failure.js";
export { type LinkAnswer, LinkApi, leadsToGateway } from "./links.js";
export * from "./models/index.js";
export * from "./runtime.js";
export interface GatehouseOptions {
    /** Address of Gatehouse, without a slash at the end. */
    readonly url: string;
    /** For the gateway. */
    readonly apiKey?: string;
    /** For userinfo: an access token, or a function that returns the current one. */
    readonly accessToken?: string | (() => string | Promise<string>);
    /** For the token endpoint, in place of `clientId` and `clientSecret` in the request. */
    readonly application?: {
        readonly id: string;
        readonly secret: string;
    };
    /** In place of the built-in `fetch`: for deadlines, retries, tests. */
    readonly fetch?: FetchAPI;
}
export interface Gatehouse {
    readonly gateway: GatewayApi;
    readonly signOn: SignOnApi;
    /** Follows the links of events. */
    readonly links: LinkApi;
}
/**
 * The clients of Gatehouse. Each call throws a `GatewayProblem` or a `SignOnRefusal` with the content of an error; a
 * `GatehouseFailure` for an answer outside the contract; a `FetchError` when there is no answer.
 */
export declare function gatehouse({ url, apiKey, accessToken, application, fetch }: GatehouseOptions): Gatehouse;
/** True when nothing has changed since the copy whose `ETag` was sent in `ifNoneMatch`. */
export declare const isUnchanged: (error: unknown) => boolean;
