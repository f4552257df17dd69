import { sql } from "kysely";
import type { PersonId } from "../../../../src/runtime/basis/ids.ts";
import { signInRepository } from "../../../../src/sign-on/sign-ins/sign-in-repository.ts";
import { authorizePath, Browser } from "../../../support/browser.ts";
import { closingAfterAll } from "../../../support/scope.ts";
import { eachStore } from "../../../support/stores.ts";
import { makeWorld, PASSWORD, type World } from "../../../support/world.ts";
import { openSignOn, type SignOn, signOnSets, withPerson } from "../../sign-on-fixture.ts";

const WRONG = "incorrect horse battery staple";
const NOBODYS = "nobody-at-all@harbour.example";
const USER_AGENT = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0)";

eachStore((_, open) => {
  let signOn: SignOn;
  let world: World;
  let disabled: World;
  const closeLater = closingAfterAll();
  beforeAll(async () => {
    signOn = await openSignOn(await open(signOnSets), closeLater);
    world = await makeWorld(signOn);
    disabled = await withPerson(signOn, world, "disabled@harbour.example");
    await signOn.disablePerson(disabled.personId);
  });

  async function attempt(email: string, password: string) {
    const browser = new Browser(signOn.url);
    const { answer } = await browser.follow(authorizePath(world));
    return browser.submit(answer, { email, password }, { headers: { "user-agent": USER_AGENT } });
  }
  /** The audit entries about sign-ins that `work` leaves. */
  async function audited(work: () => Promise<unknown>) {
    await sql`delete from audit_entries`.execute(signOn.opened.store.view());
    await work();
    const { rows } = await sql<{ facts: string; actor: string; object: string; request_id: string }>`
      select action, actor, object, request_id, facts from audit_entries where action like 'signIn.%' order by sequence
    `.execute(signOn.opened.store.view());
    return rows.map(({ facts, ...row }) => ({ ...row, facts: JSON.parse(facts) as unknown }));
  }
  const where = () => ({ application: world.application.id, instance: world.instanceId });
  const recent = (personId: string) => signInRepository(signOn.db).listRecent(personId as PersonId, 10);

  it("each outcome leaves one audit entry with its reason, and nothing personal (S16, R-X86, R-X90)", async () => {
    const succeeded = await audited(() => attempt(world.email, PASSWORD));
    const refusals = [
      await audited(() => attempt(world.email, WRONG)),
      await audited(() => attempt(disabled.email, PASSWORD)),
      await audited(() => attempt(disabled.email, WRONG)),
      await audited(() => attempt(NOBODYS, PASSWORD)),
    ];
    const request_id = expect.stringMatching(/^req_/);
    const refused = (object: string, reason: string) => [
      { action: "signIn.refuse", actor: "edge", object, request_id, facts: { ...where(), reason } },
    ];
    expect(succeeded).toEqual([
      { action: "signIn.succeed", actor: world.personId, object: world.personId, request_id, facts: where() },
    ]);
    expect(refusals).toEqual([
      refused(world.personId, "wrong_password"),
      refused(disabled.personId, "person_disabled"),
      refused(disabled.personId, "person_disabled"),
      refused("nobody", "unknown_person"),
    ]);
    expect(JSON.stringify([succeeded, refusals])).not.toMatch(/harbour|horse|Mozilla|127\.0/);
  });

  it("of an unknown person, it is stored like a known one's, under a name that no person has (R-X90)", async () => {
    const kept = async () =>
      (await signOn.db.selectFrom("sign_on_sign_ins").selectAll().orderBy("id").execute()).map(
        ({ id, at, ...attempt }) => attempt,
      );
    await attempt(world.email, WRONG);
    await attempt(NOBODYS, WRONG);
    const [known, unknown] = (await kept()).slice(-2);
    expect(known?.person_id).toBe(world.personId);
    expect(unknown).toEqual({ ...known, person_id: "nobody" });
  });

  it("a person's own are listed with time, application, instance, browser and a part of the address (R-X86)", async () => {
    const person = await withPerson(signOn, world, "listed@harbour.example");
    await attempt(person.email, WRONG);
    signOn.clock.step(1_000);
    await attempt(person.email, PASSWORD);
    const common = {
      personId: person.personId,
      applicationId: world.application.id,
      instanceId: world.instanceId,
      userAgent: USER_AGENT,
      network: "127.0.0.0/24",
    };
    const now = signOn.clock.now();
    expect(await recent(person.personId)).toEqual([
      { ...common, at: now, outcome: "succeeded", reason: undefined },
      { ...common, at: new Date(now.getTime() - 1_000), outcome: "failed", reason: "wrong_password" },
    ]);
  });

  it("is written in the change that begins the session: one that cannot be recorded does not happen", async () => {
    const person = await withPerson(signOn, world, "unrecorded@harbour.example");
    const end = await signOn.withoutTable("sign_on_sign_ins", () => attempt(person.email, PASSWORD));
    const sessions = signOn.db.selectFrom("sign_on_sessions").selectAll().where("person_id", "=", person.personId);
    expect([end.left?.searchParams.get("error"), await sessions.execute()]).toEqual(["server_error", []]);
    expect((await attempt(person.email, PASSWORD)).path).toMatch(/^\/auth\/consent/);
  });
});
