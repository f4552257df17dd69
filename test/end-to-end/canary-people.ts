import { PasswordLinkPurpose } from "../../generated/proto/gatehouse/sign_on/v1/people.ts";
import { SigningKeyState, type SigningKeysService } from "../../generated/proto/gatehouse/sign_on/v1/signing_keys.ts";
import type { PromiseClient } from "../../src/runtime/rpc/call.ts";
import { gatehouse as commandLine } from "../cli/command-line.ts";
import { present } from "../support/world.ts";
import { NotingBrowser } from "./canary-notes.ts";
import { AFTERWARDS, EMAIL, PASSWORDS, type Scene, STATE } from "./canary-scene.ts";
import type { Used } from "./canary-sign-on.ts";

/** The account page, a password link, signing out; each wrongly first. */
export async function accountAndLinks({ gatehouse, notes, world }: Scene, used: Used) {
  const key = { $case: "personId", value: world.personId } as const;
  const purpose = PasswordLinkPurpose.RESET;
  const browser = new NotingBrowser(gatehouse.url, notes);
  const at = async (path: string) => (await browser.follow(path)).answer;
  await browser.submit(await at("/auth/account"), { email: EMAIL, password: PASSWORDS.wrong });
  await browser.submit(await at("/auth/account"), { email: EMAIL, password: PASSWORDS.first });
  const next = { password: PASSWORDS.second, password_again: PASSWORDS.second };
  for (const old_password of [PASSWORDS.wrong, PASSWORDS.first])
    await browser.submit(await at("/auth/account/password"), { old_password, ...next });

  const { link } = await gatehouse.people.createPasswordLink({ key, purpose });
  const { pathname, search, searchParams } = new URL(link);
  notes.secret("password link", searchParams.get("token"));
  for (const password of [PASSWORDS.personal, PASSWORDS.third])
    await browser.submit(await at(`${pathname}${search}`), { password, password_again: password });
  await browser.follow(`${pathname}${search}`);

  await browser.submit(await at("/auth/account"), { email: EMAIL, password: PASSWORDS.third });
  const hint = { id_token_hint: used.id_token, post_logout_redirect_uri: AFTERWARDS, state: STATE };
  const question = await browser.follow(`/auth/logout?${new URLSearchParams(hint)}`);
  return (await browser.submit(question.answer, {})).left?.href;
}

/** What the command line prints about the day; the tokens it is asked about come in by its standard input. */
export async function commandsShow({ gatehouse, notes, world }: Scene, tokens: readonly string[]) {
  const here = `--data-directory=${gatehouse.dataDirectory}`;
  const commands: readonly (readonly string[])[] = [
    ["applications", "list"],
    ["applications", "show", world.application.id],
    ["people", "sessions", world.personId],
    ["audit", "list"],
    ["signing-keys", "list"],
    ["subscriptions", "list"],
    ["deliveries", "list"],
    ["api-keys", "list", "--integration", world.integrationId],
  ];
  const words = commands.flatMap((command) => [
    [...command, here],
    [...command, here, "--json"],
  ]);
  const ran = [];
  for (const command of words) ran.push(await commandLine(command));
  for (const stdin of tokens) ran.push(await commandLine(["tokens", "explain", here], { stdin }));
  const explained = [];
  for (const requestId of notes.requestIds) explained.push(await commandLine(["explain", requestId, here]));
  return { ran, explained };
}

/** What operators do about secrets and keys, and ask about what happened. */
export async function operatorsDay(
  { gatehouse, notes, world }: Scene,
  signingKeys: PromiseClient<typeof SigningKeysService>,
) {
  const { signOn, workforce, people } = gatehouse;
  const applicationId = world.application.id;
  const { secret } = await signOn.rotateApplicationSecret({ applicationId, keepPreviousSeconds: 60 });
  notes.secret("application secret", secret);
  const issued = await workforce.issueApiKey({
    integrationId: world.integrationId,
    label: "second",
    expiresAt: null,
    rateLimit: null,
    scopes: [],
  });
  notes.secret("API key", issued.secret);
  await signingKeys.rotateSigningKeys({ requestId: "" });
  const { keys } = await signingKeys.listSigningKeys({ retired: false });
  const active = keys.find(({ state }) => state === SigningKeyState.ACTIVE);
  await signingKeys.revokeSigningKey({ keyId: present(active).keyId, emergency: "a canary stopped singing" });
  await people.endSessions({ key: { $case: "personId", value: world.personId } });
}
