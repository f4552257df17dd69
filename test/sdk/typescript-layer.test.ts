import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { Gatehouse, type GatehouseOptions } from "#generated/sdk/typescript/dist/gatehouse.js";
import { withScope } from "../support/scope.ts";

type Reply = (reply: ServerResponse, asked: IncomingMessage) => void;

const json =
  (body: unknown, headers: Readonly<Record<string, string>> = {}): Reply =>
  (reply) =>
    void reply.writeHead(200, { "content-type": "application/json", ...headers }).end(JSON.stringify(body));

const limited: Reply = (reply) =>
  void reply
    .writeHead(429, { "content-type": "application/problem+json", "retry-after": "1" })
    .end(JSON.stringify({ title: "Too many", status: 429, code: "too_many_requests", detail: "Later." }));

/** What the hand-written layer of the SDK in TypeScript does beyond the scenarios that all languages share. */
describe("the SDK in typescript", () => {
  withScope((closeLater) => {
    let baseUrl = "";
    let asked: IncomingMessage[] = [];
    let replies: Readonly<Record<string, Reply[]>> = {};
    beforeAll(async () => {
      const server = createServer((request, reply) => {
        asked.push(request);
        const name = new URL(request.url ?? "", "http://any").pathname.split("/").at(-2) ?? "";
        const next = replies[name]?.shift() ?? json([]);
        next(reply, request);
      });
      await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
      closeLater(async () => {
        server.closeAllConnections();
        await new Promise((resolve) => server.close(resolve));
      });
      baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    });
    /** Answers by the last id in the path: `[]` where none is given. */
    const begin = (given: Readonly<Record<string, Reply[]>>) => {
      asked = [];
      replies = given;
    };
    const open = (options: Partial<GatehouseOptions> = {}) => new Gatehouse({ baseUrl, apiKey: "key", ...options });
    const names = () => asked.map(({ url = "" }) => new URL(url, "http://any").pathname.split("/").at(-2));

    describe("reads of one key (R-X220)", () => {
      it("sends other reads while one waits for events", async () => {
        let answerPoll = () => {};
        const held: Reply = (reply) => {
          answerPoll = () => json({ data: [], next: "cursor" })(reply, reply.req);
        };
        begin({ subscription: [limited, held] });
        const gatehouse = open();
        const poll = gatehouse.gateway.readEvents({ subscriptionId: "subscription", wait: 25 });
        const read = gatehouse.jobTitles("integration", "a");
        expect(await read).toEqual([]);
        const again = await gatehouse.jobTitles("integration", "b");
        expect(again).toEqual([]);
        answerPoll();
        expect(await poll).toMatchObject({ next: "cursor" });
      }, 10_000);

      it("keeps the place of a read that is over the limit again, in front of those that came later", async () => {
        begin({ a: [limited, limited] });
        const gatehouse = open();
        const first = gatehouse.jobTitles("integration", "a");
        await pause(200);
        const second = gatehouse.jobTitles("integration", "b");
        expect(await Promise.all([first, second])).toEqual([[], []]);
        expect(names()).toEqual(["a", "a", "a", "b"]);
      }, 10_000);

      it("goes on behind a read that was cancelled while it waited", async () => {
        begin({ a: [limited] });
        const gatehouse = open();
        const first = gatehouse.jobTitles("integration", "a");
        await pause(200);
        const cancelled = gatehouse.jobTitles("integration", "b", { signal: AbortSignal.timeout(100) });
        const last = gatehouse.jobTitles("integration", "c");
        await expect(cancelled).rejects.toMatchObject({ status: 0, code: "cancelled" });
        expect(await Promise.all([first, last])).toEqual([[], []]);
        expect(names()).toEqual(["a", "a", "c"]);
      }, 10_000);
    });
  });
});

const pause = (delayMs: number) => new Promise((resolve) => setTimeout(resolve, delayMs));
