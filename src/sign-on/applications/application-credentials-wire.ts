import {
  ApplicationAuthentication,
  type ApplicationCredentials,
} from "#generated/proto/gatehouse/sign_on/v1/tokens.ts";
import { decodeFormPart } from "#runtime/basis/text.ts";
import { refuse } from "../refusals/refused.ts";
import type { ApplicationProof } from "./application.ts";

/** The application's own parameters, the same in every body that it sends (RFC 6749 §2.3.1). */
export interface CredentialParameters {
  readonly client_id?: string;
  readonly client_secret?: string;
}

/** A parameter sent without a value counts as absent (RFC 6749 §3.2). */
export const given = (value: string | undefined): string | undefined => value || undefined;

/** @throws invalid_request or invalid_client when the application's credentials do not have the form of R-S2. */
export function toCredentials(body: CredentialParameters, authorization: string | undefined): ApplicationCredentials {
  const applicationId = given(body.client_id);
  const secret = given(body.client_secret);
  if (authorization !== undefined) {
    const basic = parseBasic(authorization);
    if (secret !== undefined) throw refuse("application.authenticates_twice");
    if (applicationId !== undefined && applicationId !== basic.applicationId) throw refuse("client_id.differs");
    return { authentication: ApplicationAuthentication.BASIC, ...basic };
  }
  if (applicationId === undefined) throw refuse("parameter.missing", { name: "client_id" });
  return secret === undefined
    ? { authentication: ApplicationAuthentication.NONE, applicationId, secret: "" }
    : { authentication: ApplicationAuthentication.POST, applicationId, secret };
}

/**
 * The application that a request names, authenticated or not; `undefined` when it names none, or names one in two ways.
 */
export function namedApplication(body: unknown, authorization: string | undefined): string | undefined {
  const { client_id } = (typeof body === "object" && body !== null ? body : {}) as Readonly<Record<string, unknown>>;
  try {
    return toCredentials(typeof client_id === "string" ? { client_id } : {}, authorization).applicationId;
  } catch {
    return undefined;
  }
}

const BASIC = /^basic +([A-Za-z0-9+/]+={0,2})$/i;

/** RFC 7617 with the form-decoding of RFC 6749 §2.3.1. Strict: canonical encoding, valid UTF-8, at least one colon. */
function parseBasic(authorization: string): { applicationId: string; secret: string } {
  const malformed = () => refuse("application.header_malformed");
  const encoded = BASIC.exec(authorization)?.[1];
  if (encoded === undefined) throw malformed();
  const bytes = Buffer.from(encoded, "base64");
  if (bytes.toString("base64") !== encoded) throw malformed();
  try {
    const text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
    const colon = text.indexOf(":");
    if (colon < 0) throw malformed();
    const applicationId = decodeFormPart(text.slice(0, colon));
    const secret = decodeFormPart(text.slice(colon + 1));
    if (applicationId === undefined || secret === undefined) throw malformed();
    return { applicationId, secret };
  } catch {
    throw malformed();
  }
}

const AUTHENTICATIONS: Readonly<Record<string, ApplicationProof["authentication"]>> = {
  [ApplicationAuthentication.BASIC]: "basic",
  [ApplicationAuthentication.POST]: "post",
};

/** Parses the same on the services' side of the call. */
export const toProof = (credentials: ApplicationCredentials | null): ApplicationProof => ({
  authentication: AUTHENTICATIONS[credentials?.authentication ?? ""] ?? "none",
  applicationId: credentials?.applicationId ?? "",
  secret: credentials?.secret ?? "",
});
