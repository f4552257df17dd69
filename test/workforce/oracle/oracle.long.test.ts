import { Agent } from "node:http";
import fc from "fast-check";
import { eachStore } from "../../support/stores.ts";
import { type Gateway, startGateway } from "../gateway-fixture.ts";
import { openWorkforce, refusal, there, type Workforce } from "../workforce-fixture.ts";
import { Model } from "./model.ts";
import type { ModelEvent } from "./model-events.ts";
import { reads } from "./model-reads.ts";
import type { Meaning, Stage } from "./stage.ts";
import { anySteps, meaningOf } from "./steps.ts";

/** `make oracle` asks for more. */
const RUNS = Number(process.env.GATEHOUSE_ORACLE_RUNS ?? 4);
const STEPS = 30;

/** Each run has instances, tenants and addresses of its own, so that all may share one store. */
let run = 0;

interface Reader {
  readonly secret: string;
  /** What each path answered last, with its tag. */
  readonly seen: Map<string, { readonly tag: string; readonly body: unknown }>;
}

eachStore((_, open) => {
  let workforce: Workforce;
  let gateway: Gateway;
  const agent = new Agent({ keepAlive: true });

  beforeAll(async () => {
    workforce = await openWorkforce(open);
    gateway = await startGateway(workforce.registrations);
  });
  afterAll(() => {
    agent.destroy();
    return gateway.stop();
  });

  it("random writes: every read and every event equals a model's, for two integrations (I1, I9, I10)", async () => {
    await fc.assert(
      fc.asyncProperty(anySteps(STEPS), async (steps) => {
        const { stage, readers } = await setTheStage(workforce);
        await workforce.events();
        for (const [index, step] of steps.entries()) {
          await play(stage, step, `${stage.domain} ${index}`);
          for (const [integration, reader] of readers.entries())
            await compare(gateway, agent, reader, reads(stage.model, integration));
        }
      }),
      { numRuns: RUNS, endOnFailure: true },
    );
  }, 600_000);
});

/** Two integrations: one connected with both instances, one with the second alone. */
async function setTheStage(workforce: Workforce): Promise<{ stage: Stage; readers: readonly Reader[] }> {
  const model = new Model();
  run++;
  for (const name of ["Europe", "North America"]) model.instances.push({ id: await workforce.instance(name), name });
  const [first, second] = model.instances.map(({ id }) => id) as [string, string];
  const readers: Reader[] = [];
  const integrationIds: string[] = [];
  for (const [integration, instanceIds] of [[first, second], [second]].entries()) {
    const { integrationId, secret } = await workforce.integration();
    readers.push({ secret, seen: new Map() });
    integrationIds.push(integrationId);
    for (const instanceId of instanceIds) {
      workforce.clock.step(1);
      const request = { requestId: "", integrationId, instanceId, configured: true };
      const { id } = there((await workforce.operator.connectIntegration(request)).instanceIntegration);
      const at = workforce.clock.now();
      model.connections.push({ id, integration, instanceId, configured: true, createdAt: at, updatedAt: at });
    }
  }
  return { stage: { workforce, model, domain: `run${run}.example.com`, integrationIds }, readers };
}

/** Does the step in the product and in the model, and holds the events of the one against those of the other. */
async function play(stage: Stage, step: Parameters<typeof meaningOf>[1], requestId: string): Promise<void> {
  const { workforce } = stage;
  workforce.clock.step(1);
  const meaning = meaningOf(stage, step);
  const compared = meaning === undefined ? [] : await ends(workforce, meaning, step.repeated, requestId);
  for (const [product, model] of compared) expect([step.kind, product]).toEqual([step.kind, model]);
}

/** What the step came to in the product beside what it comes to in the model: answers and events, those of a repeat too. */
async function ends(
  workforce: Workforce,
  { call, outcome }: Meaning,
  repeated: boolean,
  requestId: string,
): Promise<readonly (readonly [product: unknown, model: unknown])[]> {
  if (typeof outcome === "string")
    return [
      [(await refusal(call(requestId))).reason, outcome],
      [await workforce.events(), []],
    ];
  const answer = await call(requestId);
  const expected = outcome(answer as never, workforce.clock.now());
  const first = [sorted(await toldBy(workforce)), sorted(expected)] as const;
  if (!repeated) return [first];
  workforce.clock.step(1);
  return [first, [await call(requestId), answer], [await workforce.events(), []]];
}

/** Events are compared as JSON has them, as a subscriber would; entries for our own domains alone are none. */
const toldBy = async (workforce: Workforce): Promise<readonly ModelEvent[]> =>
  JSON.parse(JSON.stringify((await workforce.events()).filter(({ internal }) => internal !== true))) as ModelEvent[];

const sorted = (events: readonly ModelEvent[]): readonly ModelEvent[] =>
  events.toSorted((one, other) => (key(one) < key(other) ? -1 : 1));

const key = ({ eventType, entity }: ModelEvent): string => `${eventType} ${entity.id}`;

/** Every path with what was seen there last: a 304 must mean that the model has not changed either (R-G10). */
async function compare(
  gateway: Gateway,
  agent: Agent,
  { secret, seen }: Reader,
  expected: ReadonlyMap<string, unknown>,
): Promise<void> {
  for (const [path, body] of expected) {
    const before = seen.get(path);
    const headers = before === undefined ? {} : { "if-none-match": before.tag };
    const answer = await gateway.get(path, secret, { headers, agent });
    const status = body === undefined ? 404 : answer.status === 304 ? 304 : 200;
    expect([path, answer.status]).toEqual([path, status]);
    if (status === 200) seen.set(path, { tag: there(answer.headers.get("etag")), body: answer.json() });
    expect([path, seenAt(status, seen.get(path)?.body)]).toEqual([path, body]);
  }
}

const seenAt = (status: number, body: unknown): unknown => (status === 404 ? undefined : body);
