import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync } from "node:fs";
import { type AddressInfo, createServer } from "node:net";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { APIS, readContract } from "../../tools/sdks/merged-document.ts";
import { startMock } from "../conformance/mock.ts";
import { obtainCode } from "../support/browser.ts";
import { freePort } from "../support/free-port.ts";
import { openGatehouse } from "../support/gatehouse.ts";
import { type CallInit, call } from "../support/http.ts";
import { closingAfterAll } from "../support/scope.ts";
import { makeWorld, REDIRECT_URI, type World } from "../support/world.ts";

const ROOT = join(import.meta.dirname, "..", "..");

/** The mock as a process of its own. */
function mock(port: string, nodeFlags: readonly string[] = []) {
  const words = [...nodeFlags, "tools/mock.ts", port];
  const child = spawn(process.execPath, words, { cwd: ROOT, stdio: ["ignore", "pipe", "pipe"] });
  const ended = Promise.all([once(child, "exit"), text(child.stderr)]);
  return { child, ended: ended.then(([[code], stderr]) => ({ code, stderr })) };
}

describe("the mock as a process", () => {
  const closeLater = closingAfterAll();

  it.each(["abc", "70000", "-1", "80.5", ""])("refuses the port %j before it starts anything", async (port) => {
    const { child, ended } = mock(port);
    child.stdout.resume();
    expect(await ended).toEqual({
      code: 2,
      stderr: "A port is a whole number from 1 to 65535: node tools/mock.ts 4010\n",
    });
  });

  it("says what gives another port where its own is taken", async () => {
    const other = createServer();
    await new Promise<void>((resolve) => other.listen(0, "127.0.0.1", resolve));
    closeLater(() => new Promise<void>((resolve) => other.close(() => resolve())));
    const { port } = other.address() as AddressInfo;
    const { child, ended } = mock(String(port));
    child.stdout.resume();
    const { code, stderr } = await ended;
    expect(code).toBe(1);
    expect(stderr).toBe(`Port ${port} on 127.0.0.1 is taken by another program. Another one: make mock PORT=…\n`);
  });

  it("fails when what answers behind it was killed", async () => {
    const { child, ended } = mock(String(await freePort()));
    await once(child.stdout, "data");
    const children = readFileSync(`/proc/${child.pid}/task/${child.pid}/children`, "utf8").trim().split(" ");
    expect(children).toHaveLength(1);
    process.kill(Number(children[0]), "SIGKILL");
    expect((await ended).code).toBe(1);
  });

  it("answers though others take ports while it starts", async () => {
    const port = await freePort();
    const { child, ended } = mock(String(port), ["--import", join(ROOT, "test", "support", "taken-port.mjs")]);
    closeLater(async () => {
      child.kill("SIGTERM");
      await ended;
    });
    await once(child.stdout, "data");
    const keys = await (await fetch(`http://127.0.0.1:${port}/.well-known/jwks.json`)).json();
    expect(keys).toMatchObject({ keys: [{ kty: "RSA" }, { kty: "EC" }] });
  });

  it("answers OPTIONS as the contracts say, at the addresses of sign-on for pages of other origins too", async () => {
    const baseUrl = await startMock(closeLater);
    const addresses = APIS.flatMap(({ name }) => {
      const { paths, "x-options": isAnswered } = readContract(name);
      const answered = Object.entries(paths).filter(([, item]) => isAnswered !== undefined || "x-cors" in item);
      return answered.map(([template]) => template.replaceAll(/\{\w+\}/g, "any"));
    });
    expect(addresses.length).toBeGreaterThan(30);
    for (const address of addresses) {
      const url = `${baseUrl}${address}`;
      const { status, headers } = await fetch(url, { method: "OPTIONS" });
      expect({ address, status }).toEqual({ address, status: 204 });
      expect({ status, headers, text: "" }).toMatchContract({ method: "OPTIONS", url });
    }
  });

  it("leads to a next page of its own, which is the last one", async () => {
    const url = await startMock(closeLater);
    const path =
      "/v2/instance-integrations/installation_7Kq2mZx9Lw4TnB6RcV8Yd/clients/client_3HsYp8QdWm5KzR1XbN7Vt/workers";
    const headers = { "x-api-key": "any" };
    const first = await fetch(`${url}${path}`, { headers });
    const [, next = ""] = /^<([^>]+)>; rel="next"$/.exec(first.headers.get("link") ?? "") ?? [];
    expect(next).toContain(`${url}${path}?`);
    const second = await fetch(next, { headers });
    expect([second.status, second.headers.get("link")]).toEqual([200, null]);
  });

  it("answers HEAD and OPTIONS as the gateway does", async () => {
    const baseUrl = await startMock(closeLater);
    const url = `${baseUrl}/v1/instance-integrations`;
    const key = { headers: { "x-api-key": "any" } };
    const get = await fetch(url, key);
    const head = await fetch(url, { ...key, method: "HEAD" });
    expect([head.status, head.headers.get("content-type"), head.headers.get("etag"), await head.text()]).toEqual([
      200,
      get.headers.get("content-type"),
      get.headers.get("etag"),
      "",
    ]);
    const options = await fetch(url, { method: "OPTIONS" });
    expect([options.status, options.headers.get("allow")]).toEqual([204, "GET, HEAD, OPTIONS"]);
    const ofOne = `${baseUrl}/v1/webhooks/subscriptions/subscription_9`;
    expect((await fetch(ofOne, { method: "OPTIONS" })).headers.get("allow")).toBe("DELETE, GET, HEAD, OPTIONS, PATCH");
  });

  it("says at an address outside the contracts where they are", async () => {
    const baseUrl = await startMock(closeLater);
    for (const address of ["/", "/docs", "/v1/nothing", "/v1/instance-integrations/"]) {
      const answer = await fetch(`${baseUrl}${address}`);
      const { code, detail } = (await answer.json()) as Readonly<Record<string, unknown>>;
      const files = String(detail).match(/[\w/-]+\.(?:md|yaml)/g) ?? [];
      const type = answer.headers.get("content-type");
      expect({ address, status: answer.status, type, code, files: files.length }).toEqual({
        ...{ address, status: 404, type: "application/problem+json", code: "not_found", files: 3 },
      });
      expect(files.filter((file) => !existsSync(join(ROOT, file)))).toEqual([]);
    }
  });

  it("answers a path with malformed percent-encoding as the gateway does, and goes on", async () => {
    const baseUrl = await startMock(closeLater);
    const ask = (path: string) => call(baseUrl, path, { headers: { "x-api-key": "any" }, contract: "unchecked" });
    const [refused, next] = [
      await ask("/v1/instance-integrations/50%/clients"),
      await ask("/v1/instance-integrations"),
    ];
    const { code, detail } = refused.json<Readonly<Record<string, unknown>>>();
    expect([refused.status, refused.headers.get("content-type"), code, detail, next.status]).toEqual([
      ...[400, "application/problem+json", "invalid_request"],
      ...["The request has malformed percent-encoding in its path.", 200],
    ]);
  });

  it("answers a page with words, so that nobody takes it for one that did not load", async () => {
    const answer = await fetch(`${await startMock(closeLater)}/auth/account`);
    expect([answer.status, await answer.text()]).toEqual([200, expect.stringMatching(/<body>[^<]+<\/body>/)]);
  });

  it("reads a query to its end when a question mark is in it, and answers HEAD as GET", async () => {
    const baseUrl = await startMock(closeLater);
    const asked = async (method: string, state: string, mode: string) => {
      const query = `client_id=app_5RtGv2KmWz8QbL4XcN9Ys&response_type=code&scope=openid&state=${state}&redirect_uri=https://payroll.example/callback&response_mode=${mode}`;
      return (await fetch(`${baseUrl}/auth/authorize?${query}`, { method, redirect: "manual" })).status;
    };
    expect([await asked("GET", "a%3Fb", "form_post"), await asked("GET", "a?b", "form_post")]).toEqual([200, 200]);
    expect([await asked("GET", "a", "query"), await asked("HEAD", "a", "query")]).toEqual([302, 302]);
  });

  describe("and the product, asked for sign-on", () => {
    let urls: readonly string[];
    let world: World;
    beforeAll(async () => {
      const gatehouse = await openGatehouse(closeLater);
      world = await makeWorld(gatehouse);
      urls = [gatehouse.url, await startMock(closeLater)];
    }, 90_000);

    const BASIC = { authorization: "Basic eDp5" };
    const JSON_TYPE = { "content-type": "application/json" };
    const redirect = () =>
      new URLSearchParams({
        ...{ client_id: world.application.id, redirect_uri: REDIRECT_URI, response_type: "code" },
        ...{ scope: "openid", state: "x", code_challenge: "x".repeat(43), code_challenge_method: "S256" },
      });
    const client = () => ({ client_id: world.application.id, client_secret: world.application.secret });
    it.each<readonly [string, string, () => CallInit]>([
      ["an authorization request", "GET /auth/authorize?…", () => ({})],
      ["one as a form", "POST /auth/authorize", () => ({ form: Object.fromEntries(redirect()) })],
      ["one with nothing", "GET /auth/authorize", () => ({})],
      ["a token request without a body", "POST /auth/token", () => ({})],
      ["JSON that is none", "POST /auth/token", () => ({ body: "{", headers: JSON_TYPE })],
      ["an empty object", "POST /auth/token", () => ({ json: {} })],
      ["an unknown grant", "POST /auth/token", () => ({ json: { grant_type: "password", ...client() } })],
      [
        "a refresh token without an application",
        "POST /auth/token",
        () => ({ json: { grant_type: "refresh_token", refresh_token: "x" } }),
      ],
      ["a question for claims without a token", "GET /auth/userinfo", () => ({})],
      ["the same as a form", "POST /auth/userinfo", () => ({ form: {} })],
      ["introspection without an application", "POST /auth/introspect", () => ({ form: { token: "x" } })],
      ["introspection of nothing", "POST /auth/introspect", () => ({ form: client() })],
      ["introspection of an unknown token", "POST /auth/introspect", () => ({ form: { token: "x", ...client() } })],
      ["revocation without an application", "POST /auth/revoke", () => ({ form: { token: "x" } })],
      ["revocation of an unknown token", "POST /auth/revoke", () => ({ form: { token: "x", ...client() } })],
      [
        "a code of an application whose id is empty",
        "POST /auth/token",
        () => ({ form: { grant_type: "authorization_code", code: "x", redirect_uri: REDIRECT_URI, client_id: "" } }),
      ],
      ["introspection with an empty id", "POST /auth/introspect", () => ({ form: { token: "x", client_id: "" } })],
      ["revocation with an empty id", "POST /auth/revoke", () => ({ form: { token: "x", client_id: "" } })],
      ["a question for claims by another scheme", "GET /auth/userinfo", () => ({ headers: BASIC })],
      ["the same with a form", "POST /auth/userinfo", () => ({ form: {}, headers: BASIC })],
      ["a question for claims with an empty token", "POST /auth/userinfo", () => ({ form: { access_token: "" } })],
      [
        "a token sent twice",
        "POST /auth/userinfo",
        () => ({ form: { access_token: "x" }, headers: { authorization: "Bearer x" } }),
      ],
      ...["token", "revoke", "introspect"].map((endpoint): readonly [string, string, () => CallInit] => [
        "a secret in two places",
        `POST /auth/${endpoint}`,
        () => ({
          form: { grant_type: "refresh_token", refresh_token: "x", token: "x", ...client() },
          headers: { authorization: `Basic ${btoa(Object.values(client()).join(":"))}` },
        }),
      ]),
    ])("answer %s alike: %s", async (_, asked, init) => {
      const [method = "", path = ""] = asked.split(" ");
      const ask = async (url: string) => {
        const address = path.endsWith("?…") ? `/auth/authorize?${redirect()}` : path;
        const { status, text } = await call(url, address, { method, contract: "unchecked", ...init() });
        return [status, /"error":"(\w+)"/.exec(text)?.[1]];
      };
      const [product, mocked] = await Promise.all(urls.map(ask));
      expect(mocked).toEqual(product);
    });

    it.each(["json", "form"])(
      "give an ID token for a code and none for a refresh token, sent as %s (R-S10)",
      async (as) => {
        const members = async (url: string, grant: Record<string, string>) => {
          const init = { method: "POST", contract: "unchecked", [as]: { ...grant, ...client() } } as const;
          const answer = await call(url, "/auth/token", init);
          expect(answer.status).toBe(200);
          return answer.json<Record<string, string>>();
        };
        const redeemed = async (url: string, code: string) => {
          const grant = { grant_type: "authorization_code", code, redirect_uri: REDIRECT_URI };
          const first = await members(url, grant);
          const refresh = { grant_type: "refresh_token", refresh_token: first.refresh_token ?? "" };
          return [first, await members(url, refresh)].map((one) => Object.keys(one).toSorted());
        };
        const [product = "", mocked = ""] = urls;
        const [first, second] = await redeemed(product, await obtainCode(product, world));
        expect(await redeemed(mocked, "any")).toEqual([first, second]);
        expect([first?.includes("id_token"), second?.includes("id_token")]).toEqual([true, false]);
      },
    );

    it("leave it to Prefer where that is sent", async () => {
      const headers = { prefer: "code=200, example=withIdToken" };
      const json = { grant_type: "refresh_token", refresh_token: "any", ...client() };
      const answer = await call(urls[1] ?? "", "/auth/token", { json, headers, contract: "unchecked" });
      expect(Object.keys(answer.json<object>())).toContain("id_token");
    });
  });

  it("ends well when it is asked to", async () => {
    const { child, ended } = mock(String(await freePort()));
    await once(child.stdout, "data");
    child.kill("SIGTERM");
    expect((await ended).code).toBe(0);
  });
});
