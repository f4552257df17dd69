import type { PasswordLinkPurpose } from "../../../generated/proto/gatehouse/sign_on/v1/people.ts";
import { signOnSweepLoop } from "../../../src/sign-on/sweep-loop.ts";
import { auditEntries } from "../../support/audited.ts";
import { standingClock } from "../../support/clock.ts";
import { closingAfterAll } from "../../support/scope.ts";
import { eachStore } from "../../support/stores.ts";
import { makeWorld, PASSWORD, type World } from "../../support/world.ts";
import { invited, linkFor, NEW_PASSWORD } from "../conversations/set-password/set-password-kit.ts";
import { openSignOn, type SignOn, signOnSets, withPerson } from "../sign-on-fixture.ts";

const NOBODY = { $case: "personId", value: "person_AAAAAAAAAAAAAAAAAAAAA" } as const;
const INVITATION: PasswordLinkPurpose = "PASSWORD_LINK_PURPOSE_INVITATION";
const RESET: PasswordLinkPurpose = "PASSWORD_LINK_PURPOSE_RESET";

eachStore((_, open) => {
  let signOns: readonly SignOn[];
  let signOn: SignOn;
  let world: World;
  const closeLater = closingAfterAll();
  let people = 0;

  beforeAll(async () => {
    const opened = await open(signOnSets);
    signOn = await openSignOn(opened, closeLater);
    const others = await opened.racers(2);
    const options = { clock: signOn.clock, issuer: signOn.issuer };
    const more = others.map((store) => openSignOn(store, closeLater, options));
    signOns = [signOn, ...(await Promise.all(more))];
    world = await makeWorld(signOn);
  });

  const somebody = () => withPerson(signOn, world, `linked${++people}@harbour.example`);
  const linksOf = (personId: string) =>
    signOn.db
      .selectFrom("sign_on_password_links")
      .select(["purpose", "ended_because"])
      .where("person_id", "=", personId)
      .orderBy("created_at")
      .orderBy("ended_because", "desc")
      .execute();
  const audited = async (personId: string) => {
    const entries = await auditEntries(signOn.opened.store, ["actor", "action", "facts"], { object: personId });
    return entries
      .filter(({ action }) =>
        ["passwordLink.create", "password.set", "person.confirmEmail", "session.endAll"].includes(action),
      )
      .map(({ actor, action, facts }) => [actor, action, JSON.parse(facts)]);
  };
  const submit = async (at: SignOn, token: string, password: string) => {
    const shown = await at.passwords.showSetPassword({ token });
    const formToken = shown.answer?.$case === "page" ? shown.answer.value.formToken : "";
    return () => at.passwords.submitSetPassword({ token, formToken, password, passwordAgain: password });
  };

  it("of many who send one link's form at once, one sets the password; the others learn that it was used (S18)", async () => {
    const person = await somebody();
    const { token } = await linkFor(signOn, person.personId);
    const forms = await Promise.all(
      Array.from({ length: 12 }, (__, index) =>
        submit(signOns[index % signOns.length] ?? signOn, token, `quiet heron number ${index}`),
      ),
    );
    const answers = await Promise.all(forms.map((send) => send()));
    const cases = answers.map(({ answer }) => (answer?.$case === "end" ? answer.value : answer?.$case));
    expect(cases.toSorted()).toEqual([...Array(11).fill("PASSWORD_LINK_END_USED"), "passwordSet"]);
    expect(await linksOf(person.personId)).toEqual([{ purpose: "reset", ended_because: "used" }]);
    const set = (await audited(person.personId)).filter(([, action]) => action === "password.set");
    expect(set).toEqual([
      ["operator", "password.set", { by: "operator" }],
      [person.personId, "password.set", { by: "reset" }],
    ]);
  });

  it("of many links made at once for one person, one is good, also when made by several processes", async () => {
    const person = await somebody();
    const made = await Promise.all(
      Array.from({ length: 9 }, (__, index) => linkFor(signOns[index % signOns.length] ?? signOn, person.personId)),
    );
    const shown = await Promise.all(made.map(({ token }) => signOn.passwords.showSetPassword({ token })));
    const cases = shown.map(({ answer }) => (answer?.$case === "end" ? answer.value : answer?.$case));
    expect(cases.toSorted()).toEqual([...Array(8).fill("PASSWORD_LINK_END_WITHDRAWN"), "page"]);
    const open = (await linksOf(person.personId)).filter(({ ended_because }) => ended_because === null);
    expect(open).toHaveLength(1);
  });

  it("a link that is spent while an operator sets a password: one of the two holds, and the link is over either way", async () => {
    for (let round = 0; round < 6; round++) {
      const person = await somebody();
      const { token } = await linkFor(signOn, person.personId);
      const send = await submit(signOns[1] ?? signOn, token, NEW_PASSWORD);
      await Promise.all([send(), signOn.signOn.setPassword({ personId: person.personId, password: PASSWORD })]);
      const { answer } = await signOn.passwords.showSetPassword({ token });
      expect(answer?.$case).toBe("end");
    }
  });

  it("keeps the digest of a token, and nothing of the address (S27, R-D1)", async () => {
    const person = await somebody();
    const { token } = await linkFor(signOn, person.personId);
    const rows = await signOn.db
      .selectFrom("sign_on_password_links")
      .selectAll()
      .where("person_id", "=", person.personId)
      .execute();
    const text = JSON.stringify(rows);
    expect(rows).toHaveLength(1);
    expect(text).not.toContain(token);
    expect(text).not.toContain(Buffer.from(token).toString("hex"));
    expect(text).not.toContain("harbour");
  });

  it("is audited when made and when used, with who did it", async () => {
    const person = await invited(signOn, world, `audited${++people}@harbour.example`);
    const { token } = await linkFor(signOn, person.personId, "invitation");
    await (await submit(signOn, token, NEW_PASSWORD))();
    expect(await audited(person.personId)).toEqual([
      ["operator", "passwordLink.create", { purpose: "invitation" }],
      ["services", "person.confirmEmail", {}],
      [person.personId, "password.set", { by: "invitation" }],
    ]);
  });

  it("is remembered for thirty days after its time, so that the page can say what happened, and then swept (R-X97)", async () => {
    const person = await somebody();
    const { token } = await linkFor(signOn, person.personId);
    const clock = standingClock(signOn.clock.now());
    const state = async () => {
      const { answer } = await signOn.passwords.showSetPassword({ token });
      return answer?.$case === "end" ? answer.value : answer?.$case;
    };
    /** A link that expired long ago shows when the sweep has finished the links. */
    const sweep = async () => {
      const last = { digest: Buffer.alloc(32, 1), person_id: "person_last", purpose: "reset" };
      const times = { created_at: 0, expires_at: 0, ended_at: 0, ended_because: "used" };
      await signOn.db
        .insertInto("sign_on_password_links")
        .values({ ...last, ...times })
        .execute();
      const stop = new AbortController();
      const run = signOnSweepLoop(signOn.db, clock).run(stop.signal);
      const left = signOn.db
        .selectFrom("sign_on_password_links")
        .select("digest")
        .where("person_id", "=", "person_last");
      while ((await left.execute()).length > 0) await new Promise((resolve) => setTimeout(resolve, 5));
      stop.abort();
      await run;
    };
    clock.step(37 * 24 * 3_600_000);
    await sweep();
    expect(await state()).toBe("page");
    clock.step(1);
    await sweep();
    expect(await state()).toBe("PASSWORD_LINK_END_UNKNOWN");
  });

  it("finds the person by the e-mail address, compared as always (R-D2), and lives seven days", async () => {
    const person = await somebody();
    const key = { $case: "email", value: `  ${person.email.toUpperCase()} ` } as const;
    const made = await signOn.people.createPasswordLink({ key, purpose: RESET });
    expect(made).toMatchObject({
      personId: person.personId,
      expiresAt: new Date(signOn.clock.now().getTime() + 7 * 24 * 3_600_000),
    });
  });

  it("is no good for an address that was changed since, also when that change has an earlier instant (R-S8)", async () => {
    const person = await somebody();
    signOn.clock.step(10_000);
    const { token } = await linkFor(signOn, person.personId);
    // As another process may have it, or one that waited for a lock after it had taken its instant.
    signOn.clock.step(-5_000);
    await signOn.platform.updatePerson({
      requestId: "",
      personId: person.personId,
      updateMask: ["email"],
      email: `new-${person.email}`,
      firstName: null,
      lastName: null,
      emailVerified: false,
    });
    signOn.clock.step(5_000);
    const { answer } = await signOn.passwords.showSetPassword({ token });
    expect(answer).toEqual({ $case: "end", value: "PASSWORD_LINK_END_WITHDRAWN" });
    const again = await linkFor(signOn, person.personId);
    expect((await signOn.passwords.showSetPassword({ token: again.token })).answer?.$case).toBe("page");
  });

  it("is offered to operators and the platform only (R-S19, R-D4)", async () => {
    const { PeopleService } = await import("../../../generated/proto/gatehouse/sign_on/v1/people.ts");
    const request = { key: { $case: "personId", value: (await somebody()).personId } as const, purpose: RESET };
    await expect(signOn.as("platform", PeopleService).createPasswordLink(request)).resolves.toMatchObject({
      link: expect.stringContaining("/auth/set-password?token="),
    });
    for (const peer of ["edge", "worker"] as const)
      await expect(signOn.as(peer, PeopleService).createPasswordLink(request)).rejects.toMatchObject({
        code: "PERMISSION_DENIED",
      });
  });

  it.each([
    ["an unknown id", { key: NOBODY, purpose: RESET }, "NOT_FOUND", "person_not_found"],
    [
      "an unknown address",
      { key: { $case: "email", value: "who@harbour.example" }, purpose: RESET },
      "NOT_FOUND",
      "person_not_found",
    ],
  ] as const)("refuses %s", async (_title, request, code, reason) => {
    await expect(signOn.people.createPasswordLink(request)).rejects.toMatchObject({ code, reason });
  });

  it.each([
    ["what is no id", { key: { $case: "personId", value: "maren" }, purpose: RESET }, ["person_id"]],
    ["what is no address", { key: { $case: "email", value: "maren@" }, purpose: RESET }, ["email"]],
    ["no person", { key: null, purpose: RESET }, ["person_id"]],
    ["no purpose", { key: NOBODY, purpose: "PASSWORD_LINK_PURPOSE_UNSPECIFIED" }, ["purpose"]],
    ["neither", { key: null, purpose: "PASSWORD_LINK_PURPOSE_UNSPECIFIED" }, ["person_id", "purpose"]],
  ] as const)("refuses %s, and names the fields (R-X207)", async (_title, request, fields) => {
    const violations = fields.map((field) => expect.objectContaining({ field }));
    const refused = { code: "INVALID_ARGUMENT", reason: "invalid_argument", violations };
    await expect(signOn.people.createPasswordLink(request)).rejects.toMatchObject(refused);
  });

  it("refuses an invitation for a person with a password, and every link for a disabled person (R-X96)", async () => {
    const person = await somebody();
    const key = { $case: "personId", value: person.personId } as const;
    await expect(signOn.people.createPasswordLink({ key, purpose: INVITATION })).rejects.toMatchObject({
      code: "FAILED_PRECONDITION",
      reason: "password_exists",
      message: "The person has a password already. Make a link for a reset instead: gatehouse people reset.",
    });
    await signOn.platform.disablePerson({ requestId: "", personId: person.personId });
    await expect(signOn.people.createPasswordLink({ key, purpose: RESET })).rejects.toMatchObject({
      code: "FAILED_PRECONDITION",
      reason: "person_disabled",
    });
    expect(await linksOf(person.personId)).toEqual([]);
  });
});
