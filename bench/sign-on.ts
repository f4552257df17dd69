import { freePort, type Installation, startInstallation } from "../harness/installation.ts";
import { cpuMicroseconds } from "../harness/process-cost.ts";
import { openConnections } from "./support/http.ts";
import { type Measured, measure, runAll } from "./support/load.ts";
import { startBenchProgram } from "./support/program.ts";
import {
  authorizeOnce,
  authorizePath,
  CONCURRENCY,
  challengeOf,
  FORM,
  Jar,
  newVerifier,
  type Provider,
  redeemOnce,
  type SignOnSeries,
  signOnSeries,
  type Tokens,
  userinfoOnce,
  WARM_UP,
} from "./support/provider.ts";
import type { Row } from "./support/table.ts";
import { benchWorld, connectPeers, PASSWORD, REDIRECT_URI, type World } from "./support/world.ts";

/** About that of an access token. */
const TOKEN_LENGTH = 620;
const PATHS = { authorize: "/auth/authorize", token: "/auth/token", userinfo: "/auth/userinfo" };

/** Cost of each floor, in CPU microseconds. */
interface Floors {
  readonly authorize: number;
  readonly code: number;
  readonly refresh: number;
  readonly userinfo: number;
  readonly verifiedUserinfo: number;
}

/**
 * Authorize (signed in, consent remembered), code to tokens, userinfo and refresh, compared with the floors of the same
 * run.
 */
export async function benchSignOn(
  installation: Installation,
  world: World,
  operations: number,
): Promise<{ readonly rows: readonly Row[]; readonly series: SignOnSeries }> {
  const provider = await signedInProvider(installation, world);
  const series = await signOnSeries(provider, operations);
  await provider.connections.close();
  const verifiedUserinfo = await userinfoOfAnotherProcess(operations);
  const floors = await signOnFloors(operations, authorizePath(provider, challengeOf(newVerifier())));
  const rows = [
    {
      what: "authorize, signed in",
      ...series.authorize,
      floor: { what: "query, cookie, one read, one commit", cpuMicroseconds: floors.authorize },
    },
    {
      what: "code → tokens",
      ...series.redeem,
      floor: { what: "form, RS256, ES256, one commit", cpuMicroseconds: floors.code },
    },
    { what: "refresh", ...series.refresh, floor: { what: "form, ES256, one commit", cpuMicroseconds: floors.refresh } },
    {
      what: "userinfo after the exchange",
      ...series.userinfo,
      floor: { what: "digest of the token, two reads", cpuMicroseconds: floors.userinfo },
    },
    {
      what: "userinfo, token of an earlier process",
      ...verifiedUserinfo,
      floor: { what: "ES256 verified, two reads", cpuMicroseconds: floors.verifiedUserinfo },
    },
  ];
  return { rows, series };
}

/** Userinfo with tokens that an earlier process signed, each once: this one has their signatures to verify. */
async function userinfoOfAnotherProcess(operations: number): Promise<Measured> {
  const settings = { "public-port": String(await freePort()) };
  const first = await startInstallation(undefined, true, { settings });
  const peers = connectPeers(first.socketDirectory);
  const world = await benchWorld(peers);
  const before = await signedInProvider(first, world);
  const tokens: Tokens[] = [];
  await runAll(operations + WARM_UP, CONCURRENCY, 0, async () => {
    tokens.push(await redeemOnce(before, await authorizeOnce(before)));
  });
  await before.connections.close();
  await peers.close();
  await first.stop();

  const second = await startInstallation(first.directory, false, { settings });
  const provider = await signedInProvider(second, world);
  try {
    const run = async (index: number) => void (await userinfoOnce(provider, tokens[index]));
    return await measure({ operations, concurrency: CONCURRENCY, warmUp: WARM_UP, cpu: second.cpu, run });
  } finally {
    await provider.connections.close();
    await second.stop();
  }
}

/** Ours, after one sign-in with password and consent. */
export async function signedInProvider(installation: Installation, world: World): Promise<Provider> {
  const connections = openConnections(installation.url, CONCURRENCY);
  const { application } = world;
  const known = { connections, paths: PATHS, application, redirectUri: REDIRECT_URI };
  const jar = new Jar();
  let next = jar.keep((await connections.send(302, authorizePath(known, challengeOf(newVerifier())))).headers);
  for (const fields of [{ email: world.email, password: PASSWORD }, { decision: "approve" }]) {
    // The consent of an earlier sign-in is remembered.
    if (next.startsWith(REDIRECT_URI)) break;
    const page = await connections.send(200, next, { headers: jar.header });
    const body = new URLSearchParams({ form_token: formTokenOf(page.text), ...(fields as Record<string, string>) });
    const headers = { ...jar.header, ...FORM };
    next = jar.keep((await connections.send(303, next, { method: "POST", headers, body: body.toString() })).headers);
  }
  return { ...known, cookie: jar.only("gatehouse_session"), cpu: installation.cpu, flushes: installation.flushes };
}

export const formTokenOf = (page: string): string => /name="form_token" value="([^"]+)"/.exec(page)?.[1] ?? "";

async function signOnFloors(operations: number, path: string): Promise<Floors> {
  const form = new URLSearchParams({
    grant_type: "authorization_code",
    code: "x".repeat(43),
    code_verifier: "y".repeat(43),
  });
  const ask = { headers: { authorization: `Bearer ${"x".repeat(TOKEN_LENGTH)}` } };
  const post = { method: "POST" as const, headers: FORM, body: form.toString() };
  return {
    authorize: await floorOf(["bench/floors/authorize-floor.ts"], operations, {
      status: 302,
      path,
      headers: { cookie: "session=secret" },
    }),
    code: await floorOf(["bench/floors/token-floor.ts", "code"], operations, post),
    refresh: await floorOf(["bench/floors/token-floor.ts", "refresh"], operations, post),
    userinfo: await floorOf(["bench/floors/userinfo-floor.ts"], operations, ask),
    verifiedUserinfo: await floorOf(["bench/floors/userinfo-floor.ts", "verified"], operations, ask),
  };
}

async function floorOf(
  words: readonly string[],
  operations: number,
  {
    status = 200,
    path = "/",
    ...init
  }: {
    readonly status?: number;
    readonly path?: string;
    readonly method?: "POST";
    readonly headers?: Record<string, string>;
    readonly body?: string;
  },
): Promise<number> {
  const program = await startBenchProgram(words);
  const connections = openConnections(`http://127.0.0.1:${program.firstLine}`, CONCURRENCY);
  const { cpuMicroseconds: cost } = await measure({
    operations,
    concurrency: CONCURRENCY,
    warmUp: WARM_UP,
    cpu: () => cpuMicroseconds(program.pid),
    run: async () => void (await connections.send(status, path, init)),
  });
  await connections.close();
  await program.stop();
  return cost;
}
