import type { ExplainPersonRequest } from "../../../generated/proto/gatehouse/sign_on/v1/inspection.ts";
import { PlatformService } from "../../../generated/proto/gatehouse/workforce/v1/platform.ts";
import { access } from "../../../src/access.ts";
import { authorizePath, Browser, signIn } from "../../support/browser.ts";
import { closingAfterAll } from "../../support/scope.ts";
import { eachStore } from "../../support/stores.ts";
import { invitation, makeWorld, PASSWORD, present, type World } from "../../support/world.ts";
import { atAccount } from "../conversations/account/account-kit.ts";
import { openSignOn, type SignOn, signOnSets, withPerson } from "../sign-on-fixture.ts";

eachStore((_name, open) => {
  describe("explaining why a person cannot sign in (R-X197)", () => {
    let signOn: SignOn;
    let world: World;
    const closeLater = closingAfterAll();
    let count = 0;

    beforeAll(async () => {
      const settings = { "sign-in-failures-per-email": 2 };
      signOn = await openSignOn(await open(signOnSets), closeLater, { settings });
      world = await makeWorld(signOn);
    });

    const explain = async (key: ExplainPersonRequest["key"]) => signOn.inspection.explainPerson({ key });
    const explained = async (person: World) =>
      present((await explain({ $case: "email", value: ` ${person.email.toUpperCase()} ` })).person);
    const somebody = () => withPerson(signOn, world, `p${++count}@harbour.example`);
    const checksOf = async (person: World) => (await explained(person)).obstacles.map(({ check }) => check);
    const fail = async (person: World, browser = new Browser(signOn.url)) => {
      const login = await browser.follow(authorizePath(person, { prompt: "login" }));
      const { answer } = await browser.submit(login.answer, { email: person.email, password: `${PASSWORD}!` });
      return answer.headers.get("x-request-id") ?? "";
    };
    const seatRequest = (person: World) => ({ requestId: "", userId: person.userId });

    it("finds nothing in the way of somebody with a seat and a password, and shows seat, attempts and sessions", async () => {
      const person = await somebody();
      const failed = await fail(person);
      await signIn(new Browser(signOn.url), authorizePath(person), { email: person.email });
      const found = await explained(person);
      expect(found).toMatchObject({
        ...{ personId: person.personId, email: person.email, firstName: "Tomas", lastName: "Berg" },
        ...{ hasPassword: true, obstacles: [] },
        seats: [
          {
            seat: {
              ...{ kind: "SEAT_KIND_USER", id: person.userId, state: "SEAT_STATE_ACTIVE", admits: true },
              ...{ tenantId: world.tenantId, instanceId: world.instanceId },
            },
            since: null,
          },
        ],
        attempts: [
          { succeeded: true, reason: null, applicationId: world.application.id, applicationName: "Marigold" },
          { succeeded: false, reason: "wrong_password", requestId: failed },
        ],
      });
      expect(found.sessions).toHaveLength(1);
      expect(await signOn.inspection.explainRefusal({ requestId: failed })).toMatchObject({
        check: "sign_in.wrong_password",
        personId: person.personId,
      });
    });

    it("says from which network and browser each attempt came, while that is kept (R-X86)", async () => {
      const person = await somebody();
      const named = (userAgent: string) => new Browser(signOn.url, { headers: { "user-agent": userAgent } });
      await fail(person, named("Shop's own browser/1"));
      signOn.clock.step(1);
      const open = named("Firefox/140");
      await signIn(open, authorizePath(person), { email: person.email });
      signOn.clock.step(1);
      await signOn.platform.disableUser(seatRequest(person));
      await open.open(authorizePath(person));
      const origins = async () =>
        (await explained(person)).attempts.map(({ reason, network, userAgent, device }) => [
          reason,
          network,
          userAgent,
          device,
        ]);
      expect(await origins()).toEqual([
        ["refused", null, null, null],
        [null, "127.0.0.0/24", "Firefox/140", { browser: "Firefox", system: "" }],
        ["wrong_password", "127.0.0.0/24", "Shop's own browser/1", { browser: "", system: "" }],
      ]);
      const { personId } = person;
      await signOn.db
        .deleteFrom("sign_on_sign_ins")
        .where("person_id", "=", personId)
        .where("outcome", "=", "failed")
        .execute();
      expect(await origins()).toContainEqual(["wrong_password", null, null, null]);
    });

    it("names who disabled a person, and when", async () => {
      const person = await somebody();
      await signOn.platform.disablePerson(
        { requestId: "", personId: person.personId },
        { metadata: { "operator-account": "maren" } },
      );
      const { obstacles, sessions } = await explained(person);
      expect(obstacles).toMatchObject([
        { check: "person.disabled", since: signOn.clock.now(), actor: "platform:maren", until: null },
      ]);
      expect(obstacles[0]?.advice).toMatch(new RegExp(`gatehouse people enable ${person.personId}$`));
      expect(sessions).toEqual([]);
    });

    it("names who disabled or deleted the only seat, and when", async () => {
      const person = await somebody();
      await signIn(new Browser(signOn.url), authorizePath(person), { email: person.email });
      await signOn.platform.disableUser(seatRequest(person), { metadata: { "operator-account": "jo" } });
      const disabled = await explained(person);
      expect(disabled.obstacles).toMatchObject([
        { check: "seat.none", advice: `To give the seat back: gatehouse users enable ${person.userId}` },
      ]);
      expect(disabled.seats).toMatchObject([
        { seat: { state: "SEAT_STATE_INACTIVE", admits: false }, since: signOn.clock.now(), actor: "platform:jo" },
      ]);
      await signOn.platform.deleteUser(seatRequest(person));
      const deleted = await explained(person);
      expect(deleted.obstacles.map(({ check }) => check)).toEqual(["seat.none"]);
      expect(deleted.seats).toMatchObject([
        { seat: { state: "SEAT_STATE_DELETED" }, since: signOn.clock.now(), actor: "platform" },
      ]);
    });

    it("says when and by whom a seat that is open again was disabled", async () => {
      const person = await somebody();
      await signIn(new Browser(signOn.url), authorizePath(person), { email: person.email });
      await signOn.platform.disableUser(seatRequest(person), { metadata: { "operator-account": "jo" } });
      const disabledAt = signOn.clock.now();
      signOn.clock.step(60_000);
      await signOn.platform.enableUser(seatRequest(person), { metadata: { "operator-account": "ada" } });
      const { obstacles, seats } = await explained(person);
      expect(obstacles).toEqual([]);
      expect(seats).toMatchObject([
        { since: signOn.clock.now(), actor: "platform:ada", disabledAt, disabledBy: "platform:jo" },
      ]);
    });

    it("shows what the application got: with a right password, and in a session that was open already", async () => {
      const person = await somebody();
      await signIn(new Browser(signOn.url), authorizePath(person), { email: person.email });
      const waiting = new Browser(signOn.url);
      const login = await waiting.follow(authorizePath(person));
      const open = new Browser(signOn.url);
      await signIn(open, authorizePath(person), { email: person.email });
      await signOn.platform.disableUser(seatRequest(person));
      signOn.clock.step(1_000);
      const withPassword = await waiting.submit(login.answer, { email: person.email, password: PASSWORD });
      signOn.clock.step(1_000);
      const withSession = await open.open(authorizePath(person));
      const ids = [withPassword.answer, withSession].map(({ headers }) => headers.get("x-request-id") ?? "");
      expect((await explained(person)).attempts.slice(0, 3)).toMatchObject([
        { succeeded: false, reason: "refused", error: "access_denied", requestId: ids[1], applicationName: "Marigold" },
        { succeeded: true, reason: null, error: "access_denied", requestId: ids[0], applicationName: "Marigold" },
        { succeeded: true, error: null },
      ]);
      for (const requestId of ids)
        expect(await signOn.inspection.explainRefusal({ requestId })).toMatchObject({
          ...{ check: "membership.none", error: "access_denied", personId: person.personId },
          ...{ applicationId: world.application.id, applicationName: "Marigold" },
        });
    });

    it("says that an invited person has no password", async () => {
      const email = `p${++count}@harbour.example`;
      await signOn.platform.inviteUser(invitation(world.tenantId, email));
      const { obstacles, hasPassword, seats } = await explained({ ...world, email });
      expect(hasPassword).toBe(false);
      expect(obstacles).toMatchObject([{ check: "password.none", since: null }]);
      expect(obstacles[0]?.advice).toMatch(/gatehouse people invite person_\w+$/);
      expect(seats).toMatchObject([{ seat: { state: "SEAT_STATE_INVITED", admits: true } }]);
    });

    it("says until when sign-ins wait, and no longer when the wait is over", async () => {
      const person = await somebody();
      for (let failures = 0; failures < 3; failures++) await fail(person);
      const { obstacles, attempts } = await explained(person);
      const until = new Date(signOn.clock.now().getTime() + 10_000);
      expect(obstacles).toMatchObject([{ check: "sign_in.throttled", until }]);
      expect(attempts.map(({ reason }) => reason)).toEqual([
        "throttled",
        "wrong_password",
        "wrong_password",
        "wrong_password",
      ]);
      signOn.clock.step(10_000);
      expect(await checksOf(person)).toEqual([]);
    });

    it("shows ten attempts at most, the newest first", async () => {
      const person = await somebody();
      const ids: string[] = [];
      for (let failures = 0; failures < 12; failures++) {
        signOn.clock.step(3_600_000);
        ids.push(await fail(person));
      }
      const { attempts } = await explained(person);
      expect(attempts.map(({ requestId }) => requestId)).toEqual(ids.toReversed().slice(0, 10));
    });

    it("finds people by id, too", async () => {
      const { personId, email } = await somebody();
      expect((await explain({ $case: "personId", value: personId })).person?.email).toBe(email);
    });

    it.each<[string, ExplainPersonRequest["key"]]>([
      ["an unknown address", { $case: "email", value: "unknown@harbour.example" }],
      ["no address", { $case: "email", value: "@\u0000" }],
      ["an unknown id", { $case: "personId", value: "person_AAAAAAAAAAAAAAAAAAAAA" }],
      ["nothing", null],
    ])("is refused for %s", async (_, key) => {
      const refusal = {
        code: "NOT_FOUND",
        reason: "person_not_found",
        message: "There is no person with this id or e-mail address.",
      };
      await expect(signOn.inspection.explainPerson({ key })).rejects.toMatchObject(refusal);
    });

    it("finds a failed sign-in that is in the audit log alone, as of a flood", async () => {
      const person = await somebody();
      const requestId = await fail(person);
      await signOn.db.deleteFrom("sign_on_refusals").execute();
      const other = await openSignOn(signOn.opened, closeLater, { clock: signOn.clock });
      expect(await other.inspection.explainRefusal({ requestId })).toMatchObject({
        ...{ check: "sign_in.wrong_password", operation: "submitLogin", personId: person.personId },
        applicationId: world.application.id,
      });
    });

    it("finds a wrong current password at its change that is in the audit log alone", async () => {
      const person = await somebody();
      const { browser } = await atAccount(signOn, person);
      const page = await browser.open("/auth/account/password");
      const next = "seven lanterns over the quay";
      const change = { old_password: `${PASSWORD}!`, password: next, password_again: next };
      const requestId = (await browser.submit(page, change)).answer.headers.get("x-request-id") ?? "";
      const found = { check: "sign_in.wrong_password", operation: "changePassword", personId: person.personId };
      expect(await signOn.inspection.explainRefusal({ requestId })).toMatchObject(found);
      await signOn.db.deleteFrom("sign_on_refusals").execute();
      const other = await openSignOn(signOn.opened, closeLater, { clock: signOn.clock });
      expect(await other.inspection.explainRefusal({ requestId })).toMatchObject({ ...found, applicationId: null });
    });

    it("is for operators", async () => {
      expect(access["gatehouse.sign_on.v1.Inspection"]).toEqual(["operator"]);
      expect(PlatformService).not.toHaveProperty("explainPerson");
    });
  });
});
