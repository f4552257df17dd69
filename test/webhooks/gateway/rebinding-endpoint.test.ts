import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { eventually } from "../../support/eventually.ts";
import { withScope } from "../../support/scope.ts";
import { eachStore } from "../../support/stores.ts";
import { type IntegratorApi, openIntegratorApi } from "./integrator-kit.ts";

const PATH = "/v1/webhooks/subscriptions";
/** That of somebody outside, which may be sent to; and that of something inside. */
const [OUTSIDE, INSIDE] = ["127.0.0.2", "127.0.0.1"];
const CALL = { deadlineMs: 20_000 };

eachStore((_, open) => {
  describe("a name that leads inside after it was checked (S45, R-E11, W12)", () => {
    withScope((closeLater) => {
      let api: IntegratorApi;
      let leadsTo: string;
      let subscriptionId: string;
      let received: { readonly outside: number; readonly inside: number };
      beforeEach(async () => {
        const counts = { outside: 0, inside: 0 };
        received = counts;
        const listen = async (host: string, port: number, count: () => void): Promise<number> => {
          const server: Server = createServer((request, response) => {
            request.resume();
            response.writeHead(204, { connection: "close" }).end();
          });
          server.on("connection", count);
          await new Promise<void>((done) => server.listen(port, host, done));
          closeLater(() => new Promise((done) => server.close(() => done())));
          return (server.address() as AddressInfo).port;
        };
        const port = await listen(OUTSIDE, 0, () => counts.outside++);
        await listen(INSIDE, port, () => counts.inside++);
        leadsTo = OUTSIDE;
        api = await openIntegratorApi(
          open,
          { "webhook-allowed-networks": `${OUTSIDE}/32` },
          { resolve: async () => [{ address: leadsTo, family: 4 }] },
        );
        closeLater(() => api.gateway.stop());
        const running = api.kit.run();
        closeLater(() => running.stop());
        subscriptionId = await api.subscribe(api.mine, { endpointUrl: `http://rebinds.example:${port}/hooks` });
        const state = () => api.mineOf<{ readonly state: string }>("GET", `${PATH}/${subscriptionId}`);
        expect(await eventually(state, (shown) => shown.state === "active")).toMatchObject({ state: "active" });
        leadsTo = INSIDE;
      });

      const outcomes = async () => (await api.kit.deliveries()).slice(1).map(({ attempts }) => attempts[0]);

      it.each<[string, () => Promise<unknown>]>([
        ["an operator's ping", () => api.kit.subscriptions.pingSubscription({ subscriptionId, waitMs: 10_000 }, CALL)],
        ["an integration's ping", () => api.mineOf("POST", `${PATH}/${subscriptionId}/ping`)],
        [
          "an operator's test event",
          () => api.kit.testEvents.triggerTestEvent({ subscriptionId, eventType: "user.updated" }),
        ],
        [
          "an integration's test event",
          () => api.mineOf("POST", `${PATH}/${subscriptionId}/test-events`, { type: "user.updated" }),
        ],
      ])("is not sent to: %s", async (__, send) => {
        await send();
        const [outcome] = await eventually(outcomes, ([first]) => first !== undefined && first !== "in_flight");
        expect([outcome, received]).toEqual(["address", { outside: 1, inside: 0 }]);
      });
    });
  });
});
