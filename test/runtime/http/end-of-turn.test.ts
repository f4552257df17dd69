import { setImmediate as endOfTurn } from "node:timers/promises";
import { startEdgeServer } from "../../../src/runtime/http/edge-server.ts";
import { atEndOfTurn } from "../../../src/runtime/http/end-of-turn.ts";
import { type AnyReply, area } from "../../../src/runtime/http/operation.ts";
import { createMetrics } from "../../../src/runtime/process/metrics.ts";
import { call } from "../../support/http.ts";
import { seededRandom } from "../../support/random.ts";
import { silentLog } from "../../support/silent-log.ts";

let nowMs = 0;

beforeEach(() => {
  jest.spyOn(performance, "now").mockImplementation(() => nowMs);
});

afterEach(() => {
  jest.restoreAllMocks();
});

describe("what is sent at the end of a turn", () => {
  const sent: string[] = [];
  const pass = atEndOfTurn<string>((one) => sent.push(one));

  beforeEach(() => {
    sent.length = 0;
  });

  it("waits for what the turn still does, and goes in order", async () => {
    pass("first");
    await Promise.resolve();
    pass("second");
    expect(sent).toEqual([]);
    await endOfTurn();
    expect(sent).toEqual(["first", "second"]);
  });

  it("goes at the end of each turn", async () => {
    pass("first");
    await endOfTurn();
    pass("second");
    expect(sent).toEqual(["first"]);
    await endOfTurn();
    expect(sent).toEqual(["first", "second"]);
  });

  it("goes with the next one when the turn is long, each once", async () => {
    pass("first");
    nowMs += 2;
    expect(sent).toEqual([]);
    pass("second");
    expect(sent).toEqual(["first", "second"]);
    pass("third");
    expect(sent).toEqual(["first", "second"]);
    await endOfTurn();
    expect(sent).toEqual(["first", "second", "third"]);
  });
});

describe("answers of one turn", () => {
  const contract = {
    openapi: "3.1.0",
    info: { title: "Turns", version: "1" },
    paths: {
      "/quick": { get: { operationId: "quick", responses: { "200": { description: "Ready at once." } } } },
      "/made": { get: { operationId: "made", responses: { "200": { description: "Made while it is sent." } } } },
      "/slower": { get: { operationId: "slower", responses: { "200": { description: "Ready some steps later." } } } },
    },
  };
  const told: string[] = [];
  /** Says when it becomes a text, which is when it is sent. */
  const body = (name: string) => ({
    toJSON: () => {
      told.push(`${name} sent`);
      return { name };
    },
  });
  let asked = 0;
  let bothAsked = Promise.withResolvers<void>();
  const turn = () => {
    if (++asked === 2) bothAsked.resolve();
    return bothAsked.promise;
  };
  /** What the quick one answers with. */
  let headers: Readonly<Record<string, string>> = {};

  const operations = {
    quick: {
      handle: async (): Promise<AnyReply> => {
        await turn();
        told.push("quick ready");
        return { status: 200, headers, body: body("quick") };
      },
    },
    made: {
      handle: async (): Promise<AnyReply> => {
        await turn();
        told.push("made ready");
        const chunks = (async function* () {
          yield "{}";
        })();
        return { status: 200, chunks: Object.assign(chunks, { discard: () => void told.push("made discarded") }) };
      },
    },
    slower: {
      handle: async (): Promise<AnyReply> => {
        await turn();
        for (let step = 0; step < 100; step++) await Promise.resolve();
        told.push("slower ready");
        return { status: 200, body: body("slower") };
      },
    },
  };
  let server: Awaited<ReturnType<typeof startEdgeServer>>;

  beforeAll(async () => {
    const turns = area<never>({
      name: "turns",
      contract,
      operations: operations as never,
      owns: () => true,
      unrouted: (status, code) => ({ status, body: { code } }),
    });
    server = await startEdgeServer({
      host: "127.0.0.1",
      port: 0,
      areas: [turns],
      log: silentLog,
      metrics: createMetrics(),
      random: seededRandom(),
    });
  });

  beforeEach(() => {
    told.length = 0;
    asked = 0;
    bothAsked = Promise.withResolvers<void>();
  });

  afterAll(() => server.stop(0));

  const both = () =>
    Promise.all(
      ["/quick", "/slower"].map(async (path) => {
        const answer = await call(`http://127.0.0.1:${server.port}`, path, { contract: "unchecked" });
        return [answer.status, answer.json()];
      }),
    );

  it("are sent one straight after another, when all are ready", async () => {
    headers = {};
    expect(await both()).toEqual([
      [200, { name: "quick" }],
      [200, { name: "slower" }],
    ]);
    expect(told).toEqual(["quick ready", "slower ready", "quick sent", "slower sent"]);
  });

  it("are sent though one of them has a header that HTTP cannot carry, which is 500", async () => {
    headers = { "x-broken": "a\nb" };
    expect(await both()).toEqual([
      [500, { code: "internal_error" }],
      [200, { name: "slower" }],
    ]);
    expect(told).toEqual(["quick ready", "slower ready", "slower sent"]);
  });

  it("are not waited for by one that is still being made, and that its client does not want", async () => {
    const init = { method: "HEAD", contract: "unchecked" } as const;
    const url = `http://127.0.0.1:${server.port}`;
    const answers = await Promise.all(["/made", "/slower"].map((path) => call(url, path, init)));
    expect(answers.map(({ status, text }) => [status, text])).toEqual([
      [200, ""],
      [200, ""],
    ]);
    expect(told).toEqual(["made ready", "made discarded", "slower ready", "slower sent"]);
  });
});
