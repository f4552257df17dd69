import { createHash } from "node:crypto";
import { auditEntries } from "../../support/audited.ts";
import { authorizePath, Browser, obtainCode, redeem, signIn } from "../../support/browser.ts";
import { call } from "../../support/http.ts";
import { closingAfterAll } from "../../support/scope.ts";
import { eachStore } from "../../support/stores.ts";
import { makeWorld, present, type World } from "../../support/world.ts";
import { openSignOn, type SignOn, signOnSets, withPerson } from "../sign-on-fixture.ts";

const MINUTE_MS = 60_000;

eachStore((_, open) => {
  let signOn: SignOn;
  let world: World;
  const closeLater = closingAfterAll();
  let people = 0;

  beforeAll(async () => {
    signOn = await openSignOn(await open(signOnSets), closeLater);
    world = await makeWorld(signOn);
  });

  const somebody = () => withPerson(signOn, world, `seen${++people}@harbour.example`);
  const keyOf = ({ personId }: World) => ({ $case: "personId", value: personId }) as const;
  const enter = async (person: World) => {
    const browser = new Browser(signOn.url);
    await signIn(browser, authorizePath(person), { email: person.email });
    return browser;
  };
  const silently = async (browser: Browser, person: World) =>
    (await browser.follow(authorizePath(person, { prompt: "none" }))).left?.searchParams.get("error") ?? null;

  it("lists only that person's live sessions, the latest sign-in first, with the end of each", async () => {
    const [person, other] = [await somebody(), await somebody()];
    await enter(other);
    const first = signOn.clock.now();
    const browser = await enter(person);
    signOn.clock.step(30 * MINUTE_MS);
    const second = signOn.clock.now();
    await enter(person);
    signOn.clock.step(MINUTE_MS);
    expect(await silently(browser, person)).toBeNull();
    const used = signOn.clock.now();
    const { personId, sessions } = await signOn.people.listSessions({ key: keyOf(person) });
    expect(personId).toBe(person.personId);
    expect(sessions).toEqual([
      {
        id: expect.stringMatching(/^[A-Za-z0-9_-]{22}$/),
        authenticatedAt: second,
        seenAt: second,
        expiresAt: new Date(second.getTime() + 480 * MINUTE_MS),
      },
      {
        id: expect.stringMatching(/^[A-Za-z0-9_-]{22}$/),
        authenticatedAt: first,
        seenAt: used,
        expiresAt: new Date(used.getTime() + 480 * MINUTE_MS),
      },
    ]);
    signOn.clock.step(480 * MINUTE_MS - MINUTE_MS);
    const rest = await signOn.people.listSessions({ key: { $case: "email", value: person.email } });
    expect(rest.sessions.map(({ seenAt }) => seenAt)).toEqual([used]);
  });

  it("lists five hundred at most of a program that signs in all day, and ends all of them", async () => {
    const person = await somebody();
    const browser = await enter(person);
    const [row] = await signOn.db
      .selectFrom("sign_on_sessions")
      .selectAll()
      .where("person_id", "=", person.personId)
      .execute();
    const later = (count: number) => ({
      ...present(row),
      digest: createHash("sha256").update(`${person.personId} ${count}`).digest(),
      authenticated_at: present(row).authenticated_at + count,
    });
    const rows = Array.from({ length: 600 }, (_, count) => later(count + 1));
    await signOn.db.insertInto("sign_on_sessions").values(rows).execute();
    const { sessions } = await signOn.people.listSessions({ key: keyOf(person) });
    expect(sessions).toHaveLength(500);
    expect(sessions[0]?.authenticatedAt?.getTime()).toBe(present(row).authenticated_at + 600);
    // The page begins with the browser that looks, however many signed in later.
    expect((await browser.open("/auth/account")).text).toContain("this browser");
    await signOn.people.endSessions({ key: keyOf(person) });
    expect((await signOn.people.listSessions({ key: keyOf(person) })).sessions).toEqual([]);
    expect(await silently(browser, person)).toBe("login_required");
  });

  it("ends them all, with codes and tokens, and audits it (R-S20)", async () => {
    const person = await somebody();
    const browser = await enter(person);
    const code = await obtainCode(signOn.url, person);
    const { access_token } = (await redeem(signOn.url, person, await obtainCode(signOn.url, person))).json<{
      access_token: string;
    }>();
    const ended = await signOn.people.endSessions({ key: keyOf(person) });
    expect(ended.sessions).toHaveLength(3);
    expect((await signOn.people.listSessions({ key: keyOf(person) })).sessions).toEqual([]);
    expect(await silently(browser, person)).toBe("login_required");
    expect((await redeem(signOn.url, person, code)).json()).toMatchObject({ error: "invalid_grant" });
    const headers = { authorization: `Bearer ${access_token}` };
    expect((await call(signOn.url, "/auth/userinfo", { headers })).status).toBe(401);
    const audited = { object: person.personId, action: "session.endAll" };
    expect(await auditEntries(signOn.opened.store, ["actor"], audited)).toEqual([{ actor: "operator" }]);
    expect(await silently(await enter(person), person)).toBeNull();
  });

  it("finds no person with another id", async () => {
    const key = { $case: "personId", value: "person_AAAAAAAAAAAAAAAAAAAAA" } as const;
    const refused = { code: "NOT_FOUND", reason: "person_not_found" };
    await expect(signOn.people.listSessions({ key })).rejects.toMatchObject(refused);
    await expect(signOn.people.endSessions({ key })).rejects.toMatchObject(refused);
  });

  it("names the field of what is no person's id or address (R-X207)", async () => {
    const refused = (field: string) => ({ code: "INVALID_ARGUMENT", violations: [expect.objectContaining({ field })] });
    const key = { $case: "email", value: `maren@${"a".repeat(70_000)}.example` } as const;
    await expect(signOn.people.listSessions({ key })).rejects.toMatchObject(refused("email"));
    await expect(signOn.people.endSessions({ key: null })).rejects.toMatchObject(refused("person_id"));
  });
});
