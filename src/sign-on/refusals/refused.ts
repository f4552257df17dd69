import { Failure, type FailureCode } from "#runtime/basis/errors.ts";
import {
  CHECKS,
  type CheckName,
  type EdgePageCheckName,
  type ErrorCheckName,
  type ErrorOf,
  errorCheck,
  type PageCheckName,
  type ValuesOf,
} from "./catalogue.ts";
import { AUTHORIZATION_ERROR_CODES, type AuthorizationErrorCode, type ErrorCode } from "./check.ts";

/** A refusal as it is stored: the check, and the error code and sentence of the answer, both empty for a page. */
export interface RefusedBy {
  readonly check: CheckName;
  readonly error: string;
  readonly sentence: string;
}

/** The gRPC code of each error when it leaves services as a failure. */
const CODES: Readonly<Record<ErrorCode, FailureCode>> = {
  invalid_request: "INVALID_ARGUMENT",
  invalid_client: "UNAUTHENTICATED",
  invalid_grant: "FAILED_PRECONDITION",
  unauthorized_client: "PERMISSION_DENIED",
  unsupported_grant_type: "INVALID_ARGUMENT",
  invalid_scope: "INVALID_ARGUMENT",
  invalid_token: "UNAUTHENTICATED",
  insufficient_scope: "PERMISSION_DENIED",
  access_denied: "PERMISSION_DENIED",
  unsupported_response_type: "INVALID_ARGUMENT",
  server_error: "INTERNAL",
  temporarily_unavailable: "UNAVAILABLE",
  login_required: "UNAUTHENTICATED",
  consent_required: "PERMISSION_DENIED",
  interaction_required: "FAILED_PRECONDITION",
  request_not_supported: "INVALID_ARGUMENT",
  request_uri_not_supported: "INVALID_ARGUMENT",
  registration_not_supported: "INVALID_ARGUMENT",
};

/**
 * A refusal in the words of the specification, as a value: the check that refused, its error code and its public sentence. May be thrown. The
 * check is private and stays in the process that decides.
 */
export class Refused<E extends ErrorCode = ErrorCode> extends Failure implements RefusedBy {
  declare readonly check: CheckName;
  declare readonly reason: E;

  get error(): E {
    return this.reason;
  }

  get sentence(): string {
    return this.message;
  }
}

/** The refusal by a check; the second argument fills the placeholders of its sentence and detail. */
export function refuse<N extends ErrorCheckName>(check: N, ...[values]: ValuesOf<N>): Refused<ErrorOf<N>> {
  const { error, sentence, detail } = errorCheck(check);
  const options = { check, detail: detail && filled(detail, values) };
  return new Refused<ErrorOf<N>>(CODES[error], error, filled(sentence, values), options);
}

/** True for a refusal that an authorization response may contain. */
export const isAuthorizationRefusal = (error: unknown): error is Refused<AuthorizationErrorCode> =>
  error instanceof Refused && AUTHORIZATION_ERROR_CODES.some((code) => code === error.error);

/** A refusal that is an error page. */
export const pageRefusal = (check: PageCheckName | EdgePageCheckName): RefusedBy => ({
  check,
  error: "",
  sentence: "",
});

/** Why the page of such a refusal is shown. */
export const pageReason = (check: PageCheckName) => CHECKS[check].page;

const VALUE_LENGTH_MAX = 40;

/**
 * A value that was sent, as a sentence of a refusal may quote it: at most 40 characters, others than those that
 * `error_description` may contain become question marks (RFC 6749 §5.2).
 */
export const quoted = (value: string): string => {
  const printable = value.slice(0, VALUE_LENGTH_MAX).replaceAll(/[^\x20-\x21\x23-\x5b\x5d-\x5f\x61-\x7e]/g, "?");
  return value.length > VALUE_LENGTH_MAX ? `\`${printable}...\`` : `\`${printable}\``;
};

const filled = (template: string, values: Readonly<Record<string, string | number>> = {}): string =>
  template.replaceAll(/\{(\w+)\}/g, (_, name: string) => String(values[name]));
