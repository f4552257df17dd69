import { authorizePath } from "../../support/browser.ts";
import { invitation, present } from "../../support/world.ts";
import { isSignedIn, logoutPath, POST_LOGOUT_URI, signedInBrowser } from "../conversations/logout/logout-kit.ts";
import { describeSignOn, withApplication, withPerson } from "../sign-on-fixture.ts";

/** Of an accountant who works for so many companies of one platform. */
const SEATS = 100;

describeSignOn("the ID token of a person with many seats (R-X12)", (scene) => {
  let people = 0;
  async function signedIn(seats = SEATS) {
    const { signOn, world } = scene();
    const application = await withApplication(signOn, world, { postLogoutRedirectUris: [POST_LOGOUT_URI] });
    const person = await withPerson(signOn, application, `accountant${++people}@harbour.example`);
    const { instanceId } = person;
    for (let seat = 1; seat < seats; seat++) {
      const company = { requestId: "", instanceId, name: `Company ${seat}`, address: null };
      const { tenant } = await signOn.platform.createTenant(company);
      await signOn.platform.inviteUser(invitation(present(tenant).id, person.email));
    }
    const { browser, tokens } = await signedInBrowser(signOn, person);
    return { person, browser, hint: tokens.id_token };
  }

  it("ends the session without a question, as a hint by GET", async () => {
    const { person, browser, hint } = await signedIn();
    expect(hint.length).toBeGreaterThan(8_192);
    const asked = logoutPath({ id_token_hint: hint, post_logout_redirect_uri: POST_LOGOUT_URI });
    expect((await browser.follow(asked)).left?.href).toBe(POST_LOGOUT_URI);
    expect(await isSignedIn(browser, person)).toBe(false);
  });

  it("ends the session without a question, as a hint by POST", async () => {
    const { person, browser, hint } = await signedIn();
    const form = { id_token_hint: hint, post_logout_redirect_uri: POST_LOGOUT_URI };
    expect((await browser.follow("/auth/logout", { form })).left?.href).toBe(POST_LOGOUT_URI);
    expect(await isSignedIn(browser, person)).toBe(false);
  });

  it("names the person of a silent request (OIDC Core §3.1.2.1)", async () => {
    const { person, browser, hint } = await signedIn();
    const { left } = await browser.follow(authorizePath(person, { id_token_hint: hint, prompt: "none" }));
    expect(left?.searchParams.get("error")).toBeNull();
    expect(left?.searchParams.get("code")).toMatch(/^[\w-]{64}$/);
  });

  it("can be explained", async () => {
    const { person, hint } = await signedIn(200);
    expect(hint.length).toBeGreaterThan(16_384);
    const { personId, signature } = await scene().signOn.inspection.explainToken({ token: hint });
    expect({ personId, right: signature?.right }).toEqual({ personId: person.personId, right: true });
  });
});
