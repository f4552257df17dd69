import { closeSync, openSync, readSync, rmSync } from "node:fs";
import { join } from "node:path";
import BetterSqlite3 from "better-sqlite3";
import { startInstallation } from "../harness/installation.ts";
import { formTokenOf } from "./sign-on.ts";
import { openConnections } from "./support/http.ts";
import { lastFrame } from "./support/pages.ts";
import { authorizePath, challengeOf, FORM, Jar, newVerifier } from "./support/provider.ts";
import { benchWorld, connectPeers, PASSWORD, REDIRECT_URI } from "./support/world.ts";

/**
 * Which pages of the embedded store each request of a sign-in by password writes: the frames of SQLite's log, by the
 * table or index that the page belongs to. One browser at a time. Usage: node bench/sign-in-pages.ts [sign-ins before]
 * [sign-ins counted]
 */
const before = Number(process.argv[2] ?? 300);
const counted = Number(process.argv[3] ?? 50);

const LOG_HEADER_BYTES = 32;
const FRAME_HEADER_BYTES = 24;
const PAGE_BYTES = 4_096;

const installation = await startInstallation(undefined, true);
const peers = connectPeers(installation.socketDirectory);
const world = await benchWorld(peers);
const connections = openConnections(installation.url, 1);
const paths = { authorize: "/auth/authorize", token: "/auth/token", userinfo: "/auth/userinfo" };
const provider = { connections, paths, application: world.application, redirectUri: REDIRECT_URI };

const log = openSync(join(installation.directory, "gatehouse.sqlite-wal"), "r");
const index = openSync(join(installation.directory, "gatehouse.sqlite-shm"), "r");
/** Of each request: the pages that it wrote, for every time it was sent. */
const written = new Map<string, number[][]>();

/** Sends a request and notes the frames that it has appended; not when the log was started again meanwhile. */
async function noting<T>(what: string, send: () => Promise<T>): Promise<T> {
  const first = lastFrame(index);
  const answer = await send();
  const last = lastFrame(index);
  const pages = [];
  for (let frame = first; frame < last; frame++) {
    const header = Buffer.alloc(4);
    readSync(log, header, 0, 4, LOG_HEADER_BYTES + frame * (FRAME_HEADER_BYTES + PAGE_BYTES));
    pages.push(header.readUInt32BE());
  }
  if (last >= first) written.set(what, [...(written.get(what) ?? []), pages]);
  return answer;
}

async function signIn(): Promise<void> {
  const jar = new Jar();
  const path = () => authorizePath(provider, challengeOf(newVerifier()));
  const started = await noting("GET /auth/authorize, not signed in", () => connections.send(302, path()));
  let next = jar.keep(started.headers);
  for (const [what, fields] of [
    ["password", { email: world.email, password: PASSWORD }],
    ["consent", { decision: "approve" }],
  ] as const) {
    // The consent of an earlier sign-in is remembered.
    if (next.startsWith(REDIRECT_URI)) break;
    const page = await noting(`the page: ${what}`, () => connections.send(200, next, { headers: jar.header }));
    const body = new URLSearchParams({ form_token: formTokenOf(page.text), ...fields }).toString();
    const init = { method: "POST" as const, headers: { ...jar.header, ...FORM }, body };
    next = jar.keep((await noting(`the form: ${what}`, () => connections.send(303, next, init))).headers);
  }
  await noting("GET /auth/authorize, signed in", () =>
    connections.send(302, path(), { headers: { cookie: jar.only("gatehouse_session") } }),
  );
}

for (let count = 0; count < before; count++) await signIn();
written.clear();
for (let count = 0; count < counted; count++) await signIn();
closeSync(log);
closeSync(index);
await connections.close();
await peers.close();
await installation.stop();

const store = new BetterSqlite3(join(installation.directory, "gatehouse.sqlite"), { readonly: true });
const owners = new Map(
  (store.prepare("select pageno, name from dbstat").all() as { pageno: number; name: string }[]).map(
    ({ pageno, name }) => [pageno, name],
  ),
);
store.close();
rmSync(installation.directory, { recursive: true, force: true });
for (const [what, samples] of written) {
  const counts = Map.groupBy(samples.flat(), (page) => owners.get(page) ?? "(free)");
  const parts = [...counts].map(([name, all]) => `${name} ${(all.length / samples.length).toFixed(1)}`);
  const pages = samples.flat().length / samples.length;
  process.stdout.write(`${what}: ${pages.toFixed(1)} pages (${parts.join(", ")}), ${samples.length} requests\n`);
}
