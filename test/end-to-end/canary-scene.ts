import type { ProcessGatehouse } from "../support/processes.ts";
import { subscribe } from "../support/subscription.ts";
import type { WebhookReceiver } from "../support/webhook-receiver.ts";
import { invitation, makeWorld, type World } from "../support/world.ts";
import type { CanaryNotes } from "./canary-notes.ts";

export const AFTERWARDS = "http://localhost:9/signed-out";
export const EMAIL = "canary.maren@harbour.example";
export const STATE = "canary-state-7bYw2kQ";
export const NONCE = "canary-nonce-3hGt9xR";
export const PASSWORDS = {
  first: "canary sings at a quarter past four",
  second: "canary sleeps over the engine room",
  third: "canary left the mine before the others",
  wrong: "canary forgot which song was asked for",
  personal: "gatehouse1",
};

export interface Scene {
  readonly gatehouse: ProcessGatehouse;
  readonly notes: CanaryNotes;
  readonly world: World;
  readonly receiver: WebhookReceiver;
}

/** A world whose secrets are noted, with a subscriber whose endpoint fails at first. */
export async function openDay(
  gatehouse: ProcessGatehouse,
  receiver: WebhookReceiver,
  notes: CanaryNotes,
): Promise<Scene> {
  const world = await makeWorld(gatehouse, { email: EMAIL, application: { postLogoutRedirectUris: [AFTERWARDS] } });
  await gatehouse.signOn.setPassword({ personId: world.personId, password: PASSWORDS.first });
  notes.secret("password", ...Object.values(PASSWORDS));
  notes.secret("application secret", world.application.secret);
  notes.secret("API key", world.apiKey);
  notes.private("e-mail address", EMAIL, "canary.second@harbour.example");
  notes.private("state", STATE);
  notes.private("nonce", NONCE);
  receiver.answerNext({ status: 500, body: "no" }, "reset");
  await subscribe(gatehouse, world, receiver);
  notes.secret("webhook secret", receiver.secret, receiver.secret?.slice("whsec_".length));
  await gatehouse.platform.inviteUser(invitation(world.tenantId, "canary.second@harbour.example"));
  for (let arrived = 0; arrived < 3; arrived++) notes.private("webhook signature", signatureOf(await receiver.next()));
  return { gatehouse, notes, world, receiver };
}

const signatureOf = ({ headers }: { readonly headers: Readonly<Record<string, unknown>> }) =>
  String(headers["webhook-signature"]).split(",")[1];
