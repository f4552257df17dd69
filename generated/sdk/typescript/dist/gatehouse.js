import { GatewayApi } from "./apis/GatewayApi.js";
import { SignOnApi } from "./apis/SignOnApi.js";
import { failureOf, GatehouseFailure } from "./failure.js";
import { LinkApi } from "./links.js";
import { Configuration } from "./runtime.js";
export * from "./apis/index.js";
export { GatehouseFailure, GatewayProblem, SignOnRefusal } from "./failure.js";
export { LinkApi, leadsToGateway } from "./links.js";
export * from "./models/index.js";
export * from "./runtime.js";
/**
 * The clients of Gatehouse. Each call throws a `GatewayProblem` or a `SignOnRefusal` with the content of an error; a
 * `GatehouseFailure` for an answer outside the contract; a `FetchError` when there is no answer.
 */
export function gatehouse({ url, apiKey, accessToken, application, fetch }) {
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
                    if (response.status < 300)
                        return;
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
const formPart = (text) => new URLSearchParams([["", text]]).toString().slice(1);
/** True when nothing has changed since the copy whose `ETag` was sent in `ifNoneMatch`. */
export const isUnchanged = (error) => error instanceof GatehouseFailure && error.status === 304;
