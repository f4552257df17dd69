import { authorizePath, Browser, exchange, obtainCode, redeem, signIn, tokenOf } from "../support/browser.ts";
import { call } from "../support/http.ts";
import { eachStore } from "../support/stores.ts";
import { makeWorld, PASSWORD } from "../support/world.ts";
import { openSignOn, signOnSets } from "./sign-on-fixture.ts";

interface Tokens {
  readonly access_token: string;
  readonly refresh_token: string;
}

eachStore((_, open) => {
  /** What happened before, the end of that process, and another one on the same store; `ms` is how far the clock stepped. */
  async function restarted(ms: number) {
    const opened = await open(signOnSets);
    const closers: (() => Promise<void>)[] = [];
    const before = await openSignOn(opened, (closer) => void closers.push(closer));
    const world = await makeWorld(before);
    const browser = new Browser(before.url);
    const spent = (await signIn(browser, authorizePath(world), { email: world.email })).searchParams.get("code") ?? "";
    const first = (await redeem(before.url, world, spent)).json<Tokens>();
    const refreshing = { grant_type: "refresh_token", refresh_token: first.refresh_token };
    const second = (await exchange(before.url, world, refreshing)).json<Tokens>();
    const unspent = await obtainCode(before.url, world);
    before.clock.step(1);
    const waiting = await browser.follow(authorizePath(world, { prompt: "login" }));
    for (const closer of closers.splice(0)) await closer();
    before.clock.step(ms);
    const { clock, issuer } = before;
    const after = await openSignOn(await opened.again(), (closer) => void closers.push(closer), { clock, issuer });
    const { cookie } = browser;
    return { after, world, spent, unspent, first, second, waiting, cookie, stop: () => closers[0]?.() };
  }
  const errorOf = (answer: { json<T>(): T }) => answer.json<{ error?: string }>().error;

  it("goes on where it was: session, open sign-in, unspent code, tokens and keys (S25)", async () => {
    const { after, world, unspent, second, waiting, cookie, stop } = await restarted(1_000);
    const headers = { authorization: `Bearer ${second.access_token}` };
    const form_token = tokenOf(waiting.answer);
    const form = { form_token, email: world.email, password: PASSWORD };
    const answers = [
      await call(after.url, "/auth/userinfo", { headers }),
      await call(after.url, authorizePath(world, { prompt: "none" }), { headers: { cookie } }),
      await call(after.url, waiting.path, { form, headers: { cookie } }),
      await redeem(after.url, world, unspent),
      await exchange(after.url, world, { grant_type: "refresh_token", refresh_token: second.refresh_token }),
    ];
    await stop();
    expect(answers.map(({ status }) => status)).toEqual([200, 302, 303, 200, 200]);
    expect(answers[1]?.headers.get("location")).toContain("code=");
    expect(answers[2]?.headers.get("location")).toContain("code=");
  });

  it("computes the signature of a token that another process made, once (R-X228)", async () => {
    const { after, second, stop } = await restarted(1_000);
    const computed = jest.spyOn(globalThis.crypto.subtle, "verify");
    const userinfo = async (token: string) =>
      (await call(after.url, "/auth/userinfo", { headers: { authorization: `Bearer ${token}` } })).status;
    const [head, claims, signature = ""] = second.access_token.split(".");
    const forged = `${head}.${claims}.${signature.startsWith("A") ? "B" : "A"}${signature.slice(1)}`;
    const statuses = [await userinfo(second.access_token), await userinfo(second.access_token), await userinfo(forged)];
    await stop();
    expect(statuses).toEqual([200, 200, 401]);
    // The token's own, and the forged one's.
    expect(computed).toHaveBeenCalledTimes(2);
    computed.mockRestore();
  });

  it("answers a repeat with the successor that another process gave (R-S10)", async () => {
    const { after, world, first, second, stop } = await restarted(1_000);
    const refreshing = { grant_type: "refresh_token", refresh_token: first.refresh_token };
    const again = await exchange(after.url, world, refreshing);
    await stop();
    expect(again.json<Tokens>().refresh_token).toBe(second.refresh_token);
  });

  it.each([0, 60_000, -3_600_000])(
    "recognizes what was used before, also when the clock stepped by %d ms (S25, CVE-2026-9802)",
    async (ms) => {
      const { after, world, spent, first, second, stop } = await restarted(ms);
      const refreshing = (refresh_token: string) =>
        exchange(after.url, world, { grant_type: "refresh_token", refresh_token });
      const third = (await refreshing(second.refresh_token)).json<Tokens>();
      // Its successor was used, so no window is open for it.
      const refused = await refreshing(first.refresh_token);
      const successor = await refreshing(third.refresh_token);
      const replayed = await redeem(after.url, world, spent);
      await stop();
      expect([refused, successor, replayed].map(errorOf)).toEqual(Array(3).fill("invalid_grant"));
    },
  );
});
