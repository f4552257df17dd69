import { sql } from "kysely";
import { authorizePath, Browser, signIn } from "../support/browser.ts";
import { eventually } from "../support/eventually.ts";
import type { FaultProxy } from "../support/fault-proxy.ts";
import { type Answer, call } from "../support/http.ts";
import { openProxied } from "../support/postgres-proxy.ts";
import { onPostgres, type TestStore } from "../support/stores.ts";
import { makeWorld, type World } from "../support/world.ts";
import { codeGrant, inBody, type Parameters, refreshGrant, type Tokens } from "./conversations/token/token-kit.ts";
import { openSignOn, type SignOn, signOnSets } from "./sign-on-fixture.ts";

/**
 * What changes one row of sign-on commits with its statement. Here the server commits, and its answer never arrives:
 * the connection is cut.
 */
onPostgres((open, closeLater) => {
  let direct: TestStore;
  let proxy: FaultProxy;
  let signOn: SignOn;
  let world: World;
  let cookie: string;

  beforeEach(async () => {
    direct = await open(signOnSets);
    const between = await openProxied(direct, closeLater);
    proxy = between.proxy;
    signOn = await openSignOn({ store: between.store, wake: direct.wake }, closeLater);
    world = await makeWorld(signOn);
    // No repeat of a refresh is harmless here: whatever comes twice is theft.
    await sql`update sign_on_applications set refresh_repeat_seconds = 0`.execute(direct.store.view());
    const browser = new Browser(signOn.url);
    await signIn(browser, authorizePath(world), { email: world.email });
    cookie = browser.cookie;
  });

  /** Rows of families, as the server has them. */
  const families = async (): Promise<readonly { readonly generation: number; readonly revoked_at: number | null }[]> =>
    (
      await sql<{
        generation: number;
        revoked_at: number | null;
      }>`select generation, revoked_at from sign_on_families order by number`.execute(direct.store.view())
    ).rows;
  const generations = async () => (await families()).map(({ generation }) => generation);

  /** Sends a request whose change is committed and not acknowledged. `tag` is how the server says that it is done. */
  async function losingTheAnswer(tag: string, send: () => Promise<Answer>, done: readonly number[]): Promise<Answer> {
    proxy.holdAnswerTo(tag);
    const answer = send();
    await eventually(generations, (all) => JSON.stringify(all) === JSON.stringify(done));
    proxy.cut();
    proxy.pass();
    return answer;
  }

  const authorize = () => call(signOn.url, authorizePath(world), { headers: { cookie } });
  const codeIn = (answer: Answer) => new URL(answer.headers.get("location") ?? "").searchParams.get("code") ?? "";
  const send = (form: Parameters) => call(signOn.url, "/auth/token", { form: { ...form, ...inBody(world) } });

  it("a code that was issued is given out, and works (R-X333)", async () => {
    const before = await generations();
    const code = codeIn(await losingTheAnswer("INSERT 0 1", authorize, [...before, 0]));
    expect(await generations()).toEqual([...before, 0]);
    expect((await send(codeGrant(code))).status).toBe(200);
  });

  it("a code that was redeemed gives its tokens, and its family is not revoked (R-X333, R-S11)", async () => {
    const before = await generations();
    const code = codeIn(await authorize());
    const answer = await losingTheAnswer("UPDATE 1", () => send(codeGrant(code)), [...before, 1]);
    expect(answer.status).toBe(200);
    expect((await send(refreshGrant(answer.json<Tokens>().refresh_token))).status).toBe(200);
    expect((await families()).map(({ revoked_at }) => revoked_at)).toEqual([...before, 2].map(() => null));
  });

  it("a refresh token that was replaced gives its successor, and no theft is seen (R-X333, R-S10)", async () => {
    const before = await generations();
    const { refresh_token } = (await send(codeGrant(codeIn(await authorize())))).json<Tokens>();
    const answer = await losingTheAnswer("UPDATE 1", () => send(refreshGrant(refresh_token)), [...before, 2]);
    expect(answer.status).toBe(200);
    const next = await send(refreshGrant(answer.json<Tokens>().refresh_token));
    expect(next.status).toBe(200);
    expect(await generations()).toEqual([...before, 3]);
    expect((await families()).map(({ revoked_at }) => revoked_at)).toEqual([...before, 3].map(() => null));
  });
});
