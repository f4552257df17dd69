import { withScope } from "../support/scope.ts";
import { CASES } from "./cases.ts";
import { type Installations, openInstallations } from "./installations.ts";
import type { Command } from "./sdk-driver.ts";
import { startSdkSubject } from "./sdk-subject.ts";
import type { Ask } from "./set-up.ts";
import { setUpOf } from "./set-ups.ts";

/** A driver that makes the calls of `listClients` and `deleteSubscription` by itself, and then says whatever is planted. */
const driverThatSays = (planted: object, times = 1): Command => ({
  file: process.execPath,
  args: [
    "--eval",
    `
    require("node:readline").createInterface({ input: process.stdin }).on("line", async (line) => {
      const { baseUrl, operationId, parameters, apiKey } = JSON.parse(line);
      const [method, path] = operationId === "deleteSubscription"
        ? ["DELETE", "/v1/webhooks/subscriptions/" + parameters.subscriptionId]
        : ["GET", "/v1/instance-integrations/" + parameters.instanceIntegrationId + "/clients"];
      const sent = { method, headers: { "x-api-key": apiKey } };
      for (let time = 0; time < ${times}; time++) await fetch(baseUrl + path, sent);
      console.log(${JSON.stringify(JSON.stringify(planted))});
    });`,
  ],
  cwd: process.cwd(),
});

describe("an SDK with a planted mistake is found", () => {
  withScope((closeLater) => {
    let installations: Installations;
    beforeAll(async () => {
      installations = await openInstallations(closeLater);
    }, 120_000);

    const departures = async (name: string, driver: Command) => {
      const [one] = CASES.filter((row) => row.name === name) as [(typeof CASES)[number]];
      const { sdk } = await setUpOf(one, installations);
      return (await startSdkSubject(closeLater, driver, installations)).ask(one, sdk as Ask);
    };

    it.each([
      ["a list that lost its members", "listClients 200 two", { status: 200, body: [{}] }],
      ["an error that lost its code", "listClients 404 instanceIntegrationNotFound", { error: { status: 404 } }],
      ["a value where the answer is an error", "listClients 401 unauthorized", { status: 200, body: [] }],
      ["an operation that it does not have", "listClients 200 two", { unsupported: "There is none." }],
      ["an error where the answer has no body", "deleteSubscription 204", { error: { status: 204, code: "unknown" } }],
      ["an operation without an answer's body that it does not have", "deleteSubscription 204", { unsupported: "No." }],
    ])("%s", async (_, name, planted) => {
      expect(await departures(name, driverThatSays(planted))).toEqual([expect.stringContaining("the caller got")]);
    });

    it("a request that is sent twice", async () => {
      const found = await departures("listClients 200 two", driverThatSays({}, 2));
      expect(found).toContain("it was sent 2 times");
    });

    it("nothing that is sent", async () => {
      const found = await departures("listClients 200 two", driverThatSays({ refused: "no" }, 0));
      expect(found).toEqual(['nothing was sent: {"refused":"no"}']);
    });

    it("an error of another type than its one", async () => {
      const driver = driverThatSays({ crash: "TypeError: x is undefined" });
      await expect(departures("listClients 200 two", driver)).rejects.toThrow("Not the SDK's one error");
    });
  });
});
