import { ApplicationKind, ConsentPolicy } from "#generated/proto/gatehouse/sign_on/v1/operator.ts";
import { ApiKeyScope } from "#generated/proto/gatehouse/workforce/v1/operator.ts";
import { Failure } from "#runtime/basis/errors.ts";
import { randomCharacters } from "#runtime/basis/ids.ts";
import type { Random } from "#runtime/basis/random.ts";
import { present } from "../connection/answers.ts";
import type { Connection } from "../connection/connection.ts";
import type { DemoPerson, Registration, Seeded } from "./demo-file.ts";
import { newPassword } from "./password.ts";
import { INVITED, OWNER } from "./workforce.ts";

/** The people who can sign in, with new passwords that are not set yet. */
export function newPeople(random: Random): readonly DemoPerson[] {
  const person = ({ name, email }: typeof INVITED | typeof OWNER, note: string): DemoPerson => ({
    name,
    email,
    password: newPassword(random),
    note,
  });
  return [
    person(INVITED, "INVITED until her first sign-in, which sends user.updated."),
    person(OWNER, "ACTIVE: owner of two companies, and a baker in one of them."),
  ];
}

/** Gives the people their passwords; repeating it has no visible effect. */
export async function setPasswords(
  { signOn }: Connection,
  people: readonly DemoPerson[],
  { personIds }: Seeded,
): Promise<void> {
  const ids = [personIds.invited, personIds.owner];
  for (const [index, { password }] of people.entries())
    await signOn.setPassword({ personId: ids[index] ?? "", password });
}

export async function issueApiKey({ workforce }: Connection, integrationId: string): Promise<string> {
  return (
    await workforce.issueApiKey({
      integrationId,
      label: "Demonstration",
      expiresAt: null,
      rateLimit: null,
      scopes: [ApiKeyScope.READ, ApiKeyScope.WEBHOOKS],
    })
  ).secret;
}

const LABEL = "sample-integrator";

/** Registers the sample integrator for one address: an application that returns there, a subscription that posts there. */
export async function registerSample(
  { signOn, webhooks }: Connection,
  sampleUrl: string,
  { instanceIds, instanceIntegrationId }: Seeded,
  random: Random,
): Promise<Registration> {
  const redirectUri = `${sampleUrl}/callback`;
  const { application, secret } = await signOn.createApplication({
    name: "Marigold",
    kind: ApplicationKind.WEB,
    redirectUris: [{ uri: redirectUri, instanceId: instanceIds.europe }],
    scopes: ["openid", "profile", "email", "offline_access"],
    pkceRequired: true,
    consent: ConsentPolicy.ONCE,
    lifetimes: null,
    grantTypes: [],
    refreshRepeatSeconds: null,
    corsOrigins: [],
    postLogoutRedirectUris: [`${sampleUrl}/`],
  });
  const endpointUrl = `${sampleUrl}/webhooks`;
  const subscribe = (label: string) =>
    webhooks.createSubscription({ label, instanceIntegrationId, endpointUrl, eventTypes: ["*"], tenantIds: [] });
  const { subscription, signingSecret } = await subscribe(LABEL).catch((error: unknown) => {
    if (!(error instanceof Failure && error.code === "ALREADY_EXISTS")) throw error;
    // Another address has the label, or an earlier start was interrupted after taking it.
    return subscribe(`${LABEL}-${randomCharacters(random, 6).toLowerCase()}`);
  });
  return {
    sampleUrl,
    application: { clientId: present(application).id, clientSecret: present(secret), redirectUri },
    webhook: { subscriptionId: present(subscription).id, signingSecret, endpointUrl },
  };
}
