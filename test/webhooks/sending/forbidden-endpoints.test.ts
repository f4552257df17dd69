import { withScope } from "../../support/scope.ts";
import { FORBIDDEN_ENDPOINTS } from "../endpoints/forbidden-endpoints.ts";
import { attemptSenderFor, attemptTo } from "./attempt-sender-kit.ts";

const STRICT = { allowHttp: false, allowedNetworks: [], allowedPorts: [] };

// A row of the store may be older than a rule; and a name leads wherever its owner says.
describe("sending to endpoints in evil spellings, whoever stored them (S44, S45, W14)", () => {
  withScope((closeLater) => {
    it.each(FORBIDDEN_ENDPOINTS)("opens no connection: %s, %j", async (_, url) => {
      const resolve = async () => [{ address: "169.254.169.254", family: 4 }];
      const connected: unknown[] = [];
      const attemptSender = attemptSenderFor(closeLater, {
        ...STRICT,
        resolve,
        connected: (connection) => void connected.push(connection),
      });
      const { outcome, trouble } = await attemptSender.send(attemptTo(url));
      expect(["address", "dns", "connection", "protocol"]).toContain(outcome);
      expect([trouble, connected]).toEqual([undefined, []]);
    });
  });
});
