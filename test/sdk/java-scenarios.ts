import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { type Command, type Driver, startDriver } from "../conformance/sdk-driver.ts";
import { type Closer, withScope } from "../support/scope.ts";

const API_KEY = "ghk_published";

interface Request {
  readonly method: string;
  readonly path: string;
  readonly body: string;
}
interface Answer {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
}
/** Undefined for no answer at all. */
type Answering = (request: Request) => Answer | undefined;

/** A server that answers as it is told, and remembers what it was asked. */
async function startServer(closeLater: (closer: Closer) => void) {
  let answering: Answering = () => undefined;
  let seen: Request[] = [];
  const server = createServer(async (asked, reply) => {
    const [path = ""] = (asked.url ?? "").split("?");
    const request = { method: asked.method ?? "", path, body: await text(asked) };
    seen.push(request);
    const answer = answering(request);
    if (answer === undefined) return;
    reply
      .writeHead(answer.status, answer.headers)
      .end(answer.body === undefined ? undefined : JSON.stringify(answer.body));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  closeLater(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    begin(answers: Answering) {
      seen = [];
      answering = answers;
    },
    seen: (): readonly Request[] => seen,
  };
}

/** What the hand-written layer of the Java SDK does beside that which all languages share scenarios of. */
export function javaScenarios(command: () => Command): void {
  withScope((closeLater) => {
    let server: Awaited<ReturnType<typeof startServer>>;
    let driver: Driver;
    beforeAll(async () => {
      server = await startServer(closeLater);
      driver = startDriver(closeLater, command());
    });

    const operation = (operationId: string, parameters: Readonly<Record<string, string>>, body: unknown) =>
      driver.ask({
        ...{ baseUrl: server.url, operationId, parameters, body },
        ...{ apiKey: API_KEY, basic: null, bearer: null, headers: {} },
      });

    describe("members that can be null", () => {
      const sent = async (changes: unknown) => {
        server.begin(() => ({ status: 200, headers: { "content-type": "application/json" }, body: {} }));
        await operation("updateSubscription", { subscriptionId: "subscription_1" }, changes);
        return server.seen().map(({ method, body }) => [method, JSON.parse(body)]);
      };

      it("sends null where it was set: a subscription becomes pull-only", async () => {
        const changes = { endpointUrl: null, description: "pull-only" };
        expect(await sent(changes)).toEqual([["PATCH", changes]]);
      });

      it("sends nothing of a member that was not set", async () => {
        expect(await sent({ description: "as before" })).toEqual([["PATCH", { description: "as before" }]]);
      });
    });
  });
}
