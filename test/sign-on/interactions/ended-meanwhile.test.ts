import { ConsentPolicy } from "../../../generated/proto/gatehouse/sign_on/v1/operator.ts";
import { authorizePath, Browser, signIn } from "../../support/browser.ts";
import { PASSWORD } from "../../support/world.ts";
import { describeSignOn, withApplication, withPerson } from "../sign-on-fixture.ts";

const errorOf = (left: URL | undefined) => left?.searchParams.get("error") ?? null;

describeSignOn("what ends while a code is about to be issued", (scene) => {
  let people = 0;

  /** A person who is signed in, and has approved the application once. */
  async function begin() {
    const { signOn, world } = scene();
    const application = await withApplication(signOn, world, { consent: ConsentPolicy.ONCE });
    const person = await withPerson(signOn, application, `ended${++people}@harbour.example`);
    const browser = new Browser(signOn.url);
    await signIn(browser, authorizePath(person), { email: person.email });
    return { signOn, person, browser };
  }
  type Begun = Awaited<ReturnType<typeof begin>>;

  const endSession = async ({ signOn, person }: Begun) =>
    void (await signOn.people.endSessions({ key: { $case: "personId", value: person.personId } }));
  const withdraw = async ({ signOn, person }: Begun) =>
    void (await signOn.db.deleteFrom("sign_on_consents").where("person_id", "=", person.personId).execute());
  /** The session is read before workforce records the sign-in, and the code is issued after. */
  const meanwhile = (begun: Begun, end: (begun: Begun) => Promise<void>) =>
    begun.signOn.holdWorkforce("/RecordSignIn", () => end(begun));

  it.each([
    ["session", "the login page", 0, endSession, /^\/auth\/login\?/, "login_required"],
    ["consent", "the consent page", 0, withdraw, /^\/auth\/consent\?/, "consent_required"],
    ["session, whose use is written down,", "the login page", 60_000, endSession, /^\/auth\/login\?/, "login_required"],
    [
      "consent, and a use of its session,",
      "the consent page",
      60_000,
      withdraw,
      /^\/auth\/consent\?/,
      "consent_required",
    ],
  ])("without its %s a request leads to %s", async (_, __, afterMs, end, page, error) => {
    const { clock } = scene().signOn;
    const shown = await begin();
    clock.step(afterMs);
    meanwhile(shown, end);
    expect((await shown.browser.follow(authorizePath(shown.person))).path).toMatch(page);
    const silent = await begin();
    clock.step(afterMs);
    meanwhile(silent, end);
    const { left } = await silent.browser.follow(authorizePath(silent.person, { prompt: "none" }));
    expect(errorOf(left)).toBe(error);
  });

  it("without its session an open sign-in leads to the login page again", async () => {
    const begun = await begin();
    const other = new Browser(begun.signOn.url);
    const login = await other.follow(authorizePath(begun.person));
    meanwhile(begun, endSession);
    const after = await other.submit(login.answer, { email: begun.person.email, password: PASSWORD });
    expect(after.path).toMatch(/^\/auth\/login\?/);
    expect(
      (await other.submit(after.answer, { email: begun.person.email, password: PASSWORD })).left?.search,
    ).toContain("code=");
  });
});
