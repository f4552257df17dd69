import { createHash, randomBytes } from "node:crypto";
import type { Connections } from "./support/http.ts";
import { openConnections } from "./support/http.ts";
import type { Installation } from "./support/installation.ts";
import { measure } from "./support/load.ts";
import { cpuMicroseconds } from "./support/process-cost.ts";
import { startBenchProgram } from "./support/program.ts";
import type { Row } from "./support/table.ts";
import { PASSWORD, REDIRECT_URI, type World } from "./support/world.ts";

const CONCURRENCY = 16;
const FORM = { "content-type": "application/x-www-form-urlencoded" };

interface IssuedCode {
  readonly code: string;
  readonly verifier: string;
}

/** Authorize (signed in, consent remembered), code to tokens, refresh and userinfo, beside the token floor. */
export async function benchSignOn(
  installation: Installation,
  world: World,
  operations: number,
): Promise<readonly Row[]> {
  const connections = openConnections(installation.url, CONCURRENCY);
  const cookie = await signInOnce(connections, world);
  const load = { operations, concurrency: CONCURRENCY, warmUp: 1_000, cpu: installation.cpu };

  const codes: IssuedCode[] = [];
  const authorize = await measure({
    ...load,
    run: async () => void codes.push(await authorizeOnce(connections, world, cookie)),
  });
  const tokens: { access_token: string; refresh_token: string }[] = [];
  const redeem = await measure({
    ...load,
    run: async (index) => void tokens.push(await redeemOnce(connections, world, codes[index])),
  });
  const refresh = await measure({
    ...load,
    run: async (index) => void (await refreshOnce(connections, world, tokens[index]?.refresh_token ?? "")),
  });
  const userinfo = await measure({
    ...load,
    run: async (index) =>
      void (await connections.send(200, "/auth/userinfo", {
        headers: { authorization: `Bearer ${tokens[index]?.access_token}` },
      })),
  });
  await connections.close();

  const floor = { what: "form, RS256, ES256, one commit", cpuMicroseconds: await tokenFloor(operations) };
  return [
    { what: "authorize, signed in", ...authorize },
    { what: "code → tokens", ...redeem, floor },
    { what: "refresh", ...refresh, floor },
    { what: "userinfo", ...userinfo },
  ];
}

function authorizePath({ application }: World, challenge: string): string {
  return `/auth/authorize?${new URLSearchParams({
    response_type: "code",
    client_id: application.id,
    redirect_uri: REDIRECT_URI,
    scope: "openid profile email",
    state: "bench",
    nonce: "bench",
    code_challenge: challenge,
    code_challenge_method: "S256",
  })}`;
}

/** Password and consent, by the forms; gives the session cookie. */
async function signInOnce(connections: Connections, world: World): Promise<string> {
  const jar = new Map<string, string>();
  const header = () => ({ cookie: [...jar].map(([name, value]) => `${name}=${value}`).join("; ") });
  const keep = (headers: Record<string, string | string[] | undefined>) => {
    for (const line of [headers["set-cookie"] ?? []].flat()) {
      const [pair = ""] = line.split(";");
      jar.set(pair.slice(0, pair.indexOf("=")), pair.slice(pair.indexOf("=") + 1));
    }
    return String(headers.location ?? "");
  };
  const challenge = createHash("sha256").update(randomBytes(32)).digest("base64url");
  let next = keep((await connections.send(302, authorizePath(world, challenge))).headers);
  for (const fields of [{ email: world.email, password: PASSWORD }, { decision: "approve" }]) {
    const page = await connections.send(200, next, { headers: header() });
    const token = /name="form_token" value="([^"]+)"/.exec(page.text)?.[1] ?? "";
    const body = new URLSearchParams({ form_token: token, ...(fields as Record<string, string>) }).toString();
    next = keep(
      (await connections.send(303, next, { method: "POST", headers: { ...header(), ...FORM }, body })).headers,
    );
  }
  return `gatehouse_session=${jar.get("gatehouse_session")}`;
}

async function authorizeOnce(connections: Connections, world: World, cookie: string): Promise<IssuedCode> {
  const verifier = randomBytes(32).toString("base64url");
  const challenge = createHash("sha256").update(verifier).digest("base64url");
  const { headers } = await connections.send(302, authorizePath(world, challenge), { headers: { cookie } });
  const code = new URL(String(headers.location)).searchParams.get("code");
  if (code === null) throw new Error(`No code came back: ${String(headers.location)}`);
  return { code, verifier };
}

async function redeemOnce(connections: Connections, { application }: World, issued: IssuedCode | undefined) {
  const body = new URLSearchParams({
    grant_type: "authorization_code",
    code: issued?.code ?? "",
    code_verifier: issued?.verifier ?? "",
    redirect_uri: REDIRECT_URI,
    client_id: application.id,
    client_secret: application.secret,
  }).toString();
  const { text } = await connections.send(200, "/auth/token", { method: "POST", headers: FORM, body });
  return JSON.parse(text) as { access_token: string; refresh_token: string };
}

async function refreshOnce(connections: Connections, { application }: World, refreshToken: string) {
  const fields = {
    grant_type: "refresh_token",
    refresh_token: refreshToken,
    client_id: application.id,
    client_secret: application.secret,
  };
  return connections.send(200, "/auth/token", {
    method: "POST",
    headers: FORM,
    body: new URLSearchParams(fields).toString(),
  });
}

async function tokenFloor(operations: number): Promise<number> {
  const program = await startBenchProgram(["bench/floors/token-floor.ts"]);
  const connections = openConnections(`http://127.0.0.1:${program.firstLine}`, CONCURRENCY);
  const body = new URLSearchParams({
    grant_type: "authorization_code",
    code: "x".repeat(43),
    code_verifier: "y".repeat(43),
  }).toString();
  const { cpuMicroseconds: cost } = await measure({
    operations,
    concurrency: CONCURRENCY,
    warmUp: 1_000,
    cpu: () => cpuMicroseconds(program.pid),
    run: async () => void (await connections.send(200, "/", { method: "POST", headers: FORM, body })),
  });
  await connections.close();
  await program.stop();
  return cost;
}
