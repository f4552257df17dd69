import { freePort, type Installation, startInstallation } from "../harness/installation.ts";
import { cpuMicroseconds } from "../harness/process-cost.ts";
import { openConnections } from "./support/http.ts";
import { type Measured, measure, runAll, WARM_UP } from "./support/load.ts";
import { startBenchProgram } from "./support/program.ts";
import {
  authorizeOnce,
  authorizePath,
  CONCURRENCY,
  challengeOf,
  FORM,
  Jar,
  newVerifier,
  type OfCallers,
  type OfSignOn,
  operationsOfOne,
  type Provider,
  redeemOnce,
  type SignOnSeries,
  signOnSeriesOfCallers,
  type Tokens,
  userinfoOnce,
  WARM_UP_OF_ONE,
} from "./support/provider.ts";
import type { Row } from "./support/table.ts";
import { benchWorld, connectPeers, PASSWORD, REDIRECT_URI, type World } from "./support/world.ts";

/** About that of an access token. */
const TOKEN_LENGTH = 620;
const PATHS = { authorize: "/auth/authorize", token: "/auth/token", userinfo: "/auth/userinfo" };

type Floors = OfSignOn<OfCallers<Measured>> & { readonly verifiedUserinfo: OfCallers<Measured> };

/**
 * Authorize (signed in, consent remembered), code to tokens, userinfo and refresh, compared with the floors of the same
 * run.
 */
export async function benchSignOn(
  installation: Installation,
  world: World,
  operations: number,
): Promise<{ readonly rows: readonly Row[]; readonly series: OfCallers<SignOnSeries>; readonly floors: Floors }> {
  const provider = await signedInProvider(installation, world);
  const series = await signOnSeriesOfCallers(provider, operations);
  await provider.connections.close();
  const verifiedUserinfo = await userinfoOfAnotherProcess(operations);
  const floors = await signOnFloors(operations, authorizePath(provider, challengeOf(newVerifier())));
  const rows = [
    {
      what: "authorize, signed in",
      ...series.many.authorize,
      floor: { what: "query, cookie, one read, one commit", ...floors.authorize.many },
    },
    {
      what: "code → tokens",
      ...series.many.redeem,
      floor: { what: "form, RS256, ES256, one commit", ...floors.redeem.many },
    },
    {
      what: "refresh",
      ...series.many.refresh,
      floor: { what: "form, ES256, one commit", ...floors.refresh.many },
    },
    {
      what: "userinfo after the exchange",
      ...series.many.userinfo,
      floor: { what: "digest of the token, two reads", ...floors.userinfo.many },
    },
    {
      what: "userinfo, token of an earlier process",
      ...verifiedUserinfo,
      floor: { what: "ES256 verified, two reads", ...floors.verifiedUserinfo.many },
    },
  ];
  return { rows, series, floors };
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
    redeem: await floorOf(["bench/floors/token-floor.ts", "code"], operations, post),
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
): Promise<OfCallers<Measured>> {
  const program = await startBenchProgram(words);
  const connections = openConnections(`http://127.0.0.1:${program.firstLine}`, CONCURRENCY);
  const load = {
    cpu: () => cpuMicroseconds(program.pid),
    run: async () => void (await connections.send(status, path, init)),
  };
  const many = await measure({ ...load, operations, concurrency: CONCURRENCY, warmUp: WARM_UP });
  const one = await measure({
    ...load,
    operations: operationsOfOne(operations),
    concurrency: 1,
    warmUp: WARM_UP_OF_ONE,
  });
  await connections.close();
  await program.stop();
  return { many, one };
}
