import type { Failure } from "../../src/runtime/basis/errors.ts";
import { authorizePath, Browser, newPkce, obtainCode, signIn, tokenOf } from "../support/browser.ts";
import { call } from "../support/http.ts";
import { eachStore } from "../support/stores.ts";
import { makeWorld, PASSWORD, present, type World } from "../support/world.ts";
import { redeeming, refreshing } from "./families-kit.ts";
import { openSignOn, type SignOn, signOnSets, withApplication, withPerson } from "./sign-on-fixture.ts";

/** Processes that share one store. */
const INSTANCES = 5;
/** Callers that race, spread over the instances. */
const CALLERS = 50;

type Reason = string;
type Outcome<T> = { readonly won: T } | { readonly lost: Reason };

/** All at once; what each got. */
const race = <T>(signOns: readonly SignOn[], attempt: (signOn: SignOn) => Promise<T>): Promise<readonly Outcome<T>[]> =>
  Promise.all(
    Array.from({ length: CALLERS }, (_, index) =>
      attempt(signOns[index % signOns.length] as SignOn).then(
        (won) => ({ won }),
        (error: Failure) => ({ lost: `${error.code} ${error.reason}` }),
      ),
    ),
  );
const winners = <T>(outcomes: readonly Outcome<T>[]): readonly T[] =>
  outcomes.flatMap((outcome) => ("won" in outcome ? [outcome.won] : []));
const losses = (outcomes: readonly Outcome<unknown>[]): readonly Reason[] =>
  outcomes.flatMap((outcome) => ("lost" in outcome ? [outcome.lost] : []));

eachStore((name, open) => {
  let signOns: readonly SignOn[];
  let first: SignOn;
  let world: World;

  beforeAll(async () => {
    const closers: (() => Promise<void>)[] = [];
    const opened = await open(signOnSets);
    first = await openSignOn(opened, (closer) => void closers.push(closer));
    const { clock, issuer } = first;
    const others = await opened.racers(INSTANCES - 1);
    signOns = [
      first,
      ...(await Promise.all(
        others.map((other) => openSignOn(other, (closer) => void closers.push(closer), { clock, issuer })),
      )),
    ];
    world = await makeWorld(first);
    stop = () => Promise.all(closers.map((closer) => closer())).then(() => undefined);
  });
  let stop: () => Promise<void>;
  afterAll(() => stop());

  const userinfo = async (accessToken: string) =>
    (await call(first.url, "/auth/userinfo", { headers: { authorization: `Bearer ${accessToken}` } })).status;

  it(`lets one of ${CALLERS} redeem a code, and then ends what that one got (R-S11, S20, I6)`, async () => {
    const listFamilies = () => first.db.selectFrom("sign_on_families").selectAll().execute();
    const before = new Set((await listFamilies()).map(({ number }) => number));
    const code = await obtainCode(first.url, world);
    const outcomes = await race(signOns, ({ tokens }) => tokens.exchangeToken(redeeming(world, code)));
    const [tokens, ...more] = winners(outcomes);
    expect(more).toEqual([]);
    expect(losses(outcomes)).toEqual(Array(CALLERS - 1).fill("FAILED_PRECONDITION invalid_grant"));
    expect(await userinfo(tokens?.accessToken ?? "")).toBe(401);
    const refreshed = first.tokens.exchangeToken(refreshing(world, tokens?.refreshToken ?? ""));
    await expect(refreshed).rejects.toMatchObject({ reason: "invalid_grant" });
    const families = (await listFamilies()).filter(({ number }) => !before.has(number));
    expect(families.map(({ revoked_because }) => revoked_because)).toEqual(["authorization code replayed"]);
  });

  it("does so with PKCE, and whatever the losers got wrong (S20, S22)", async () => {
    const { verifier, challenge } = newPkce();
    const code = await obtainCode(first.url, world, { code_challenge: challenge, code_challenge_method: "S256" });
    let turn = 0;
    const outcomes = await race(signOns, ({ tokens }) =>
      tokens.exchangeToken(redeeming(world, code, turn++ % 2 === 0 ? verifier : newPkce().verifier)),
    );
    expect(winners(outcomes)).toHaveLength(1);
    expect(new Set(losses(outcomes))).toEqual(new Set(["FAILED_PRECONDITION invalid_grant"]));
  });

  it("does not end the code of whom the others only pretend to be", async () => {
    const code = await obtainCode(first.url, world);
    const impostor = { ...world, application: { ...world.application, secret: "wrong" } };
    let turn = 0;
    const outcomes = await race(signOns, ({ tokens }) =>
      tokens.exchangeToken(redeeming(turn++ === CALLERS / 2 ? world : impostor, code)),
    );
    const [tokens, ...more] = winners(outcomes);
    expect(more).toEqual([]);
    expect(losses(outcomes)).toEqual(Array(CALLERS - 1).fill("UNAUTHENTICATED invalid_client"));
    expect(await userinfo(tokens?.accessToken ?? "")).toBe(200);
  });

  it(`gives ${CALLERS} parallel uses of a refresh token one and the same successor (R-S10, S24, I7)`, async () => {
    const started = await first.tokens.exchangeToken(redeeming(world, await obtainCode(first.url, world)));
    const outcomes = await race(signOns, ({ tokens }) => tokens.exchangeToken(refreshing(world, started.refreshToken)));
    expect(losses(outcomes)).toEqual([]);
    const answers = winners(outcomes);
    expect(new Set(answers.map(({ refreshToken }) => refreshToken)).size).toBe(1);
    expect(new Set(answers.map(({ accessToken }) => accessToken)).size).toBe(CALLERS);
    expect(await userinfo(answers[0]?.accessToken ?? "")).toBe(200);
    const next = await first.tokens.exchangeToken(refreshing(world, answers[0]?.refreshToken ?? ""));
    expect(await userinfo(next.accessToken)).toBe(200);
  });

  it(`lets one of ${CALLERS} use a refresh token where there is no window, and then ends the family (S24, I7)`, async () => {
    const strict = await withApplication(first, world, { refreshRepeatSeconds: 0 });
    const started = await first.tokens.exchangeToken(redeeming(strict, await obtainCode(first.url, strict)));
    const other = await first.tokens.exchangeToken(redeeming(strict, await obtainCode(first.url, strict)));
    const outcomes = await race(signOns, ({ tokens }) =>
      tokens.exchangeToken(refreshing(strict, started.refreshToken)),
    );
    const [tokens, ...more] = winners(outcomes);
    expect(more).toEqual([]);
    expect(losses(outcomes)).toEqual(Array(CALLERS - 1).fill("FAILED_PRECONDITION invalid_grant"));
    expect(await userinfo(tokens?.accessToken ?? "")).toBe(401);
    expect(await userinfo(started.accessToken)).toBe(401);
    const successor = first.tokens.exchangeToken(refreshing(strict, tokens?.refreshToken ?? ""));
    await expect(successor).rejects.toMatchObject({ reason: "invalid_grant" });
    expect(await userinfo(other.accessToken)).toBe(200);
  });

  it("keeps one live leaf per family against every second write (I7)", async () => {
    const { tokens } = first;
    const issued = await tokens.exchangeToken(redeeming(world, await obtainCode(first.url, world)));
    await tokens.exchangeToken(refreshing(world, present(issued.refreshToken)));
    const [family] = await first.db.selectFrom("sign_on_families").selectAll().where("generation", ">", 1).execute();
    const second = { ...present(family), token_digest: Buffer.alloc(32, 1) };
    await expect(first.db.insertInto("sign_on_families").values(second).execute()).rejects.toThrow(/unique/i);
    const elsewhere = { ...second, number: 1 };
    await expect(first.db.insertInto("sign_on_families").values(elsewhere).execute()).resolves.toBeDefined();
  });

  it("gives one code for one consent, however often and wherever it is sent (S10)", async () => {
    const person = await withPerson(first, world, "racer@harbour.example");
    const browser = new Browser(first.url);
    const login = await browser.follow(authorizePath(person));
    const page = await browser.submit(login.answer, { email: person.email, password: PASSWORD });
    const form_token = tokenOf(page.answer);
    const { cookie } = browser;
    const form = { form_token, decision: "approve" };
    const outcomes = await race(signOns, ({ url }) => call(url, page.path, { form, headers: { cookie } }));
    const locations = winners(outcomes).map(({ headers }) => headers.get("location"));
    expect(locations.filter((location) => location?.includes("code="))).toHaveLength(1);
    expect(winners(outcomes).filter(({ status }) => status === 400)).toHaveLength(CALLERS - 1);
    const codes = await first.db
      .selectFrom("sign_on_families")
      .select("number")
      .where("person_id", "=", person.personId)
      .execute();
    expect(codes).toHaveLength(1);
  });

  it("makes an INVITED user ACTIVE once when two sign-ins race (I9)", async () => {
    const person = await withPerson(first, world, "twice@harbour.example");
    const browser = new Browser(first.url);
    const login = await browser.follow(authorizePath(person));
    const form_token = tokenOf(login.answer);
    const { cookie } = browser;
    const form = { form_token, email: person.email, password: PASSWORD };
    const answers = await Promise.all(signOns.map(({ url }) => call(url, login.path, { form, headers: { cookie } })));
    expect(answers.map(({ status }) => status)).toEqual(signOns.map(() => 303));
    const events = await first.opened.store
      .view<{ outbox_entries: { event_type: string; entity_id: string } }>()
      .selectFrom("outbox_entries")
      .selectAll()
      .where("entity_id", "=", person.userId)
      .where("event_type", "=", "user.updated")
      .execute();
    expect(events).toHaveLength(1);
  });

  it("ends a code that is being redeemed while the password is replaced: either never valid, or valid no more (R-S20)", async () => {
    const person = await withPerson(first, world, "changed@harbour.example");
    for (let round = 0; round < 5; round++) {
      const password = `another horse number ${round}`;
      await first.signOn.setPassword({ personId: person.personId, password: PASSWORD });
      const code = await obtainCode(first.url, person);
      const other = signOns[1] ?? first;
      const [outcome] = await Promise.all([
        other.tokens.exchangeToken(redeeming(world, code)).catch(() => undefined),
        first.signOn.setPassword({ personId: person.personId, password }),
      ]);
      expect(await userinfo(outcome?.accessToken ?? "none")).toBe(401);
      await expect(first.tokens.exchangeToken(redeeming(world, code))).rejects.toMatchObject({
        reason: "invalid_grant",
      });
    }
  });

  it("ends a sign-in that is under way while the password is replaced: no session remains (R-S20, R-X36)", async () => {
    const person = await withPerson(first, world, "renewed@harbour.example");
    const outcomes: (string | null)[] = [];
    for (let round = 0; round < 12; round++) {
      await first.signOn.setPassword({ personId: person.personId, password: PASSWORD });
      const browser = new Browser(first.url);
      const login = await browser.follow(authorizePath(person));
      await Promise.all([
        browser.submit(login.answer, { email: person.email, password: PASSWORD }),
        (signOns[1] ?? first).signOn.setPassword({
          personId: person.personId,
          password: `another horse ${round} of many`,
        }),
      ]);
      const silent = await browser.follow(authorizePath(person, { prompt: "none" }));
      outcomes.push(silent.left?.searchParams.get("error") ?? null);
    }
    expect(new Set(outcomes)).toEqual(new Set(["login_required"]));
  });

  it("ends a code that is being issued while the password is replaced: it redeems nothing (R-S20)", async () => {
    const person = await withPerson(first, world, "issued@harbour.example");
    const other = signOns[1] ?? first;
    const issued: string[] = [];
    const redeemed: string[] = [];
    for (let round = 0; round < 8; round++) {
      await first.signOn.setPassword({ personId: person.personId, password: PASSWORD });
      const browser = new Browser(first.url);
      await signIn(browser, authorizePath(person), { email: person.email });
      const { cookie } = browser;
      const ask = (signOn: SignOn) =>
        call(signOn.url, authorizePath(person, { prompt: "none" }), { headers: { cookie } });
      const before = await ask(first);
      const change = other.signOn.setPassword({
        personId: person.personId,
        password: `another horse ${round} of many`,
      });
      const answers = [before, ...(await Promise.all([...signOns.map(ask), ...signOns.map(ask)]))];
      await change;
      const codes = answers.flatMap(({ headers }) =>
        new URL(headers.get("location") ?? "").searchParams.getAll("code"),
      );
      const outcomes = codes.map((code) => first.tokens.exchangeToken(redeeming(world, code)).catch(() => undefined));
      issued.push(...codes);
      redeemed.push(...(await Promise.all(outcomes)).flatMap((tokens) => tokens?.accessToken ?? []));
    }
    expect(issued.length).toBeGreaterThanOrEqual(8);
    expect(redeemed).toEqual([]);
  });

  it("makes one set of signing keys when several processes start on an empty store", async () => {
    const empty = await open(signOnSets);
    const closers: (() => Promise<void>)[] = [];
    const started = await Promise.all(
      (await empty.racers(4)).map((store) => openSignOn(store, (closer) => void closers.push(closer))),
    );
    const keys = await started[0]?.db.selectFrom("sign_on_signing_keys").select(["algorithm", "state"]).execute();
    const sets = await Promise.all(started.map(async ({ url }) => (await call(url, "/.well-known/jwks.json")).text));
    await Promise.all(closers.map((closer) => closer()));
    expect(keys?.map(({ algorithm, state }) => `${algorithm} ${state}`).sort()).toEqual([
      "ES256 active",
      "RS256 active",
    ]);
    expect(new Set(sets).size).toBe(1);
    expect(name).toBe(empty.store.dialect);
  });
});
