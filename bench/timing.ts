import { randomInt } from "node:crypto";
import { performance } from "node:perf_hooks";
import { startInstallation } from "../harness/installation.ts";
import { makeFuzzWorld } from "../test/fuzz/known.ts";
import { keyWithLookUpOf } from "../test/support/api-keys.ts";
import { endOfTiming } from "./support/distinguished.ts";
import { openConnections } from "./support/http.ts";
import { percentile } from "./support/load.ts";
import { type RankTest, rankTest } from "./support/rank-test.ts";
import { machine } from "./support/table.ts";
import { connectPeers, present } from "./support/world.ts";

/**
 * Does the time of an answer reveal what the answer hides: a foreign id or an unknown one (R-G3), a wrong secret, a
 * revoked key or an unknown key (R-G2)? Requests of both kinds are sent in random order over one connection; their
 * times are compared by rank, and so are two unknown ones, as a control. Usage: node bench/timing.ts [requests per
 * kind]; the exit code is 1 when kinds can be distinguished.
 */

const REQUESTS = Number(process.argv[2] ?? 20_000);
const WARM_UP = 2_000;
/** One of a thousand runs may give a false alarm, for any number of comparisons. */
const P_MAX_OF_RUN = 0.001;
/** A smaller difference can be detected only with tens of thousands of requests per question. */
const SUPERIORITY_MAX = 0.02;

interface Kind {
  readonly what: string;
  readonly path: string;
  readonly key: string;
  readonly status: number;
}

interface Comparison {
  readonly what: string;
  readonly kinds: readonly [Kind, Kind];
  readonly control: boolean;
}

const installation = await startInstallation();
const peers = connectPeers(installation.socketDirectory);
const { mine, theirs, known } = await makeFuzzWorld(peers);
const connections = openConnections(installation.url, 1);

async function time({ path, key, status }: Kind): Promise<number> {
  const startedAt = performance.now();
  await connections.send(status, path, { headers: { "x-api-key": key } });
  return performance.now() - startedAt;
}

/** Both kinds in random order, so that other load on the machine affects both. */
async function compare(
  kinds: readonly [Kind, Kind],
  requests: number,
): Promise<RankTest & { medians: readonly number[] }> {
  const times: [number[], number[]] = [[], []];
  while (times[0].length < requests || times[1].length < requests) {
    const which = randomInt(2) as 0 | 1;
    times[which].push(await time(kinds[which]));
  }
  return { ...rankTest(...times), medians: times.map((some) => percentile(some, 0.5)) };
}

const below = (instanceIntegrationId: string, tenantId: string) =>
  `/v1/instance-integrations/${instanceIntegrationId}/clients/${tenantId}`;

function comparisons(revoked: string): readonly Comparison[] {
  const list: Comparison[] = [];
  const ids = (what: string, pathOf: (id: string) => string, foreign: string) => {
    const unknown = (letter: string) => `${foreign.split("_", 1)[0]}_${letter.repeat(21)}`;
    const kind = (name: string, id: string): Kind => ({ what: name, path: pathOf(id), key: mine.apiKey, status: 404 });
    const [one, other] = [kind("unknown", unknown("A")), kind("unknown, another", unknown("m"))];
    list.push({ what, kinds: [one, kind("foreign", foreign)], control: false });
    list.push({ what, kinds: [one, other], control: true });
  };
  ids("instance integration", (id) => `/v1/instance-integrations/${id}/clients`, theirs.instanceIntegrationId);
  ids("client", (id) => `${below(mine.instanceIntegrationId, id)}/workers`, theirs.tenantId);
  ids("user", (id) => `${below(mine.instanceIntegrationId, mine.tenantId)}/users/${id}`, theirs.userId);
  const foreignWorker = present(known.ids.workerId?.at(-2));
  const workers = below(mine.instanceIntegrationId, mine.tenantId).replace("/v1/", "/v2/");
  ids("worker", (id) => `${workers}/workers/${id}`, foreignWorker);

  const key = (what: string, value: string): Kind => ({
    what,
    path: "/v1/instance-integrations",
    key: value,
    status: 401,
  });
  const unknown = key("unknown", present(known.badKeys.at(-1)));
  const pairs = [key("wrong secret", keyWithLookUpOf(mine.apiKey)), key("revoked", revoked)];
  for (const other of pairs) list.push({ what: "key", kinds: [unknown, other], control: false });
  list.push({
    what: "key",
    kinds: [unknown, key("unknown, another", keyWithLookUpOf("ghk_AAAAAAAAAAAA"))],
    control: true,
  });
  return list;
}

const revoked = present(known.badKeys.find((key) => key !== ""));
console.log(`${machine()}; ${REQUESTS} requests of each kind\n`);
console.log(
  "| what | against unknown | median µs | superiority | z | p | |\n| --- | --- | ---: | ---: | ---: | ---: | --- |",
);
let distinguished = 0;
const all = comparisons(revoked);
const pMax = P_MAX_OF_RUN / all.length;
for (const { what, kinds, control } of all) {
  await compare(kinds, WARM_UP);
  const { superiority, z, p, medians } = await compare(kinds, REQUESTS);
  const differs = p < pMax && Math.abs(superiority - 0.5) > SUPERIORITY_MAX;
  if (differs && !control) distinguished++;
  const microseconds = medians.map((median) => (median * 1000).toFixed(1)).join(" / ");
  const verdict = differs ? "can be distinguished" : p < pMax ? "a trace" : "nothing";
  const figures = [
    microseconds,
    superiority.toFixed(4),
    z.toFixed(2),
    p.toExponential(1),
    control ? `control: ${verdict}` : verdict,
  ];
  console.log(`| ${[what, kinds[1].what, ...figures].join(" | ")} |`);
}
await endOfTiming(
  distinguished,
  () => connections.close(),
  () => peers.close(),
  () => installation.stop(),
);
