import { sql } from "kysely";
import { signOnSweepLoop } from "../../../../src/sign-on/sweep-loop.ts";
import { authorizePath, Browser, signIn, tokenOf } from "../../../support/browser.ts";
import { eventually } from "../../../support/eventually.ts";
import type { Answer } from "../../../support/http.ts";
import { eachStore } from "../../../support/stores.ts";
import { makeWorld, PASSWORD, present, type World } from "../../../support/world.ts";
import { openSignOn, type SignOn, type SignOnOptions, signOnSets, withPerson } from "../../sign-on-fixture.ts";
import { atAccount } from "../account/account-kit.ts";
import { choose, linkFor, NEW_PASSWORD } from "../set-password/set-password-kit.ts";

const WRONG = "incorrect horse battery staple";
const PER_EMAIL = { "sign-in-failures-per-email": 3, "sign-in-failures-per-network": 0 };
const PER_NETWORK = { "sign-in-failures-per-email": 0, "sign-in-failures-per-network": 4 };

eachStore((_, open) => {
  /** So many processes over one store, on one clock; and one person. */
  async function opened(settings: SignOnOptions["settings"], processes = 1) {
    const first = await open(signOnSets);
    const closeLater = (closer: () => Promise<void>) => void closers.push(closer);
    const signOn = await openSignOn(first, closeLater, { ...(settings && { settings }) });
    const { clock, issuer } = signOn;
    const others: SignOn[] = [];
    for (const racer of await first.racers(processes - 1))
      others.push(await openSignOn(racer, closeLater, { clock, issuer, ...(settings && { settings }) }));
    return { signOn, world: await makeWorld(signOn), processes: [signOn, ...others] };
  }
  const closers: (() => Promise<void>)[] = [];
  afterEach(async () => {
    for (const closer of closers.splice(0)) await closer();
  });

  async function atLogin({ url }: SignOn, world: World) {
    const browser = new Browser(url);
    const { answer } = await browser.follow(authorizePath(world));
    return (email: string, password: string) => browser.submit(answer, { email, password });
  }
  async function attempt(signOn: SignOn, world: World, email: string, password = WRONG): Promise<Answer> {
    return (await (await atLogin(signOn, world))(email, password)).answer;
  }
  const waits = (answers: readonly Answer[]) =>
    answers.map(({ status, headers }) => [status, headers.get("retry-after")] as const);

  it("slows failures per address down, more and more, and never for good (R-S17, S17)", async () => {
    const { signOn, world } = await opened(PER_EMAIL);
    const fails = async () => waits([await attempt(signOn, world, world.email)])[0];
    const free = [await fails(), await fails(), await fails(), await fails()];
    expect(free).toEqual(Array(4).fill([400, null]));
    const rounds: unknown[] = [];
    for (const seconds of [10, 20, 40, 80, 160, 320, 640, 900, 900]) {
      rounds.push(await fails());
      signOn.clock.step(seconds * 1_000 - 1);
      rounds.push(await fails());
      signOn.clock.step(1);
      rounds.push(await fails());
    }
    const round = (seconds: string) => [
      [429, seconds],
      [429, "1"],
      [400, null],
    ];
    expect(rounds).toEqual(["10", "20", "40", "80", "160", "320", "640", "900", "900"].flatMap(round));
    signOn.clock.step(900_000);
    expect((await attempt(signOn, world, world.email, PASSWORD)).status).toBe(200);
  });

  it("does not look at a password while it waits, the right one included, and says nothing of it (S16)", async () => {
    const { signOn, world } = await opened(PER_EMAIL);
    for (let failures = 0; failures < 4; failures++) await attempt(signOn, world, world.email);
    const browser = new Browser(signOn.url);
    const page = await browser.follow(authorizePath(world));
    const right = { email: world.email, password: PASSWORD };
    const { answer } = await signOn.withoutTable("sign_on_credentials", () => browser.submit(page.answer, right));
    expect(waits([answer])).toEqual([[429, "10"]]);
    expect(answer.text).toContain("Too many failed sign-ins. Wait 10 seconds, then try again.");
    expect(answer.text).not.toContain("is wrong");
    expect([...browser.cookies.keys()]).toEqual([expect.stringContaining("interaction")]);
    signOn.clock.step(10_000);
    expect((await browser.submit(answer, right)).path).toMatch(/^\/auth\/consent/);
  });

  it("throttles unknown addresses, disabled people and all other people alike (R-S17)", async () => {
    const { signOn, world } = await opened(PER_EMAIL);
    const disabled = await withPerson(signOn, world, "disabled@harbour.example");
    await signOn.disablePerson(disabled.personId);
    const seen: unknown[] = [];
    for (const email of [world.email, "nobody@harbour.example", disabled.email, "no address", ""]) {
      const answers: Answer[] = [];
      for (let tries = 0; tries < 5; tries++) answers.push(await attempt(signOn, world, email));
      const words = answers.map(({ text }) => /role="alert">([^<]*)</.exec(text)?.[1]);
      seen.push([waits(answers), words]);
    }
    expect(seen[0]).toEqual([[...Array(4).fill([400, null]), [429, "10"]], expect.anything()]);
    expect(seen).toEqual(Array(5).fill(seen[0]));
  });

  it("counts each spelling of an address for it, and no other address (R-D2)", async () => {
    const { signOn, world } = await opened(PER_EMAIL);
    const spellings = [world.email, ` ${world.email}`, world.email.toUpperCase(), `${world.email} `];
    for (const spelling of spellings) await attempt(signOn, world, spelling);
    expect((await attempt(signOn, world, world.email)).status).toBe(429);
    expect((await attempt(signOn, world, `x${world.email}`)).status).toBe(400);
  });

  it("forgets the failures of an address when the right password comes", async () => {
    const { signOn, world } = await opened(PER_EMAIL);
    const statuses: number[] = [];
    for (const password of [WRONG, WRONG, WRONG, PASSWORD, WRONG, WRONG, WRONG, WRONG, WRONG])
      statuses.push((await attempt(signOn, world, world.email, password)).status);
    expect(statuses).toEqual([400, 400, 400, 200, 400, 400, 400, 400, 429]);
  });

  it("never counts what succeeds: thirty sign-ins a minute of one person from one address all pass", async () => {
    const { signOn, world } = await opened({ "sign-in-failures-per-email": 1, "sign-in-failures-per-network": 1 });
    const ends: unknown[] = [];
    for (let round = 0; round < 30; round++) {
      signOn.clock.step(2_000);
      const left = await signIn(new Browser(signOn.url), authorizePath(world), { email: world.email });
      ends.push(left.searchParams.has("code"));
    }
    expect(ends).toEqual(Array(30).fill(true));
    expect(await signOn.db.selectFrom("sign_on_throttles").selectAll().execute()).toEqual([]);
  });

  it("slows failures per network down, whatever the addresses; waits there are short (R-X87)", async () => {
    const { signOn, world } = await opened(PER_NETWORK);
    const seen: unknown[] = [];
    for (let person = 0; person < 6; person++) seen.push((await attempt(signOn, world, `p${person}@x.example`)).status);
    const right = await attempt(signOn, world, world.email, PASSWORD);
    expect([...seen, ...waits([right])]).toEqual([400, 400, 400, 400, 400, 429, [429, "10"]]);
    signOn.clock.step(10_000);
    expect((await attempt(signOn, world, world.email, PASSWORD)).status).toBe(200);
    // One failure was forgotten meanwhile; a success forgets none of the network's.
    expect((await attempt(signOn, world, world.email)).status).toBe(400);
    expect(waits([await attempt(signOn, world, world.email)])).toEqual([[429, "10"]]);
  });

  it("is shared by processes, and a restart forgets nothing (S17)", async () => {
    const { signOn, world, processes } = await opened(PER_EMAIL, 2);
    const [one, other] = processes as [SignOn, SignOn];
    for (const process of [one, other, one, other]) await attempt(process, world, world.email);
    const again = await openSignOn(signOn.opened, (closer) => void closers.push(closer), {
      clock: signOn.clock,
      settings: PER_EMAIL,
    });
    const answers = [
      await attempt(one, world, world.email),
      await attempt(other, world, world.email, PASSWORD),
      await attempt(again, world, world.email, PASSWORD),
    ];
    expect(waits(answers)).toEqual(Array(3).fill([429, "10"]));
  });

  it("answers no more guesses than are free and one, however many are made at once at several processes (S17)", async () => {
    const { world, processes } = await opened(PER_EMAIL, 3);
    const guesses = await Promise.all(
      Array.from({ length: 30 }, (_, index) => atLogin(present(processes[index % 3]), world)),
    );
    const ends = await Promise.all(guesses.map((guess, index) => guess(world.email, `${WRONG} ${index}`)));
    const statuses = ends.map(({ answer }) => answer.status).sort();
    expect(statuses).toEqual([...Array(4).fill(400), ...Array(26).fill(429)]);
  });

  it("answers a right password like a wrong one when other guesses began a wait while it was being checked (R-S17)", async () => {
    const { signOn, world } = await opened(PER_EMAIL);
    const browser = new Browser(signOn.url);
    const page = await browser.follow(authorizePath(world));
    const right = { email: world.email, password: PASSWORD };
    const meanwhile: Answer[] = [];
    // The right guess has passed its first look at the throttle by then.
    signOn.holdWorkforce("/FindPerson", async () => {
      for (let tries = 0; tries < 4; tries++) meanwhile.push(await attempt(signOn, world, world.email));
    });
    const { answer } = await browser.submit(page.answer, right);
    const wrong = await attempt(signOn, world, world.email);
    const alert = ({ text }: Answer) => /role="alert">([^<]*)</.exec(text)?.[1];
    expect(waits(meanwhile)).toEqual(Array(4).fill([400, null]));
    expect(waits([answer, wrong])).toEqual(Array(2).fill([429, "10"]));
    expect(alert(answer)).toBe(alert(wrong));
    expect([...browser.cookies.keys()]).toEqual([expect.stringContaining("interaction")]);
    signOn.clock.step(10_000);
    expect((await browser.submit(answer, right)).path).toMatch(/^\/auth\/consent/);
  });

  it("keeps others from locking a person out of a browser in which they signed in before (R-X91)", async () => {
    const { signOn, world } = await opened({ ...PER_EMAIL, "sign-in-failures-per-network": 3 });
    const known = new Browser(signOn.url);
    await signIn(known, authorizePath(world), { email: world.email });
    const proof = known.cookies.get("gatehouse_device") ?? "";
    for (let tries = 0; tries < 6; tries++) await attempt(signOn, world, world.email);
    const other = await withPerson(signOn, world, "other@harbour.example");
    const submitWith = async (cookie: string, email: string, password: string) => {
      const browser = new Browser(signOn.url);
      const page = await browser.follow(authorizePath(world));
      if (cookie !== "") browser.cookies.set("gatehouse_device", cookie);
      return (await browser.submit(page.answer, { email, password })).answer.status;
    };
    const changed = `${proof.startsWith("A") ? "B" : "A"}${proof.slice(1)}`;
    expect(await submitWith("", world.email, PASSWORD)).toBe(429);
    expect(await submitWith(changed, world.email, PASSWORD)).toBe(429);
    // It is good for the address that was signed in with, and its network counts for it no more.
    expect(await submitWith(proof, other.email, PASSWORD)).toBe(429);
    expect(await submitWith(proof, world.email.toUpperCase(), PASSWORD)).toBe(303);
    const own: number[] = [];
    for (let tries = 0; tries < 5; tries++) own.push(await submitWith(proof, world.email, WRONG));
    expect(own).toEqual([400, 400, 400, 400, 429]);
    signOn.clock.step(180 * 86_400_000);
    for (let tries = 0; tries < 4; tries++) await attempt(signOn, world, world.email);
    expect(await submitWith(proof, world.email, PASSWORD)).toBe(429);
  });

  it("lets a person in at once in the browser in which a link has set a new password, however many have failed (R-X382)", async () => {
    const { signOn, world } = await opened(PER_EMAIL);
    for (let tries = 0; tries < 4; tries++) await attempt(signOn, world, world.email);
    const { path } = await linkFor(signOn, world.personId);
    const { browser, answer } = await choose(signOn, path);
    expect([answer.status, [...browser.cookies.keys()]]).toEqual([200, ["gatehouse_device"]]);
    const { answer: login } = await browser.follow(authorizePath(world));
    const elsewhere = await attempt(signOn, world, world.email, NEW_PASSWORD);
    const here = await browser.submit(login, { email: world.email, password: NEW_PASSWORD });
    expect([elsewhere.status, here.path]).toEqual([429, expect.stringMatching(/^\/auth\/consent/)]);
  });

  it("makes worthless what was collected with an old password: guesses at the new one are throttled as anybody's (R-X91)", async () => {
    const { signOn, world } = await opened(PER_EMAIL);
    const proofs: string[] = [];
    for (let collected = 0; collected < 3; collected++) {
      const browser = new Browser(signOn.url);
      await signIn(browser, authorizePath(world), { email: world.email });
      proofs.push(browser.cookies.get("gatehouse_device") ?? "");
    }
    const guessWith = async (proof: string, password: string) => {
      const browser = new Browser(signOn.url);
      const page = await browser.follow(authorizePath(world));
      browser.cookies.set("gatehouse_device", proof);
      return (await browser.submit(page.answer, { email: world.email, password })).answer.status;
    };
    signOn.clock.step(1);
    const { path } = await linkFor(signOn, world.personId);
    const { browser } = await choose(signOn, path);
    for (let tries = 0; tries < 4; tries++) await attempt(signOn, world, world.email);
    const guesses = await Promise.all(proofs.map((proof) => guessWith(proof, NEW_PASSWORD)));
    expect(guesses).toEqual([429, 429, 429]);
    expect(await guessWith(browser.cookies.get("gatehouse_device") ?? "", NEW_PASSWORD)).toBe(303);
  });

  it("gives the browser in which a person changes their password a proof for the new one (R-X91)", async () => {
    const { signOn, world } = await opened(PER_EMAIL);
    const { browser } = await atAccount(signOn, world);
    const before = browser.cookies.get("gatehouse_device") ?? "";
    signOn.clock.step(1);
    const form = { old_password: PASSWORD, password: NEW_PASSWORD, password_again: NEW_PASSWORD };
    const changed = await browser.submit(await browser.open("/auth/account/password"), form);
    expect(changed.path).toBe("/auth/account?done=password");
    expect(browser.cookies.get("gatehouse_device")).not.toBe(before);
    for (let tries = 0; tries < 4; tries++) await attempt(signOn, world, world.email);
    const elsewhere = await attempt(signOn, world, world.email, NEW_PASSWORD);
    browser.cookies.delete("gatehouse_session");
    const page = await browser.follow("/auth/account");
    const here = await browser.submit(page.answer, { email: world.email, password: NEW_PASSWORD });
    expect([elsewhere.status, here.path]).toEqual([429, "/auth/account"]);
  });

  it("gives the proof as a cookie that scripts cannot read, another each time, and none while addresses are not throttled", async () => {
    const [on, off] = [await opened(PER_EMAIL), await opened(PER_NETWORK)];
    const set = async ({ signOn, world }: typeof on) => {
      const browser = new Browser(signOn.url);
      const { answer, path } = await browser.follow(authorizePath(world));
      const form_token = tokenOf(answer);
      const next = await browser.open(path, { form: { form_token, email: world.email, password: PASSWORD } });
      return next.headers.getSetCookie().filter((line) => line.startsWith("gatehouse_device"));
    };
    const [first, second, none] = [await set(on), await set(on), await set(off)];
    expect(first).toEqual([
      expect.stringMatching(/^gatehouse_device=[A-Za-z0-9_-]{114}; Path=\/; HttpOnly; SameSite=Lax; Max-Age=15552000$/),
    ]);
    expect([second.length, second[0] === first[0], none]).toEqual([1, false, []]);
  });

  it("leaves one audit entry for each wait, that of the failure which began it; none for what is not looked at", async () => {
    const { signOn, world } = await opened({ ...PER_EMAIL, "sign-in-failures-per-network": 3 });
    for (let tries = 0; tries < 8; tries++) await attempt(signOn, world, world.email);
    const { rows } = await sql<{ actor: string; object: string; facts: string }>`
      select actor, object, facts from audit_entries where action = 'signIn.throttle' order by sequence
    `.execute(signOn.opened.store.view());
    const common = { application: world.application.id, instance: world.instanceId, seconds: 10 };
    expect(rows.map(({ facts, ...row }) => ({ ...row, facts: JSON.parse(facts) as unknown }))).toEqual([
      { actor: "edge", object: world.personId, facts: { ...common, by: "email" } },
      { actor: "edge", object: world.personId, facts: { ...common, by: "network" } },
    ]);
  });

  it("stores no address, and sweeps what is long forgotten (S27)", async () => {
    const { signOn, world } = await opened({ ...PER_EMAIL, "sign-in-failures-per-network": 3 });
    await attempt(signOn, world, world.email);
    const stored = () => signOn.db.selectFrom("sign_on_throttles").selectAll().execute();
    expect((await stored()).map(({ subject }) => subject.length)).toEqual([32, 32]);
    signOn.clock.step(1_800_000 + 3_600_001);
    const stop = new AbortController();
    const run = signOnSweepLoop(signOn.db, signOn.clock).run(stop.signal);
    const left = await eventually(stored, (rows) => rows.length === 0);
    stop.abort();
    await run;
    expect(left).toEqual([]);
  });

  it("can be switched off", async () => {
    const { signOn, world } = await opened({ "sign-in-failures-per-email": 0, "sign-in-failures-per-network": 0 });
    const statuses: number[] = [];
    for (let tries = 0; tries < 12; tries++) statuses.push((await attempt(signOn, world, world.email)).status);
    expect(statuses).toEqual(Array(12).fill(400));
  });
});
