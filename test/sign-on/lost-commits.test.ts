import { ConsentPolicy } from "../../generated/proto/gatehouse/sign_on/v1/operator.ts";
import { auditEntries } from "../support/audited.ts";
import { authorizePath, Browser, tokenOf } from "../support/browser.ts";
import type { FaultProxy } from "../support/fault-proxy.ts";
import { openProxied } from "../support/postgres-proxy.ts";
import { onPostgres, type TestStore } from "../support/stores.ts";
import { makeWorld, PASSWORD, type World } from "../support/world.ts";
import { atAccount, sidsOf } from "./conversations/account/account-kit.ts";
import { logoutPath, POST_LOGOUT_URI, signedInBrowser } from "./conversations/logout/logout-kit.ts";
import { invited, linkFor, NEW_PASSWORD } from "./conversations/set-password/set-password-kit.ts";
import { openSignOn, type SignOn, signOnSets, withApplication, withPerson } from "./sign-on-fixture.ts";

/** What a person sees in the end: the page, or what the application gets. */
interface Reached {
  readonly answer: { readonly status: number };
  readonly path: string;
  readonly left: URL | undefined;
}

const seen = ({ answer, path, left }: Reached): string => {
  if (left === undefined) return `${answer.status} ${path.split("?")[0]}`;
  return `${left.origin}${left.pathname} ${left.searchParams.get("error") ?? [...left.searchParams.keys()].join(" ")}`;
};

/**
 * Each commit of a conversation in turn: the server commits, and its answer never arrives, since the connection is cut. The
 * person sees what they would have seen.
 */
onPostgres((open, closeLater) => {
  let direct: TestStore;
  let proxy: FaultProxy;
  let signOn: SignOn;
  let world: World;
  let people = 0;

  beforeAll(async () => {
    direct = await open(signOnSets);
    const between = await openProxied(direct, closeLater);
    proxy = between.proxy;
    signOn = await openSignOn({ store: between.store, wake: direct.wake }, closeLater);
    world = await makeWorld(signOn);
  });

  const somebody = () => withPerson(signOn, world, `somebody${++people}@harbour.example`);
  const asks = async (consent: ConsentPolicy) => withApplication(signOn, await somebody(), { consent });

  /** Makes ready, and returns the one request of a person that is struck. */
  type Conversation = () => Promise<() => Promise<Reached>>;
  const login =
    (consent: ConsentPolicy): Conversation =>
    async () => {
      const person = await asks(consent);
      const browser = new Browser(signOn.url);
      const { answer } = await browser.follow(authorizePath(person));
      return () => browser.submit(answer, { email: person.email, password: PASSWORD });
    };
  const consentPage =
    (decision: "approve" | "deny"): Conversation =>
    async () => {
      const person = await asks(ConsentPolicy.ALWAYS);
      const browser = new Browser(signOn.url);
      const { answer } = await browser.follow(authorizePath(person));
      const { answer: page } = await browser.submit(answer, { email: person.email, password: PASSWORD });
      return () => browser.submit(page, { decision });
    };

  const accountButton =
    (action: "end_session" | "withdraw" | "sign_out_everywhere"): Conversation =>
    async () => {
      const person = await somebody();
      await signedInBrowser(signOn, person);
      const { browser, answer } = await atAccount(signOn, person);
      const form = {
        form_token: tokenOf(answer),
        action,
        session: sidsOf(answer)[1] ?? "",
        application: person.application.id,
        instance: person.instanceId,
      };
      return () => browser.follow("/auth/account", { form });
    };
  const audited = async () => (await auditEntries(direct.store, ["action"])).map(({ action }) => action);

  it.each<[string, Conversation, string]>([
    [
      "a password that leads to the application",
      login(ConsentPolicy.NEVER),
      "http://localhost:9/callback code state iss",
    ],
    ["a password that leads to the consent page", login(ConsentPolicy.ALWAYS), "200 /auth/consent"],
    ["a consent", consentPage("approve"), "http://localhost:9/callback code state iss"],
    ["a consent that is declined", consentPage("deny"), "http://localhost:9/callback access_denied"],
    [
      "an authorization request",
      async () => {
        const person = await somebody();
        return () => new Browser(signOn.url).follow(authorizePath(person));
      },
      "200 /auth/login",
    ],
    [
      "a first password by a link",
      async () => {
        const person = await invited(signOn, world, `invited${++people}@harbour.example`);
        const browser = new Browser(signOn.url);
        const page = await browser.open((await linkFor(signOn, person.personId, "invitation")).path);
        return () => browser.submit(page, { password: NEW_PASSWORD, password_again: NEW_PASSWORD });
      },
      "200 /auth/set-password",
    ],
    [
      "a changed password",
      async () => {
        const { browser } = await atAccount(signOn, await somebody());
        const page = await browser.open("/auth/account/password");
        const values = { old_password: PASSWORD, password: NEW_PASSWORD, password_again: NEW_PASSWORD };
        return () => browser.submit(page, values);
      },
      "200 /auth/account",
    ],
    [
      "a sign-in at the account page",
      async () => {
        const { email } = await somebody();
        const browser = new Browser(signOn.url);
        const { answer } = await browser.follow("/auth/account");
        return () => browser.submit(answer, { email, password: PASSWORD });
      },
      "200 /auth/account",
    ],
    [
      "a sign-out that an application asks for",
      async () => {
        const person = await withApplication(signOn, await somebody(), { postLogoutRedirectUris: [POST_LOGOUT_URI] });
        const { browser, tokens } = await signedInBrowser(signOn, person);
        const parameters = { id_token_hint: tokens.id_token, post_logout_redirect_uri: POST_LOGOUT_URI };
        return () => browser.follow(logoutPath(parameters));
      },
      `${POST_LOGOUT_URI} `,
    ],
    [
      "a sign-out that the person is asked about",
      async () => {
        const person = await withApplication(signOn, await somebody(), { postLogoutRedirectUris: [POST_LOGOUT_URI] });
        const { browser } = await signedInBrowser(signOn, person);
        const parameters = { client_id: person.application.id, post_logout_redirect_uri: POST_LOGOUT_URI };
        const { answer } = await browser.follow(logoutPath(parameters));
        return () => browser.submit(answer, {});
      },
      `${POST_LOGOUT_URI} `,
    ],
    ["a session that ends on the account page", accountButton("end_session"), "200 /auth/account"],
    ["a consent that is withdrawn", accountButton("withdraw"), "200 /auth/account"],
    ["a sign-out everywhere", accountButton("sign_out_everywhere"), "200 /auth/signed-out"],
  ])("%s (R-X333)", async (_, conversation, expected) => {
    const found: { readonly seen: string; readonly audited: readonly string[] }[] = [];
    let commits: () => number;
    do {
      const act = await conversation();
      const before = await audited();
      commits = proxy.cutAtAnswer("COMMIT", found.length + 1);
      const reached = seen(await act());
      proxy.pass();
      found.push({ seen: reached, audited: (await audited()).slice(before.length) });
    } while (commits() >= found.length);
    // The last one struck no commit.
    expect(found.length).toBeGreaterThan(1);
    expect(found).toEqual(found.map(() => ({ seen: expected, audited: found.at(-1)?.audited })));
  });
});
