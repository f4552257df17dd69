import { digestOf, sameDigest } from "../digest.ts";
import { invalidClient } from "../oauth-failure.ts";
import type { Application, AuthenticatedApplication } from "./application.ts";
import type { ApplicationRepository } from "./application-repository.ts";

/** How the application tried to prove itself (R-S2). */
export interface ApplicationProof {
  readonly authentication: "basic" | "post" | "none";
  readonly applicationId: string;
  /** Empty with `none`. */
  readonly secret: string;
}

/** Compared when the application is unknown, so that both refusals take the same time (S29). */
const NOBODY = digestOf("no application has this secret");

/**
 * Proves an application: confidential ones by their secret, public ones by having none (R-S2, S29).
 * @throws invalid_client, one answer for every kind of failure.
 */
export async function authenticateApplication(
  applications: ApplicationRepository,
  proof: ApplicationProof,
  now: Date,
): Promise<AuthenticatedApplication> {
  const application = await applications.find(proof.applicationId);
  const refusal = whyRefused(application, proof, now);
  if (application === undefined || refusal !== undefined) throw invalidClient(refusal ?? "unknown application");
  return application as AuthenticatedApplication;
}

function whyRefused(
  application: Application | undefined,
  { authentication, secret }: ApplicationProof,
  now: Date,
): string | undefined {
  const expected = application?.secretDigest;
  const given = digestOf(secret);
  const same = sameDigest(given, expected ?? NOBODY);
  const previous = application?.previousSecret;
  const samePrevious =
    sameDigest(given, previous?.digest ?? NOBODY) && previous !== undefined && now < previous.expiresAt;
  if (application === undefined) return "unknown application";
  if (expected === undefined) return authentication === "none" ? undefined : "a public application sent a secret";
  if (authentication === "none") return "a confidential application sent no secret";
  return same || samePrevious ? undefined : "wrong secret";
}
