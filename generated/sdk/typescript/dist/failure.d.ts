import { type OAuthError } from "./models/OAuthError.js";
import { type Problem } from "./models/Problem.js";
/** An answer other than success. That includes `status` 304, which has no body. */
export declare class GatehouseFailure extends Error {
    readonly name: string;
    readonly status: number;
    /** Identifies the request in Gatehouse's logs. */
    readonly requestId: string | undefined;
    /** Its body can still be read. */
    readonly response: Response;
    constructor(response: Response, message: string);
}
/** A problem from the gateway (RFC 9457). */
export declare class GatewayProblem extends GatehouseFailure {
    readonly name = "GatewayProblem";
    readonly problem: Problem;
    constructor(response: Response, problem: Problem);
}
/** A refusal by an OAuth endpoint (RFC 6749 §5.2, RFC 6750 §3.1). */
export declare class SignOnRefusal extends GatehouseFailure {
    readonly name = "SignOnRefusal";
    readonly refusal: OAuthError;
    constructor(response: Response, refusal: OAuthError);
}
/** The error for an answer other than success; generic if the answer does not match the contract. */
export declare function failureOf(response: Response): Promise<GatehouseFailure>;
