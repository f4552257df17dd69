import { instanceOfOAuthError, type OAuthError, OAuthErrorFromJSON } from "./models/OAuthError.js";
import { instanceOfProblem, type Problem, ProblemFromJSON } from "./models/Problem.js";

/** An answer other than success. That includes `status` 304, which has no body. */
export class GatehouseFailure extends Error {
  override readonly name: string = "GatehouseFailure";
  readonly status: number;
  /** Identifies the request in Gatehouse's logs. */
  readonly requestId: string | undefined;
  /** Its body can still be read. */
  readonly response: Response;

  constructor(response: Response, message: string) {
    super(message);
    this.status = response.status;
    this.requestId = response.headers.get("x-request-id") ?? undefined;
    this.response = response;
  }
}

/** A problem from the gateway (RFC 9457). */
export class GatewayProblem extends GatehouseFailure {
  override readonly name = "GatewayProblem";
  readonly problem: Problem;

  constructor(response: Response, problem: Problem) {
    super(response, `${problem.status} ${problem.title}: ${problem.detail}`);
    this.problem = problem;
  }
}

/** A refusal by an OAuth endpoint (RFC 6749 §5.2, RFC 6750 §3.1). */
export class SignOnRefusal extends GatehouseFailure {
  override readonly name = "SignOnRefusal";
  readonly refusal: OAuthError;

  constructor(response: Response, refusal: OAuthError) {
    super(response, `${response.status} ${refusal.error}: ${refusal.errorDescription}`);
    this.refusal = refusal;
  }
}

/** The error for an answer other than success; generic if the answer does not match the contract. */
export async function failureOf(response: Response): Promise<GatehouseFailure> {
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

const isJson = (response: Response, type: string): boolean =>
  response.headers.get("content-type")?.split(";")[0]?.trim() === type;

async function bodyOf(response: Response): Promise<unknown> {
  try {
    return await response.clone().json();
  } catch {
    return undefined;
  }
}
