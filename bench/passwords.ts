import { execFileSync } from "node:child_process";
import { availableParallelism } from "node:os";
import { type Installation, startInstallation } from "../harness/installation.ts";
import { formTokenOf, signedInProvider } from "./sign-on.ts";
import { type Connections, openConnections } from "./support/http.ts";
import { measure } from "./support/load.ts";
import { authorizeOnce, authorizePath, challengeOf, FORM, Jar, newVerifier, redeemOnce } from "./support/provider.ts";
import { benchWorld, connectPeers, PASSWORD, REDIRECT_URI, type World } from "./support/world.ts";

/** OWASP's minimum, which is the product's default. */
const COST = { memoryKib: 19_456, passes: 2 };
/** The product's default (`password-hash-concurrency`). */
const AT_ONCE = Math.max(1, Math.min(3, availableParallelism() - 1));
const PATHS = { authorize: "/auth/authorize", token: "/auth/token", userinfo: "/auth/userinfo" };

/** A login form that waits for its password. */
interface OpenForm {
  readonly path: string;
  readonly headers: Record<string, string>;
  readonly formToken: string;
}

/** Sign-ins by password, compared with bare argon2id; token calls during a flood of sign-ins. */
export async function benchPasswords(signIns: number, tokenCalls: number): Promise<readonly string[]> {
  const settings = {
    "password-memory-kib": String(COST.memoryKib),
    "password-passes": String(COST.passes),
    // The flood must be hashed: a throttled one costs nothing.
    "sign-in-failures-per-email": "0",
    "sign-in-failures-per-network": "0",
  };
  const installation = await startInstallation(undefined, false, { settings });
  const peers = connectPeers(installation.socketDirectory);
  const world = await benchWorld(peers);
  try {
    return [
      await signInsBesideHashes(installation, world, signIns),
      await tokensBesideFlood(installation, world, tokenCalls),
    ];
  } finally {
    await peers.close();
    await installation.stop();
  }
}

async function signInsBesideHashes(installation: Installation, world: World, signIns: number): Promise<string> {
  const connections = openConnections(installation.url, 16);
  const warmUp = 20;
  const forms = await openForms(connections, world, signIns + warmUp);
  const { perSecond } = await measure({
    operations: signIns,
    concurrency: AT_ONCE * 2,
    warmUp,
    cpu: installation.cpu,
    run: async (index) => void (await submit(connections, forms[index], world.email, PASSWORD, [303])),
  });
  await connections.close();
  const words = [COST.memoryKib, COST.passes, AT_ONCE, signIns].map(String);
  const bare = Number(execFileSync(process.execPath, ["bench/floors/argon2.ts", ...words], { encoding: "utf8" }));
  return `Sign-ins by password: ${perSecond.toFixed(1)} a second; bare argon2id ${bare.toFixed(1)} (${AT_ONCE} at once, ${COST.memoryKib} KiB, ${COST.passes} passes): ${(perSecond / bare).toFixed(2)} ×.`;
}

/**
 * Token calls per second while 16 strangers try passwords as fast as they are answered, compared with the rate without
 * them.
 */
async function tokensBesideFlood(installation: Installation, world: World, tokenCalls: number): Promise<string> {
  const provider = await signedInProvider(installation, world);
  const rate = async () => {
    const codes: Awaited<ReturnType<typeof authorizeOnce>>[] = [];
    for (let index = 0; index < tokenCalls + 100; index++) codes.push(await authorizeOnce(provider));
    const run = async (index: number) => void (await redeemOnce(provider, codes[index]));
    return measure({ operations: tokenCalls, concurrency: 8, warmUp: 100, cpu: installation.cpu, run });
  };
  const alone = await rate();

  const attackers = openConnections(installation.url, 16);
  const [form] = await openForms(attackers, world, 1);
  let flooding = true;
  const statuses = new Map<string, number>();
  const flood = Array.from({ length: 16 }, async (_, index) => {
    for (let attempt = 0; flooding; attempt++) {
      const email = `stranger-${index}-${attempt}@evil.example`;
      const { text } = await submit(attackers, form, email, "a wrong password of theirs", [400, 429, 503]);
      const kind = /<h1>([^<]*)/.exec(text)?.[1] ?? "";
      statuses.set(kind, (statuses.get(kind) ?? 0) + 1);
    }
  });
  const beside = await rate();
  flooding = false;
  await Promise.all(flood);
  await attackers.close();
  await provider.connections.close();
  const attempts = [...statuses].map(([kind, count]) => `${count} × “${kind}”`).join(", ");
  return `Code → tokens: ${alone.perSecond.toFixed(0)} a second alone, ${beside.perSecond.toFixed(0)} beside a flood of sign-ins (${attempts}): ${(beside.perSecond / alone.perSecond).toFixed(2)} ×; p99 ${alone.p99Ms.toFixed(1)} and ${beside.p99Ms.toFixed(1)} ms.`;
}

async function openForms(connections: Connections, world: World, count: number): Promise<readonly OpenForm[]> {
  const known = { connections, paths: PATHS, application: world.application, redirectUri: REDIRECT_URI };
  const forms: OpenForm[] = [];
  for (let index = 0; index < count; index++) {
    const jar = new Jar();
    const path = jar.keep((await connections.send(302, authorizePath(known, challengeOf(newVerifier())))).headers);
    const page = await connections.send(200, path, { headers: jar.header });
    forms.push({ path, headers: { ...jar.header, ...FORM }, formToken: formTokenOf(page.text) });
  }
  return forms;
}

const submit = (
  connections: Connections,
  form: OpenForm | undefined,
  email: string,
  password: string,
  statuses: readonly number[],
) =>
  connections.send(statuses, form?.path ?? "", {
    method: "POST",
    headers: form?.headers ?? {},
    body: new URLSearchParams({ form_token: form?.formToken ?? "", email, password }).toString(),
  });
