import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PasswordLinkPurpose } from "../../generated/proto/gatehouse/sign_on/v1/people.ts";
import { SeatKind } from "../../generated/proto/gatehouse/workforce/v1/sign_in.ts";
import { gatehouse as commandLine } from "../cli/command-line.ts";
import { authorizePath, Browser, redeem, signIn } from "../support/browser.ts";
import { eventually } from "../support/eventually.ts";
import type { Gatehouse } from "../support/gatehouse.ts";
import type { Closer } from "../support/scope.ts";
import { subscribe } from "../support/subscription.ts";
import { startWebhookReceiver, type WebhookReceiver } from "../support/webhook-receiver.ts";
import { invitation, makeWorld, newTenant, onboarding, present, type World } from "../support/world.ts";

/** Data of one person, each value long and like nothing else. */
export interface Marks {
  readonly email: string;
  readonly oldEmail: string;
  readonly firstName: string;
  readonly lastName: string;
  readonly phone: string;
  readonly street: string;
  readonly jobTitle: string;
  readonly browser: string;
  readonly password: string;
}

export const marksOf = (name: string): Marks => ({
  email: `${name}.quillfeather@harbour.example`,
  oldEmail: `${name}.vandermarck@harbour.example`,
  firstName: `${name}Quillfeather`,
  lastName: `${name}Vandermarck`,
  phone: `+47 555 0177 ${name}`,
  street: `Merrowdown Lane 7 ${name}`,
  jobTitle: `Lanternwright ${name}`,
  browser: `Mozilla/5.0 ${name}Navigator/7.1`,
  password: `${name} keeps seven lanterns lit`,
});

export interface Scene {
  readonly product: Gatehouse;
  readonly world: World;
  /** Of the second tenant. */
  readonly otherTenantId: string;
  /** Answers with what it was sent. */
  readonly receiver: WebhookReceiver;
  /** Its deliveries wait for another attempt. */
  readonly failing: WebhookReceiver;
  readonly run: (...words: readonly string[]) => ReturnType<typeof commandLine>;
  /** Imports lines as a file. */
  readonly importLines: (...lines: readonly object[]) => ReturnType<typeof commandLine>;
}

/** Two tenants and two subscribers, one of which never acknowledges. */
export async function openScene(product: Gatehouse, closeLater: (closer: Closer) => void): Promise<Scene> {
  const world = await makeWorld(product, { email: "somebody.else@harbour.example" });
  const addedTenantId = await newTenant(product, world.instanceId, "Nordlicht Logistik");
  const receiver = await startWebhookReceiver({ answer: ({ body }) => ({ status: 200, body: body.toString() }) });
  closeLater(() => receiver.stop());
  const failing = await startWebhookReceiver({ answer: ({ body }) => ({ status: 500, body: body.toString() }) });
  closeLater(() => failing.stop());
  await subscribe(product, world, receiver);
  await subscribe(product, world, failing, { label: "failing" });
  const folder = await mkdtemp(join(tmpdir(), "gh-erasure-"));
  closeLater(() => rm(folder, { recursive: true, force: true }));
  const run = (...words: readonly string[]) => commandLine([...words, "--data-directory", product.dataDirectory]);
  let files = 0;
  return {
    product,
    world,
    otherTenantId: addedTenantId,
    receiver,
    failing,
    run,
    async importLines(...lines) {
      const file = join(folder, `lines-${files++}.jsonl`);
      await writeFile(file, lines.map((line) => `${JSON.stringify(line)}\n`).join(""));
      return run("import", file, "--emit-events");
    },
  };
}

export interface Somebody {
  readonly marks: Marks;
  readonly personId: string;
  /** In the world's tenant; the manager of another user there. */
  readonly userId: string;
  /** In the other tenant. */
  readonly otherUserId: string;
  readonly workerId: string;
}

/** Does with one person everything that stores something about them; `which` tells requests and ids apart. */
export async function useEverything(scene: Scene, marks: Marks, which = "first"): Promise<Somebody> {
  const { product, world, otherTenantId, importLines } = scene;
  const { platform, people } = product;
  const { firstName, lastName, email, oldEmail } = marks;
  const names = { firstName, lastName };
  const invited = await platform.inviteUser(
    invitation(world.tenantId, oldEmail, { ...names, requestId: `invite the ${which}` }),
  );
  const userId = present(invited.user).id;
  const personId = present(present(invited.user).person).id;
  const { worker } = await platform.onboardWorker(
    onboarding(world.tenantId, oldEmail, {
      ...names,
      requestId: `onboard the ${which}`,
      jobTitles: [marks.jobTitle],
      phone: marks.phone,
      address: { address1: marks.street, city: `City of ${firstName}` },
    }),
  );
  const otherUserId = `user_${which.padEnd(21, "0")}`;
  await importLines(
    { kind: "user", id: otherUserId, tenantId: otherTenantId, email: oldEmail, status: "INVITED" },
    // A bad line: the reason is kept.
    { kind: "user", id: otherUserId, tenantId: otherTenantId, email, firstName, status: "NOWHERE" },
  );
  const changed = { requestId: `move the ${which}`, personId, updateMask: ["email"], email, emailVerified: false };
  await platform.updatePerson({ ...changed, firstName: null, lastName: null });
  await platform.assignManager({ requestId: "", userId: world.userId, managerId: userId });

  await signInEverywhere(scene, personId, marks);
  await platform.setLastLoginContext({
    requestId: "",
    personId,
    kind: SeatKind.USER,
    tenantId: world.tenantId,
  });
  const key = { $case: "personId", value: personId } as const;
  await people.createPasswordLink({ key, purpose: PasswordLinkPurpose.RESET });
  return { marks, personId, userId, otherUserId, workerId: present(worker).id };
}

/** A password by a link, failures, sign-ins with consent and tokens, the account page, and a sign-in left open. */
async function signInEverywhere({ product, world }: Scene, personId: string, { email, password, browser }: Marks) {
  const key = { $case: "personId", value: personId } as const;
  const { link } = await product.people.createPasswordLink({ key, purpose: PasswordLinkPurpose.INVITATION });
  const { pathname, search } = new URL(link);
  const own = new Browser(product.url);
  const page = await own.follow(`${pathname}${search}`);
  await own.submit(page.answer, { password, password_again: password });

  const headers = { "user-agent": browser };
  const hinted = authorizePath(world, { login_hint: email, scope: "openid profile email offline_access" });
  const login = await own.follow(hinted, { headers });
  await own.submit(login.answer, { email, password: `${password} wrongly` }, { headers });
  const left = await signIn(own, hinted, { email, password });
  await redeem(product.url, world, left.searchParams.get("code") ?? "");
  const account = await own.follow("/auth/account", { headers });
  await new Browser(product.url).submit(account.answer, { email, password }, { headers });
  await new Browser(product.url).follow(hinted);
  const stranger = new Browser(product.url);
  await stranger.submit((await stranger.follow("/auth/account")).answer, { email, password: "none of theirs at all" });
}

/** Until every delivery was attempted. */
export const untilSent = ({ product: { webhooks } }: Scene) =>
  eventually(
    async () => {
      const { deliveries } = await webhooks.listDeliveries({ states: [], limit: 500 });
      return deliveries.filter(
        ({ attempts }) => attempts.length === 0 || attempts.some(({ finishedAt }) => !finishedAt),
      );
    },
    (waiting) => waiting.length === 0,
  );
