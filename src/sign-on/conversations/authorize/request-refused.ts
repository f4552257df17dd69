import type { AuthorizationErrorCode } from "../../interactions/authorization-response.ts";

/** A proven application's request is refused, in the words of the authorization response; the description is public. */
export class RequestRefused extends Error {
  override readonly name = "RequestRefused";
  readonly error: AuthorizationErrorCode;
  readonly description: string;

  constructor(error: AuthorizationErrorCode, description: string) {
    super(`${error}: ${description}`);
    this.error = error;
    this.description = description;
  }
}
