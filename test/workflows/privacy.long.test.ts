import { hostname } from "node:os";
import { historyToJSON } from "@temporalio/common/lib/proto-utils.js";
import { describeWith } from "../support/optional-part.ts";
import { withScope } from "../support/scope.ts";
import { openTemporal, temporalPart } from "../support/temporal-server.ts";
import { openRetryKit } from "../webhooks/retry-kit.ts";
import { workflowIdOf } from "./trouble.ts";

describeWith(temporalPart(), "what Temporal receives (R-E15)", () => {
  withScope((closeLater) => {
    it("contains no secret, e-mail address, endpoint or body, in histories and in the server's store", async () => {
      const temporal = await openTemporal(closeLater);
      const kit = await openRetryKit(closeLater, { flags: { "temporal-address": temporal.address } });
      const one = await kit.subscriber("watched");
      const marked = "marked-answer-of-the-endpoint";
      const answer = { status: 500, body: marked } as const;
      one.receiver.answerNext(answer, answer, answer);
      await one.emit();
      const { id } = await one.settled();
      const handle = temporal.client.workflow.getHandle(workflowIdOf("watched", id));
      await handle.result().catch(() => undefined);
      const history = historyToJSON(await handle.fetchHistory());
      const decoded = history.replaceAll(/"data": ?"([^"]+)"/g, (_, data: string) =>
        Buffer.from(data, "base64").toString(),
      );
      await temporal.end("SIGTERM");

      const secret = one.receiver.secret ?? "";
      const forbidden = [
        secret,
        secret.slice("whsec_".length),
        "watched@harbour.example",
        "Maren",
        one.receiver.url,
        marked,
        "/workflows/",
        "node_modules",
      ];
      const places = [decoded, ...temporal.stored().map((bytes) => bytes.toString("latin1"))];
      expect(decoded).not.toContain(`@${hostname()}`);
      expect(decoded).toContain("user.updated to watched, attempt 3 of 3");
      expect(places[1]).toContain("webhook-retry/user.updated/watched");
      expect(forbidden.filter((text) => places.some((place) => place.includes(text)))).toEqual([]);
    }, 90_000);
  });
});
