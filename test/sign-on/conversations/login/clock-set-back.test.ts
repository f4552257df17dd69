import { authorizePath, Browser, signIn } from "../../../support/browser.ts";
import { PASSWORD } from "../../../support/world.ts";
import { describeSignOn, withPerson } from "../../sign-on-fixture.ts";

describeSignOn("a sign-in during which the clock is set back", (scene) => {
  let people = 0;
  const newcomer = async () => {
    const { signOn, world } = scene();
    const person = await withPerson(signOn, world, `person${++people}@harbour.example`);
    return { signOn, person, browser: new Browser(signOn.url) };
  };

  it.each([
    ["prompt=login", { prompt: "login" }],
    ["max_age=0", { max_age: "0" }],
  ])("asks for the password once: %s", async (_, parameters) => {
    const { signOn, person, browser } = await newcomer();
    const { answer } = await browser.follow(authorizePath(person, parameters));
    signOn.clock.step(-5_000);
    const { path, answer: consent } = await browser.submit(answer, { email: person.email, password: PASSWORD });
    expect(path).toMatch(/^\/auth\/consent/);
    const { left } = await browser.submit(consent, { decision: "approve" });
    expect(left?.searchParams.get("code")).toEqual(expect.any(String));
  });

  it("signs in a person who was enabled again before (R-X93)", async () => {
    const { signOn, person, browser } = await newcomer();
    const { personId } = person;
    await signOn.platform.disablePerson({ requestId: "", personId });
    await signOn.platform.enablePerson({ requestId: "", personId });
    signOn.clock.step(-5_000);
    const left = await signIn(browser, authorizePath(person), { email: person.email });
    expect(left.searchParams.get("code")).toEqual(expect.any(String));
  });
});
