import { instanceOfOAuthError, OAuthErrorFromJSON } from "./models/OAuthError.js";
import { instanceOfProblem, ProblemFromJSON } from "./models/Problem.js";
/** An answer other than success. That includes `status` 304, which has no body. */
export class GatehouseFailure extends Error {
    name = "GatehouseFailure";
    status;
    /** Identifies the request in Gatehouse's logs. */
    requestId;
    /** Its body can still be read. */
    response;
    constructor(response, message) {
        super(message);
        this.status = response.status;
        this.requestId = response.headers.get("x-request-id") ?? undefined;
        this.response = response;
    }
}
/** A problem from the gateway (RFC 9457). */
export class GatewayProblem extends GatehouseFailure {
    name = "GatewayProblem";
    problem;
    constructor(response, problem) {
        super(response, `${problem.status} ${problem.title}: ${problem.detail}`);
        this.problem = problem;
    }
}
/** A refusal by an OAuth endpoint (RFC 6749 §5.2, RFC 6750 §3.1). */
export class SignOnRefusal extends GatehouseFailure {
    name = "SignOnRefusal";
    refusal;
    constructor(response, refusal) {
        super(response, `${response.status} ${refusal.error}: ${refusal.errorDescription}`);
        this.refusal = refusal;
    }
}
/** The error for an answer other than success; generic if the answer does not match the contract. */
export async function failureOf(response) {
    const said = await bodyOf(response);
    if (typeof said === "object" && said !== null) {
        const problem = ProblemFromJSON(said);
        if (isJson(response, "application/problem+json") && instanceOfProblem(problem))
            return new GatewayProblem(response, problem);
        const refusal = OAuthErrorFromJSON(said);
        if (isJson(response, "application/json") && instanceOfOAuthError(refusal))
            return new SignOnRefusal(response, refusal);
    }
    return new GatehouseFailure(response, `${response.status} ${response.statusText}`.trim());
}
const isJson = (response, type) => response.headers.get("content-type")?.split(";")[0]?.trim() === type;
async function bodyOf(response) {
    try {
        return await response.clone().json();
    }
    catch {
        return undefined;
    }
}
