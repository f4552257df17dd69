import { generateKeyPairSync, sign } from "node:crypto";
import { example } from "./support/gatehouse-stand-in.ts";
import { sampleSuite } from "./support/sample-suite.ts";

sampleSuite("the sample integrator signs in (authorization code, PKCE)", (context) => {
  const { get } = context;

  /** Begins a sign-in; the cookie and the state are what a browser would bring back. */
  async function begin(path = "/sign-in") {
    const response = await get(path);
    const location = new URL(response.headers.get("location") ?? "");
    const setCookie = response.headers.getSetCookie().join();
    return {
      location,
      setCookie,
      cookie: setCookie.split(";")[0] ?? "",
      state: location.searchParams.get("state") ?? "",
    };
  }
  const callback = (cookie: string, query: Record<string, string>) =>
    get(`/callback?${new URLSearchParams(query)}`, { headers: { cookie } });

  it("asks for a code with PKCE S256, state and nonce", async () => {
    const { location, setCookie } = await begin();
    expect(location.origin + location.pathname).toBe(`${context.gatehouse.url}/auth/authorize`);
    expect(Object.fromEntries(location.searchParams)).toEqual({
      response_type: "code",
      client_id: "app_5RtGv2KmWz8QbL4XcN9Ys",
      redirect_uri: `${context.sample.url}/callback`,
      scope: "openid profile email",
      state: expect.stringMatching(/^[\w-]{43}$/),
      nonce: expect.stringMatching(/^[\w-]{43}$/),
      code_challenge: expect.stringMatching(/^[\w-]{43}$/),
      code_challenge_method: "S256",
    });
    expect(setCookie).toMatch(
      /^sample_integrator_sign_in_[\w-]{43}=[\w-]+; Path=\/; Max-Age=600; HttpOnly; SameSite=Lax$/,
    );
    expect((await begin("/sign-in?again=1")).location.searchParams.get("prompt")).toBe("login");
  });

  it("explains an error that Gatehouse sends back", async () => {
    const { cookie, state } = await begin();
    const error_description = "The person <b>refused</b>.";
    const response = await callback(cookie, {
      error: "access_denied",
      error_description,
      state,
      iss: context.gatehouse.url,
    });
    expect(response.status).toBe(403);
    expect(response.headers.getSetCookie()[0]).toContain(`sample_integrator_sign_in_${state}=; Path=/; Max-Age=0`);
    const text = await response.text();
    expect(text).toContain("access_denied: The person &#60;b&#62;refused&#60;/b&#62;.");
    expect(text).toContain("What to do");
  });

  it("finishes the sign-ins of two tabs, in whichever order they come back", async () => {
    const [first, second] = [await begin(), await begin()];
    const cookie = `${first.cookie}; ${second.cookie}`;
    const back = (state: string) =>
      callback(cookie, { error: "access_denied", error_description: state, state, iss: context.gatehouse.url });
    for (const { state } of [first, second]) {
      const response = await back(state);
      expect(response.status).toBe(403);
      expect(response.headers.getSetCookie()).toEqual([
        `sample_integrator_sign_in_${state}=; Path=/; Max-Age=0; HttpOnly; SameSite=Lax`,
      ]);
      expect(await response.text()).toContain(`access_denied: ${state}`);
    }
  });

  it("drops the oldest of many sign-ins that were begun and left, so that the header stays short", async () => {
    const left = Array.from({ length: 9 }, (_, index) => `sample_integrator_sign_in_${index}=e30`);
    const response = await get("/sign-in", { headers: { cookie: left.join("; ") } });
    const [written, ...dropped] = response.headers.getSetCookie();
    expect(written).toContain("Max-Age=600");
    expect(dropped.map((header) => header.split(";")[0])).toEqual([
      "sample_integrator_sign_in_0=",
      "sample_integrator_sign_in_1=",
    ]);
  });

  it.each<[string, Record<string, string>, string]>([
    ["the state of another sign-in", { state: "another" }, "This answer belongs to another sign-in"],
    ["no state", { state: "" }, "This answer belongs to another sign-in"],
    ["another issuer", { iss: "https://evil.example" }, "This answer comes from another issuer"],
  ])("refuses an answer with %s, and does not repeat its text", async (_, change, title) => {
    const { cookie, state } = await begin();
    const query = { error: "x", error_description: "call this number", state, iss: context.gatehouse.url, ...change };
    const response = await callback(cookie, query);
    expect(response.status).toBe(400);
    expect(response.headers.getSetCookie()).toEqual([]);
    const text = await response.text();
    expect(text).toContain(title);
    expect(text).not.toContain("call this number");
  });

  it("refuses an answer without the issuer that discovery promises (RFC 9207)", async () => {
    const { cookie, state } = await begin();
    const response = await callback(cookie, { code: "c", state });
    expect(response.status).toBe(502);
    expect(await response.text()).toContain("&#34;iss&#34; (issuer) missing");
  });

  it.each(["", "sample_integrator_sign_in_s=bm90IGpzb24", "sample_integrator_sign_in_s=bnVsbA"])(
    "says that no sign-in is under way when the cookie is '%s'",
    async (cookie) => {
      const response = await callback(cookie, { code: "c", state: "s" });
      expect(response.status).toBe(400);
      expect(await response.text()).toContain("No sign-in is under way");
    },
  );

  it("explains an error of the token endpoint", async () => {
    context.gatehouse.answer("/auth/token", 400, example("sign-on/error-invalid-grant"));
    const { cookie, state } = await begin();
    const response = await callback(cookie, { code: "c", state, iss: context.gatehouse.url });
    expect(response.status).toBe(502);
    const text = await response.text();
    expect(text).toContain("invalid_grant: The authorization code was already used.");
    expect(text).toContain("Sign in again.");
  });

  /** An answer of the token endpoint with an ID token for a sign-in, signed by the key that is published. */
  const answerTokens = (location: URL) => {
    const now = Math.floor(Date.now() / 1000);
    const claims = {
      iss: context.gatehouse.url,
      sub: "person_7NcLx3QzTb8VmK5WsR2Jd",
      aud: location.searchParams.get("client_id"),
      nonce: location.searchParams.get("nonce"),
      iat: now,
      exp: now + 60,
    };
    const signed = [{ alg: "RS256", kid: "rs256-4VbXc7" }, claims]
      .map((part) => Buffer.from(JSON.stringify(part)).toString("base64url"))
      .join(".");
    const id_token = `${signed}.${sign("sha256", Buffer.from(signed), keyPair.privateKey).toString("base64url")}`;
    context.gatehouse.answer("/auth/token", 200, { ...example("sign-on/token-response"), id_token });
    context.gatehouse.answer("/.well-known/jwks.json", 200, { keys: [publicKey] });
    return id_token;
  };

  it("signs out of Gatehouse too, with the ID token, and comes back to its page (RP-Initiated Logout 1.0 §2)", async () => {
    const { cookie, state, location } = await begin();
    const idToken = answerTokens(location);
    const signedIn = await callback(cookie, { code: "c", state, iss: context.gatehouse.url });
    expect(signedIn.status).toBe(303);
    const session = signedIn.headers.getSetCookie().at(-1)?.split(";")[0] ?? "";
    const page = await get("/", { headers: { cookie: session } });
    expect(await page.text()).toContain('<form method="post" action="/sign-out/gatehouse">');
    expect(page.headers.get("content-security-policy")).toContain(`form-action 'self' ${context.gatehouse.url};`);

    const signedOut = await get("/sign-out/gatehouse", { method: "POST", headers: { cookie: session } });
    expect(signedOut.status).toBe(303);
    expect(signedOut.headers.getSetCookie()).toEqual([
      expect.stringMatching(/^sample_integrator_session=; .*Max-Age=0/),
    ]);
    const there = new URL(signedOut.headers.get("location") ?? "");
    expect(there.origin + there.pathname).toBe(`${context.gatehouse.url}/auth/logout`);
    expect(Object.fromEntries(there.searchParams)).toEqual({
      id_token_hint: idToken,
      post_logout_redirect_uri: `${context.sample.url}/`,
      client_id: "app_5RtGv2KmWz8QbL4XcN9Ys",
    });
    expect(await (await get("/", { headers: { cookie: session } })).text()).toContain("Sign in with Gatehouse");
  });

  it("leads to its page when no person is signed in any more who could sign out of Gatehouse", async () => {
    const response = await get("/sign-out/gatehouse", { method: "POST" });
    expect([response.status, response.headers.get("location")]).toEqual([303, "/"]);
  });

  it("rejects an ID token that is not signed by the published keys", async () => {
    const { cookie, state, location } = await begin();
    const now = Math.floor(Date.now() / 1000);
    const claims = {
      iss: context.gatehouse.url,
      sub: "person_7NcLx3QzTb8VmK5WsR2Jd",
      aud: location.searchParams.get("client_id"),
      nonce: location.searchParams.get("nonce"),
      iat: now,
      exp: now + 60,
    };
    const parts = [{ alg: "RS256", kid: "rs256-4VbXc7" }, claims].map((part) =>
      btoa(JSON.stringify(part)).replaceAll("=", ""),
    );
    const id_token = [...parts, "c2ln"].join(".");
    context.gatehouse.answer("/auth/token", 200, { ...example("sign-on/token-response"), id_token });
    context.gatehouse.answer("/.well-known/jwks.json", 200, { keys: [publicKey] });
    const response = await callback(cookie, { code: "c", state, iss: context.gatehouse.url });
    expect(response.status).toBe(502);
    expect(await response.text()).toContain("JWT signature verification failed");
    expect(response.headers.getSetCookie().join()).not.toContain("session");
  });
});

const keyPair = generateKeyPairSync("rsa", { modulusLength: 2048 });

const publicKey = {
  ...keyPair.publicKey.export({ format: "jwk" }),
  kid: "rs256-4VbXc7",
  use: "sig",
  alg: "RS256",
};
