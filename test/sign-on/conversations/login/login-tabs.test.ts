import { authorizePath, Browser } from "../../../support/browser.ts";
import { fieldsOf } from "../../../support/form-post.ts";
import { PASSWORD } from "../../../support/world.ts";
import { describeSignOn, withApplication, withPerson } from "../../sign-on-fixture.ts";

const codeOf = (left: URL | undefined) => left?.searchParams.get("code") ?? null;

describeSignOn("two tabs of one browser never break each other", (scene) => {
  let people = 0;
  async function twoTabs() {
    const { signOn, world } = scene();
    const person = await withPerson(signOn, world, `tabs${++people}@harbour.example`);
    const browser = new Browser(signOn.url);
    const one = await browser.follow(authorizePath(person, { state: "one" }));
    const two = await browser.follow(authorizePath(person, { state: "two" }));
    return { signOn, person, browser, one, two, words: { email: person.email, password: PASSWORD } };
  }
  const statesOf = (...lefts: (URL | undefined)[]) => lefts.map((left) => left?.searchParams.get("state"));
  const codesOf = (...lefts: (URL | undefined)[]) => lefts.map((left) => codeOf(left));

  it("signing in in one and then in the other", async () => {
    const { browser, one, two, words } = await twoTabs();
    const first = await browser.submit((await browser.submit(one.answer, words)).answer, { decision: "approve" });
    const second = await browser.submit(two.answer, words);
    expect(statesOf(first.left, second.left)).toEqual(["one", "two"]);
    expect(codesOf(first.left, second.left)).not.toContain(null);
  });

  it("signing in in both before consenting in either", async () => {
    const { browser, one, two, words } = await twoTabs();
    const consentOne = await browser.submit(one.answer, words);
    const consentTwo = await browser.submit(two.answer, words);
    const first = await browser.submit(consentOne.answer, { decision: "approve" });
    const second = await browser.submit(consentTwo.answer, { decision: "approve" });
    expect(statesOf(first.left, second.left)).toEqual(["one", "two"]);
    expect(codesOf(first.left, second.left)).not.toContain(null);
  });

  it("sending both forms at once", async () => {
    const { browser, one, two, words } = await twoTabs();
    const consents = await Promise.all([browser.submit(one.answer, words), browser.submit(two.answer, words)]);
    expect(consents.map(({ path }) => path.split("?")[0])).toEqual(["/auth/consent", "/auth/consent"]);
    const [first, second] = await Promise.all(
      consents.map(({ answer }) => browser.submit(answer, { decision: "approve" })),
    );
    expect(statesOf(first?.left, second?.left)).toEqual(["one", "two"]);
    expect(codesOf(first?.left, second?.left)).not.toContain(null);
  });

  it("declining in one, approving in the other", async () => {
    const { browser, one, two, words } = await twoTabs();
    const consentOne = await browser.submit(one.answer, words);
    const consentTwo = await browser.follow(two.path);
    const first = await browser.submit(consentOne.answer, { decision: "deny" });
    const second = await browser.submit(consentTwo.answer, { decision: "approve" });
    expect(first.left?.searchParams.get("error")).toBe("access_denied");
    expect(codesOf(second.left)).not.toContain(null);
  });

  it("of several applications, begun one after the other and finished the other way round, one by form", async () => {
    const { signOn, person, browser, words } = await twoTabs();
    const applications = [person];
    for (const name of ["Payroll", "Rota", "Stock"]) applications.push(await withApplication(signOn, person, { name }));
    const wishes = applications.map((application, index) =>
      authorizePath(application, { state: `tab ${index}`, ...(index === 1 ? { response_mode: "form_post" } : {}) }),
    );
    const tabs: string[] = [];
    for (const wish of wishes) tabs.push((await browser.follow(wish)).path);
    const states: unknown[] = [];
    for (const path of tabs.toReversed()) {
      let step = await browser.follow(path);
      if (step.path.startsWith("/auth/login")) step = await browser.submit(step.answer, words);
      const { answer, left } = await browser.submit(step.answer, { decision: "approve" });
      const parameters = new Map(left === undefined ? fieldsOf(answer.text).fields : [...left.searchParams]);
      states.push([parameters.get("state"), parameters.has("code")]);
    }
    expect(states).toEqual([3, 2, 1, 0].map((index) => [`tab ${index}`, true]));
    expect([...browser.cookies.keys()].filter((name) => name.includes("interaction"))).toHaveLength(2);
  });

  it("of two applications", async () => {
    const { signOn, person, browser, one, words } = await twoTabs();
    const other = await withApplication(signOn, person, { name: "Payroll" });
    const two = await browser.follow(authorizePath(other, { state: "other" }));
    const consent = await browser.submit(two.answer, words);
    const second = await browser.submit(consent.answer, { decision: "approve" });
    const first = await browser.submit((await browser.follow(one.path)).answer, { decision: "approve" });
    expect(statesOf(first.left, second.left)).toEqual(["one", "other"]);
    expect(codesOf(first.left, second.left)).not.toContain(null);
  });
});
