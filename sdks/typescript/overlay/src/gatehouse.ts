import { GatewayApi } from "./apis/GatewayApi.js";
import { SignOnApi } from "./apis/SignOnApi.js";
import { failureOf, GatehouseFailure } from "./failure.js";
import { LinkApi } from "./links.js";
import { Configuration, type FetchAPI } from "./runtime.js";

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
  readonly application?: { readonly id: string; readonly secret: string };
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
export function gatehouse({ url, apiKey, accessToken, application, fetch }: GatehouseOptions): Gatehouse {
  const configuration = new Configuration({
    basePath: url,
    ...(apiKey === undefined ? {} : { apiKey }),
    ...(accessToken === undefined
      ? {}
      : { accessToken: typeof accessToken === "function" ? async () => accessToken() : accessToken }),
    // Form-encoded before it is joined (RFC 6749 §2.3.1).
    ...(application === undefined
      ? {}
      : { username: formPart(application.id), password: formPart(application.secret) }),
    ...(fetch === undefined ? {} : { fetchApi: fetch }),
    middleware: [
      {
        async post({ response }) {
          if (response.status < 300) return;
          throw await failureOf(response);
        },
      },
    ],
  });
  return {
    gateway: new GatewayApi(configuration),
    signOn: new SignOnApi(configuration),
    links: new LinkApi(configuration),
  };
}

const formPart = (text: string): string => new URLSearchParams([["", text]]).toString().slice(1);

/** True when nothing has changed since the copy whose `ETag` was sent in `ifNoneMatch`. */
export const isUnchanged = (error: unknown): boolean => error instanceof GatehouseFailure && error.status === 304;
