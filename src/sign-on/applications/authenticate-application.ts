import { digestOf, sameDigest } from "../digest.ts";
import { type Refused, refuse } from "../refusals/refused.ts";
import type { Application, ApplicationProof, AuthenticatedApplication } from "./application.ts";
import type { ApplicationRepository } from "./application-repository.ts";

/** Compared when the application is unknown, so that both refusals take the same time (S29). */
const NO_SECRET = digestOf("no application has this secret");

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
  const refused = whyRefused(application, proof, now);
  if (refused !== undefined) throw refused;
  return application as AuthenticatedApplication;
}

function whyRefused(
  application: Application | undefined,
  { authentication, secret }: ApplicationProof,
  now: Date,
): Refused | undefined {
  const expected = application?.secretDigest;
  const given = digestOf(secret);
  const same = sameDigest(given, expected ?? NO_SECRET);
  const previous = application?.previousSecret;
  const samePrevious =
    sameDigest(given, previous?.digest ?? NO_SECRET) && previous !== undefined && now < previous.expiresAt;
  if (application === undefined) return refuse("application.unknown");
  if (expected === undefined) return authentication === "none" ? undefined : refuse("application.secret_of_public");
  if (authentication === "none") return refuse("application.secret_missing");
  return same || samePrevious ? undefined : refuse("application.secret_wrong");
}
