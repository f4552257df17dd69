import { type OAuthError } from "./models/OAuthError.js";
import { type Problem } from "./models/Problem.js";
/** An answer that is no success. `status` 304 is one of them: it has nothing to read. */
export declare class GatehouseFailure extends Error {
    readonly name: string;
    readonly status: number;
    /** Names the request in Gatehouse's logs. */
    readonly requestId: string | undefined;
    /** Its body can still be read. */
    readonly response: Response;
    constructor(response: Response, message: string);
}
/** The gateway says what went wrong (RFC 9457). */
export declare class GatewayProblem extends GatehouseFailure {
    readonly name = "GatewayProblem";
    readonly problem: Problem;
    constructor(response: Response, problem: Problem);
}
/** An OAuth endpoint refuses (RFC 6749 §5.2, RFC 6750 §3.1). */
export declare class SignOnRefusal extends GatehouseFailure {
    readonly name = "SignOnRefusal";
    readonly refusal: OAuthError;
    constructor(response: Response, refusal: OAuthError);
}
/** What an answer that is no success says, as far as it keeps the contract. */
export declare function failureOf(response: Response): Promise<GatehouseFailure>;
