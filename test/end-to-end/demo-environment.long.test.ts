import { rm } from "node:fs/promises";
import { join } from "node:path";
import { type Demonstration, readDemoFile } from "../../src/cli/demo/demo-file.ts";
import { authorizePath, Browser, exchange, newPkce, redeem, signIn } from "../support/browser.ts";
import { eventually } from "../support/eventually.ts";
import { freePort } from "../support/free-port.ts";
import { call } from "../support/http.ts";
import { newStoreFolder } from "../support/memory.ts";
import { openProcesses, type ProcessGatehouse, startProgram } from "../support/processes.ts";
import { withScope } from "../support/scope.ts";
import { makeWorld, present, REDIRECT_URI, type World } from "../support/world.ts";

interface Side {
  readonly url: string;
  readonly world: Pick<World, "application">;
  readonly apiKey: string;
  readonly instanceIntegrationId: string;
  readonly accessToken: string;
  readonly refreshToken: string;
  readonly redirectUri: string;
  readonly browser: Browser;
}

interface Tokens {
  readonly access_token: string;
  readonly refresh_token: string;
}

const challengeOf = ({ challenge }: { readonly challenge: string }) => ({
  code_challenge: challenge,
  code_challenge_method: "S256",
});

describe("a demo environment beside the production one (R-S21)", () => {
  withScope((closeLater) => {
    let inUse: Side;
    let demo: Side;

    beforeAll(async () => {
      inUse = await production(await openProcesses(closeLater));
      demo = await demonstration();
    });

    async function production(gatehouse: ProcessGatehouse): Promise<Side> {
      const world = await makeWorld(gatehouse);
      const signedIn = await signedInTokens(gatehouse.url, world, REDIRECT_URI, world);
      return { url: gatehouse.url, world, ...world, ...signedIn };
    }

    async function demonstration(): Promise<Side> {
      const folder = await newStoreFolder("gh-demo-");
      closeLater(() => rm(folder, { recursive: true, force: true }));
      const [publicPort, managementPort, samplePort] = [await freePort(), await freePort(), await freePort()];
      const places = [
        `--data-directory=${folder}`,
        `--public-port=${publicPort}`,
        `--management-port=${managementPort}`,
      ];
      const program = startProgram(["demo", ...places, `--sample-url=http://localhost:${samplePort}`], managementPort);
      closeLater(async () => void (await program.end("SIGKILL")));
      await eventually(
        async () => program.output(),
        (text) => text.includes("Ctrl-C ends everything.") || program.child.exitCode !== null,
        60_000,
      );
      const made = present(await readDemoFile(join(folder, "demo.json"))) as Demonstration;
      const { clientId: id, clientSecret: secret, redirectUri } = made.application;
      const world = { application: { id, secret } } as World;
      const person = present(made.people[0]);
      const url = `http://localhost:${publicPort}`;
      const signedIn = await signedInTokens(url, world, redirectUri, person);
      const instanceIntegrationId = made.unfinished.instanceIntegrationId;
      return { url, world, apiKey: made.apiKey, instanceIntegrationId, ...signedIn };
    }

    async function signedInTokens(
      url: string,
      world: World,
      redirectUri: string,
      person: { readonly email: string; readonly password?: string },
    ) {
      const browser = new Browser(url);
      const pkce = newPkce();
      const path = authorizePath(world, { redirect_uri: redirectUri, ...challengeOf(pkce) });
      const code = (await signIn(browser, path, person)).searchParams.get("code") ?? "";
      const tokens = (
        await redeem(url, world, code, { redirect_uri: redirectUri, code_verifier: pkce.verifier })
      ).json<Tokens>();
      return { browser, redirectUri, accessToken: tokens.access_token, refreshToken: tokens.refresh_token };
    }

    const sides = () =>
      [
        [inUse, demo],
        [demo, inUse],
      ] as const;
    const each = <T>(ask: (at: Side, of: Side) => Promise<T>) => Promise.all(sides().map(([at, of]) => ask(at, of)));

    it("has an issuer and keys of its own", async () => {
      const documents = await each(async ({ url }) =>
        (await call(url, "/.well-known/openid-configuration")).json<{ issuer: string }>(),
      );
      expect(documents.map(({ issuer }) => issuer)).toEqual([inUse.url, demo.url]);
      const keys = await each(async ({ url }) =>
        (await call(url, "/.well-known/jwks.json")).json<{ keys: { kid: string }[] }>(),
      );
      const ids = keys.flatMap((set) => set.keys.map(({ kid }) => kid));
      expect(new Set(ids).size).toBe(ids.length);
    });

    it("rejects the other's tokens, applications, keys and sessions, and the other its own", async () => {
      const userinfo = (url: string, token: string) =>
        call(url, "/auth/userinfo", { headers: { authorization: `Bearer ${token}` } });
      expect(await each(async ({ url, accessToken }) => (await userinfo(url, accessToken)).status)).toEqual([200, 200]);
      expect(await each(async ({ url }, { accessToken }) => (await userinfo(url, accessToken)).status)).toEqual([
        401, 401,
      ]);

      const refresh = (url: string, { world, refreshToken }: Side) =>
        exchange(url, world as World, { grant_type: "refresh_token", refresh_token: refreshToken });
      const strangers = await each(
        async ({ url }, other) => (await refresh(url, other)).json<{ error: string }>().error,
      );
      expect(strangers).toEqual(["invalid_client", "invalid_client"]);

      const list = (url: string, apiKey: string) =>
        call(url, "/v1/instance-integrations", { headers: { "x-api-key": apiKey } });
      expect(await each(async ({ url, apiKey }) => (await list(url, apiKey)).status)).toEqual([200, 200]);
      expect(await each(async ({ url }, { apiKey }) => (await list(url, apiKey)).status)).toEqual([401, 401]);

      const visit = async ({ url, world, redirectUri }: Side, cookies: Browser["cookies"]) => {
        const visitor = new Browser(url);
        for (const [name, value] of cookies) visitor.cookies.set(name, value);
        const { path, left } = await visitor.follow(
          authorizePath(world as World, { redirect_uri: redirectUri, ...challengeOf(newPkce()) }),
        );
        return left?.origin ?? path.split("?")[0];
      };
      const back = sides().map(([{ redirectUri }]) => new URL(redirectUri).origin);
      expect(await each((at) => visit(at, at.browser.cookies))).toEqual(back);
      expect(await each((at, { browser }) => visit(at, browser.cookies))).toEqual(["/auth/login", "/auth/login"]);
    });
  });
});
