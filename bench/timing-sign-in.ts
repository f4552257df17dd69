import { randomInt } from "node:crypto";
import { performance } from "node:perf_hooks";
import { startInstallation } from "../harness/installation.ts";
import { endOfTiming } from "./support/distinguished.ts";
import { type Connections, openConnections } from "./support/http.ts";
import { percentile } from "./support/load.ts";
import { rankTest } from "./support/rank-test.ts";
import { machine } from "./support/table.ts";
import { benchWorld, connectPeers, invitation, PASSWORD, present, REDIRECT_URI, type World } from "./support/world.ts";

/**
 * Does the time of a sign-in reveal whether an e-mail address is known (R-S17, S16)? Attempts with an unknown address,
 * a wrong password and a disabled person are sent in random order over one connection, without throttling; their times
 * are compared by rank, and so are two unknown addresses, as a control. Usage: node bench/timing-sign-in.ts [attempts
 * per kind]; the exit code is 1 when kinds can be distinguished.
 */

const ATTEMPTS = Number(process.argv[2] ?? 1_000);
/** More than the sign-ins kept for a person, so that each attempt also removes an old one. */
const WARM_UP = 60;
/** One of a thousand runs may give a false alarm, for any number of comparisons. */
const P_MAX_OF_RUN = 0.001;
const FORM = { "content-type": "application/x-www-form-urlencoded" };

interface Kind {
  readonly what: string;
  readonly email: string;
  readonly password: string;
  readonly times: number[];
}

const settings = { "sign-in-failures-per-email": "0", "sign-in-failures-per-network": "0" };
const installation = await startInstallation(undefined, false, { settings });
const peers = connectPeers(installation.socketDirectory);
const world = await benchWorld(peers);
const { user } = await peers.platform.inviteUser(invitation(world.tenantId, "lars.olsen@harbour.example"));
const disabledId = present(present(user).person).id;
await peers.signOn.setPassword({ personId: disabledId, password: PASSWORD });
await peers.platform.disablePerson({ requestId: "", personId: disabledId });
const connections = openConnections(installation.url, 1);

/** The login page of one interaction: its form's address and fields. A refused form can be sent again. */
async function openLogin(of: Connections, { application }: World) {
  const query = new URLSearchParams({
    response_type: "code",
    client_id: application.id,
    redirect_uri: REDIRECT_URI,
    scope: "openid",
    state: "timing",
  });
  const begun = await of.send(302, `/auth/authorize?${query}`);
  const path = String(begun.headers.location);
  const [cookie = ""] = [begun.headers["set-cookie"] ?? []].flat();
  const headers = { cookie: cookie.slice(0, cookie.indexOf(";")) };
  const page = await of.send(200, path, { headers });
  return { path, headers, token: /name="form_token" value="([^"]+)"/.exec(page.text)?.[1] ?? "" };
}
const login = await openLogin(connections, world);

async function time({ email, password }: Kind): Promise<number> {
  const body = new URLSearchParams({ form_token: login.token, email, password }).toString();
  const init = { method: "POST", headers: { ...login.headers, ...FORM }, body } as const;
  const startedAt = performance.now();
  await connections.send(400, login.path, init);
  return performance.now() - startedAt;
}

const kind = (what: string, email: string, password: string): Kind => ({ what, email, password, times: [] });
const WRONG = "incorrect horse battery staple";
// Addresses of one length, since the page repeats the address: its size must not affect the time.
const unknown = kind("unknown", "nora.falke@harbour.example", WRONG);
const another = kind("unknown, another", "emil.storm@harbour.example", WRONG);
const wrong = kind("wrong password", world.email, WRONG);
const disabled = kind("disabled, right password", "lars.olsen@harbour.example", PASSWORD);
const kinds = [unknown, another, wrong, disabled];

for (let count = 0; count < WARM_UP; count++) for (const one of kinds) await time(one);
while (kinds.some(({ times }) => times.length < ATTEMPTS)) {
  const one = present(kinds[randomInt(kinds.length)]);
  one.times.push(await time(one));
}

console.log(`${machine()}; ${ATTEMPTS} sign-ins of each kind and more\n`);
console.log("| compared | median ms | superiority | z | p | |\n| --- | ---: | ---: | ---: | ---: | --- |");
const pairs = [
  [unknown, wrong],
  [unknown, disabled],
  [wrong, disabled],
  [unknown, another],
] as const;
let distinguished = 0;
for (const [one, other] of pairs) {
  const { superiority, z, p } = rankTest(one.times, other.times);
  const differs = p < P_MAX_OF_RUN / pairs.length;
  const control = other === another;
  if (differs && !control) distinguished++;
  const medians = [one, other].map(({ times }) => percentile(times, 0.5).toFixed(2)).join(" / ");
  const verdict = differs ? "can be distinguished" : "nothing";
  const figures = [medians, superiority.toFixed(4), z.toFixed(2), p.toPrecision(2)];
  console.log(
    `| ${one.what} – ${other.what} | ${figures.join(" | ")} | ${control ? `control: ${verdict}` : verdict} |`,
  );
}
await endOfTiming(
  distinguished,
  () => connections.close(),
  () => peers.close(),
  () => installation.stop(),
);
