import { generateKeyPairSync, X509Certificate } from "node:crypto";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { createMetrics } from "../../src/runtime/process/metrics.ts";
import type { TemporalTls } from "../../src/runtime/temporal/link.ts";
import { temporalWorker } from "../../src/runtime/temporal/worker-loop.ts";
import { type Certificate, issuedBy, opensslPart, selfSigned } from "../support/certificates.ts";
import { eventually } from "../support/eventually.ts";
import { newFolder } from "../support/folder.ts";
import { describeWith } from "../support/optional-part.ts";
import { withScope } from "../support/scope.ts";
import { silentLog } from "../support/silent-log.ts";
import { steadyCredentials } from "../support/steady-credentials.ts";
import { type DoorOptions, openTemporalDoor } from "../support/temporal-door.ts";
import { openTemporal, type TemporalServer, temporalPart } from "../support/temporal-server.ts";
import { openRetryKit, outcomesOf } from "../webhooks/retry-kit.ts";
import { workflowIdOf } from "./trouble.ts";

const KEY = "a-key-that-the-door-knows";

describeWith(temporalPart(), "a Temporal server behind TLS that asks for a certificate and an API key", () =>
  describeWith(opensslPart(), "spoken to", () =>
    withScope((closeLater) => {
      let temporal: TemporalServer;
      let address: string;
      /** Of a door that speaks TLS 1.2. */
      let older: string;
      let authority: Certificate;
      let right: Required<TemporalTls>;
      let visitors: Certificate;
      let keys: readonly string[];
      beforeEach(() => {
        keys = [KEY];
      });
      /** Of whom the door let in last. */
      let guest: Parameters<DoorOptions["accepts"]>[0];
      beforeAll(async () => {
        authority = selfSigned("authority.example");
        visitors = selfSigned("visitors.example");
        const { cert: certificate, key } = issuedBy(visitors, "gatehouse.example");
        right = { authorities: authority.cert, serverName: "temporal.example", own: { certificate, key } };
        temporal = await openTemporal(closeLater);
        const own = issuedBy(authority, "temporal.example");
        const accepts: DoorOptions["accepts"] = (visitor) => {
          const isAccepted = keys.includes(visitor.apiKey);
          if (isAccepted) guest = visitor;
          return isAccepted;
        };
        const door = { address: temporal.address, own, visitors, accepts };
        address = await openTemporalDoor(closeLater, door);
        older = await openTemporalDoor(closeLater, { ...door, maxVersion: "TLSv1.2" });
      });

      it("runs the retries, as any other", async () => {
        const flags = {
          "temporal-address": address,
          "temporal-tls": "true",
          "temporal-tls-ca": right.authorities ?? "",
          "temporal-tls-server-name": right.serverName ?? "",
          "temporal-tls-certificate": right.own?.certificate ?? "",
          "temporal-tls-key": right.own?.key ?? "",
          "temporal-api-key": KEY,
        };
        const kit = await openRetryKit(closeLater, { flags });
        const one = await kit.subscriber("behind-a-door");
        one.receiver.answerNext({ status: 503 });
        await one.emit();
        const delivery = await one.settled();
        const handle = temporal.client.workflow.getHandle(workflowIdOf("behind-a-door", delivery.id));
        expect(outcomesOf(delivery)).toEqual(["refused", "acknowledged"]);
        expect(await handle.result()).toBe("Delivered at attempt 2 of 3.");
      }, 90_000);

      it("goes on with credentials whose files were replaced, without a restart (R-X440)", async () => {
        const folder = newFolder("gh-temporal-credentials-");
        const fileOf = (name: string, content: string) => {
          writeFileSync(join(folder, name), content, { mode: 0o600 });
          return join(folder, name);
        };
        const give = (own: Certificate, apiKey: string) => ({
          "temporal-tls-certificate-file": fileOf("certificate", own.cert),
          "temporal-tls-key-file": fileOf("key", own.key),
          "temporal-api-key-file": fileOf("api-key", apiKey),
        });
        const flags = {
          "temporal-address": address,
          "temporal-tls": "true",
          "temporal-tls-ca": authority.cert,
          "temporal-tls-server-name": "temporal.example",
          ...give(issuedBy(visitors, "gatehouse.example"), KEY),
        };
        const kit = await openRetryKit(closeLater, { flags });
        const retried = async (label: string) => {
          const one = await kit.subscriber(label);
          one.receiver.answerNext({ status: 503 });
          await one.emit();
          return outcomesOf(await one.settled());
        };
        expect(await retried("before")).toEqual(["refused", "acknowledged"]);
        const own = issuedBy(visitors, "gatehouse.example");
        const next = { apiKey: "the-next-key", serial: new X509Certificate(own.cert).serialNumber };
        keys = [KEY, next.apiKey];
        give(own, next.apiKey);
        expect(
          await eventually(
            async () => guest,
            ({ serial }) => serial === next.serial,
          ),
        ).toEqual(next);
        const page = await (await fetch(`${kit.gatehouse.programs.all?.managementUrl}/metrics`)).text();
        const ends = new X509Certificate(own.cert).validToDate.getTime() / 1000;
        expect(page).toContain(`\ngatehouse_temporal_certificate_expiry_seconds ${ends}\n`);
        keys = [next.apiKey];
        expect(await retried("after")).toEqual(["refused", "acknowledged"]);
      }, 120_000);

      const ofOtherKind = () =>
        generateKeyPairSync("ec", { namedCurve: "P-521" })
          .privateKey.export({ type: "pkcs8", format: "pem" })
          .toString();

      it.each<[string, () => { tls?: TemporalTls | undefined; apiKey?: string; address?: string }, string]>([
        [
          "without a known authority",
          () => ({ tls: { ...right, authorities: undefined } }),
          "The certificate of the server at ADDRESS is not trusted, or is for another name. See temporal-tls-ca and temporal-tls-server-name.",
        ],
        [
          "that has another name",
          () => ({ tls: { ...right, serverName: undefined } }),
          "The certificate of the server at ADDRESS is not trusted, or is for another name. See temporal-tls-ca and temporal-tls-server-name.",
        ],
        [
          "that is shown no certificate",
          () => ({ tls: { ...right, own: undefined } }),
          "The server at ADDRESS ends our connections: does it want TLS, or a certificate? See temporal-tls and temporal-tls-certificate.",
        ],
        [
          "that is shown no certificate, by TLS 1.2",
          () => ({ address: older, tls: { ...right, own: undefined } }),
          "The server at ADDRESS ends our connections: does it want TLS, or a certificate? See temporal-tls and temporal-tls-certificate.",
        ],
        [
          "that is to be shown a certificate whose key the client cannot use",
          () => ({ tls: { ...right, own: { certificate: right.own?.certificate ?? "", key: ofOtherKind() } } }),
          "temporal-tls-key is of a kind that Temporal's client cannot use. Give a certificate with a key of RSA, P-256, P-384 or Ed25519.",
        ],
        [
          "that gets another key",
          () => ({ apiKey: "another" }),
          "The server at ADDRESS refuses us. See temporal-api-key.",
        ],
        [
          "that is called without TLS",
          () => ({ tls: undefined }),
          "The server at ADDRESS ends our connections: does it want TLS, or a certificate? See temporal-tls and temporal-tls-certificate.",
        ],
      ])("%s: one line says what to check (R-X74)", async (_, changed, sentence) => {
        const place = { address, tls: right, apiKey: KEY, ...changed() };
        const { loop, check } = temporalWorker({
          address: place.address,
          credentials: steadyCredentials(place),
          namespace: "default",
          bundle: () => Promise.reject(new Error("Nobody gets so far.")),
          failureConverterPath: "",
          activities: {},
          searchAttributes: [],
          activitySlots: 1,
          graceMs: 100,
          log: silentLog,
          metrics: createMetrics(),
        });
        const ending = new AbortController();
        const running = loop.run(ending.signal);
        const expected = sentence.replace("ADDRESS", place.address);
        // On a busy machine its first look may have no answer in time.
        const told = await eventually(check.check, (trouble) => trouble === expected);
        ending.abort();
        await running;
        expect(told).toBe(expected);
      });
    }),
  ),
);
