import { authorizePath, Browser } from "../../../support/browser.ts";
import { closingAfterAll } from "../../../support/scope.ts";
import { eachStore } from "../../../support/stores.ts";
import { makeWorld, PASSWORD, present, type World } from "../../../support/world.ts";
import { openSignOn, type SignOn, signOnSets, withPerson } from "../../sign-on-fixture.ts";

eachStore((_, open) => {
  let processes: readonly [SignOn, SignOn];
  let world: World;
  const closeLater = closingAfterAll();
  beforeAll(async () => {
    const opened = await open(signOnSets);
    const first = await openSignOn(opened, closeLater);
    const { clock, issuer } = first;
    const other = await openSignOn(present((await opened.racers(1))[0]), closeLater, { clock, issuer });
    processes = [first, other];
    world = await makeWorld(first);
  });

  const atLogin = async ({ url }: SignOn, { email }: World) => {
    const browser = new Browser(url);
    const page = await browser.follow(authorizePath(world));
    return () => browser.submit(page.answer, { email, password: PASSWORD });
  };
  /** The user's status, and the number of events about it. */
  const stateOf = async ({ userId }: World) => {
    const [{ workforceDb, opened }] = processes;
    const users = workforceDb
      .selectFrom("workforce_users")
      .select("status")
      .where("id", "=", userId as never);
    const told = opened.store
      .view<{ outbox_entries: { event_type: string; entity_id: string } }>()
      .selectFrom("outbox_entries")
      .select("event_type")
      .where("entity_id", "=", userId)
      .where("event_type", "=", "user.updated");
    return [(await users.executeTakeFirst())?.status, (await told.execute()).length];
  };

  it("the first sign-in makes the user ACTIVE with its event, or neither (R-S19, S19, I9)", async () => {
    const person = await withPerson(processes[0], world, "first@harbour.example");
    const signsIn = await atLogin(processes[0], person);
    const failed = await processes[0].withoutTable("outbox_entries", signsIn);
    const between = await stateOf(person);
    const again = await (await atLogin(processes[0], person))();
    expect([failed.left?.searchParams.get("error"), between]).toEqual(["server_error", ["INVITED", 0]]);
    expect(again.path).toMatch(/^\/auth\/consent/);
    expect(await stateOf(person)).toEqual(["ACTIVE", 1]);
  });

  it("two first sign-ins at once, in two browsers at two processes, make the change and emit it once (I9)", async () => {
    const states: unknown[] = [];
    for (let round = 0; round < 10; round++) {
      const person = await withPerson(processes[0], world, `both${round}@harbour.example`);
      const signIns = await Promise.all(processes.map((process) => atLogin(process, person)));
      const ends = await Promise.all(signIns.map((signsIn) => signsIn()));
      states.push([ends.map(({ answer }) => answer.status), await stateOf(person)]);
    }
    expect(states).toEqual(
      Array(10).fill([
        [200, 200],
        ["ACTIVE", 1],
      ]),
    );
  });
});
