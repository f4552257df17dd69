import { sql } from "kysely";
import { isSqlite } from "../../../../src/runtime/database/database.ts";
import { authorizePath, Browser, signIn } from "../../../support/browser.ts";
import { closingAfterAll } from "../../../support/scope.ts";
import { eachStore } from "../../../support/stores.ts";
import { workOf } from "../../../support/work.ts";
import { makeWorld, PASSWORD, type World } from "../../../support/world.ts";
import { openSignOn, type SignOn, signOnSets, withPerson } from "../../sign-on-fixture.ts";

const DEARER = { "password-memory-kib": 256, "password-passes": 2 };

eachStore((_, open) => {
  let cheap: SignOn;
  let dear: SignOn;
  let world: World;
  const closeLater = closingAfterAll();
  beforeAll(async () => {
    cheap = await openSignOn(await open(signOnSets), closeLater);
    dear = await openSignOn(cheap.opened, closeLater, { clock: cheap.clock, settings: DEARER });
    world = await makeWorld(cheap);
  });

  const stored = async ({ personId }: World) => {
    const row = dear.db.selectFrom("sign_on_credentials").selectAll().where("person_id", "=", personId);
    const { password_hash, updated_at } = await row.executeTakeFirstOrThrow();
    return { cost: /m=\d+,t=\d+/.exec(password_hash)?.[0], hash: password_hash, setAt: updated_at };
  };
  const signInAt = async (signOn: SignOn, { email }: World) =>
    (await signIn(new Browser(signOn.url), authorizePath(world), { email })).searchParams.has("code");
  const rehashes = async ({ personId }: World) => {
    const { rows } = await sql<{ actor: string; object: string; facts: string }>`
      select actor, object, facts from audit_entries where action = 'password.rehash' and object = ${personId}
    `.execute(dear.opened.store.view());
    return rows;
  };

  it("a right password is hashed again, once, when hashes cost more (R-S17, R-X89)", async () => {
    const person = await withPerson(cheap, world, "once@harbour.example");
    const before = await stored(person);
    dear.clock.step(1_000);
    const first = await signInAt(dear, person);
    const after = await stored(person);
    const second = await signInAt(dear, person);
    expect([first, second]).toEqual([true, true]);
    expect([before.cost, after.cost]).toEqual(["m=64,t=1", "m=256,t=2"]);
    expect(after.setAt).toBe(before.setAt);
    expect(await stored(person)).toEqual(after);
    expect(await rehashes(person)).toEqual([{ actor: person.personId, object: person.personId, facts: "{}" }]);
  });

  it("nothing else hashes again: a wrong password, cheaper settings", async () => {
    const person = await withPerson(dear, world, "kept@harbour.example");
    await dear.signOn.setPassword({ personId: person.personId, password: PASSWORD });
    const before = await stored(person);
    const browser = new Browser(dear.url);
    const page = await browser.follow(authorizePath(world));
    const wrong = await browser.submit(page.answer, {
      email: person.email,
      password: "incorrect horse battery staple",
    });
    expect([wrong.answer.status, await signInAt(cheap, person)]).toEqual([400, true]);
    expect(await stored(person)).toEqual(before);
    expect(await rehashes(person)).toEqual([]);
  });

  it("an unknown person is as much work as one whose hash cost more than the settings ask for now (R-S17, S16, R-X380)", async () => {
    const settings = { "password-memory-kib": 32_768, "password-passes": 4 };
    const costly = await openSignOn(cheap.opened, closeLater, { clock: cheap.clock, settings });
    const person = await withPerson(costly, world, "costly@harbour.example");
    await costly.signOn.setPassword({ personId: person.personId, password: PASSWORD });
    const later = await openSignOn(cheap.opened, closeLater, { clock: cheap.clock });
    const browser = new Browser(later.url);
    const page = await browser.follow(authorizePath(world));
    const password = "incorrect horse battery staple";
    /** The work of the cheapest of three wrong passwords. */
    const least = async (email: string) => {
      const work: number[] = [];
      for (let attempt = 0; attempt < 3; attempt++)
        work.push(await workOf(() => browser.submit(page.answer, { email, password })));
      return Math.min(...work);
    };
    // Before the other one, from which a process could learn it.
    const unknown = await least("nobody@harbour.example");
    const known = await least(person.email);
    const cheaper = await withPerson(later, world, "cheaper@harbour.example");
    const newer = await least(cheaper.email);
    // Without the work of the costliest hash it is a twentieth.
    expect(unknown / known).toBeGreaterThan(0.25);
    expect(newer / known).toBeGreaterThan(0.25);
  });

  it("sign-ins that are under way meanwhile succeed too, and one new hash is written (S19)", async () => {
    const person = await withPerson(cheap, world, "at-once@harbour.example");
    // The consent is remembered from here on, so that the others go straight on.
    await signInAt(cheap, person);
    const ends = await Promise.all(Array.from({ length: 12 }, () => signInAt(dear, person)));
    expect(ends).toEqual(Array(12).fill(true));
    expect((await stored(person)).cost).toBe("m=256,t=2");
    expect(await rehashes(person)).toHaveLength(1);
  });

  it("a new hash that cannot be stored fails no sign-in: the next one stores it, and the log says so", async () => {
    const person = await withPerson(cheap, world, "stuck@harbour.example");
    const store = dear.opened.store.view();
    const [refuse, allow] = isSqlite(dear.db)
      ? [
          sql`create trigger no_renewal before update of password_hash on sign_on_credentials
              when new.password_hash <> old.password_hash begin select raise(abort, 'no renewal'); end`,
          sql`drop trigger no_renewal`,
        ]
      : [
          sql`alter table sign_on_credentials add constraint no_renewal check (password_hash not like '%m=256%') not valid`,
          sql`alter table sign_on_credentials drop constraint no_renewal`,
        ];
    await refuse.execute(store);
    const first = await signInAt(dear, person).finally(() => allow.execute(store));
    const afterFirst = await stored(person);
    const second = await signInAt(dear, person);
    expect([first, second]).toEqual([true, true]);
    expect([afterFirst.cost, (await stored(person)).cost]).toEqual(["m=64,t=1", "m=256,t=2"]);
    expect(dear.log.lines.filter(({ level }) => level === "warn")).toEqual([
      expect.objectContaining({ sentence: "A password could not be hashed again; the next sign-in tries it again." }),
    ]);
  });

  it("says at the start what a hash costs", () => {
    const lines = dear.log.lines.filter((line) => JSON.stringify(line).includes("One password hash takes this long."));
    expect(lines).toEqual([expect.objectContaining({ level: "info" })]);
    expect(JSON.stringify(lines)).toMatch(/"milliseconds":\d+/);
    expect(JSON.stringify(lines)).toContain("argon2id, 256 KiB, passes: 2, at once: ");
  });
});
