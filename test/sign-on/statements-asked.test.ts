import { watchStatements } from "../support/asked-statements.ts";
import { authorizePath, Browser, signIn } from "../support/browser.ts";
import { call } from "../support/http.ts";
import { closingAfterAll } from "../support/scope.ts";
import { eachStore } from "../support/stores.ts";
import { makeWorld, PASSWORD, type World } from "../support/world.ts";
import { codeGrant, inBody, refreshGrant, type Tokens } from "./conversations/token/token-kit.ts";
import { openSignOn, type SignOn, signOnSets } from "./sign-on-fixture.ts";

/** What one operation asks the store, each question waited for; on PostgreSQL a `begin` and a `commit` would count. */
const ASKED = { authorize: 4, exchange: 4, refresh: 4, userinfo: 2 };

eachStore((_, open) => {
  let signOn: SignOn;
  let world: World;
  const closeLater = closingAfterAll();
  beforeAll(async () => {
    signOn = await openSignOn(await open(signOnSets), closeLater);
    world = await makeWorld(signOn);
  });

  /** What the second of two equal operations asks: the first may fill memories that are meant to last. */
  async function statementsOf(operation: () => Promise<unknown>): Promise<readonly string[]> {
    await operation();
    return watchStatements(operation);
  }

  it(`an authorization, an exchange, a refresh and userinfo ask four, four, four and two questions (R-X227)`, async () => {
    const browser = new Browser(signOn.url);
    await signIn(browser, authorizePath(world), { email: world.email });
    const { cookie } = browser;
    const codes: string[] = [];
    const authorize = async () => {
      const answer = await call(signOn.url, authorizePath(world), { headers: { cookie } });
      codes.push(new URL(answer.headers.get("location") ?? "").searchParams.get("code") ?? "");
    };
    let tokens: Tokens | undefined;
    const send = async (form: Readonly<Record<string, string>>) => {
      const answer = await call(signOn.url, "/auth/token", { form: { ...form, ...inBody(world) } });
      expect(answer.status).toBe(200);
      tokens = answer.json<Tokens>();
    };
    const userinfo = async () => {
      const headers = { authorization: `Bearer ${tokens?.access_token}` };
      expect((await call(signOn.url, "/auth/userinfo", { headers })).status).toBe(200);
    };
    const asked = {
      authorize: await statementsOf(authorize),
      exchange: await statementsOf(() => send(codeGrant(codes.pop() ?? ""))),
      refresh: await statementsOf(() => send(refreshGrant(tokens?.refresh_token ?? ""))),
      userinfo: await statementsOf(userinfo),
    };
    const tooMany = Object.entries(asked).filter(
      ([operation, all]) => all.length > ASKED[operation as keyof typeof ASKED],
    );
    expect(tooMany).toEqual([]);
    expect(Object.values(asked).map((all) => all.length)).toEqual(Object.values(ASKED));
  });

  it.each([
    ["is live", 1_000],
    ["is idle", 25 * 3_600_000],
  ])("a right password reads the browser's session once, which %s", async (_, ms) => {
    const browser = new Browser(signOn.url);
    await signIn(browser, authorizePath(world), { email: world.email });
    signOn.clock.step(ms);
    const login = await browser.follow(authorizePath(world, { prompt: "login" }));
    const asked = await watchStatements(() => browser.submit(login.answer, { email: world.email, password: PASSWORD }));
    const reads = asked.filter((statement) => /^select .*from "?sign_on_sessions"?/s.test(statement));
    expect(asked.length).toBeGreaterThan(5);
    expect(reads).toHaveLength(1);
  });
});
