import { createSecretKey } from "node:crypto";
import vectorsFile from "#generated/contracts/webhooks.vectors.json" with { type: "json" };
import { ApiKeyScope } from "#generated/proto/gatehouse/workforce/v1/operator.ts";
import { signatures } from "../../src/webhooks/queue/signature.ts";
import { privateKeyOf } from "../../src/webhooks/secrets/key-pair.ts";
import { type Command, type Driver, startDriver } from "../conformance/sdk-driver.ts";
import { openGatehouse } from "../support/gatehouse.ts";
import { call } from "../support/http.ts";
import { withScope } from "../support/scope.ts";
import { makeWorld } from "../support/world.ts";

const START_MS = 120_000;
const REASONS: Readonly<Record<string, string>> = {
  tampered: "bad_signature",
  foreign: "bad_signature",
  mistaken: "bad_signature",
  replayed: "too_old",
};

/** The first pair of RFC 8032 §7.1: what the product signs with one half is verified with the other, as printed there. */
const SEED = Buffer.from("9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60", "hex");
const PUBLIC_BYTES = Buffer.from("d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a", "hex");
const PUBLIC_KEY = `whpk_${PUBLIC_BYTES.toString("base64")}`;
const SECRET_BYTES = Buffer.from("a secret of the same subscription");
const SECRET = `whsec_${SECRET_BYTES.toString("base64")}`;
const NOW = 1_782_807_328;
const BODY = JSON.stringify({
  ...{ type: "worker.promoted", specVersion: 1, dataVersion: 1 },
  data: { name: "Žofie Łukasz 東京 👩🏽‍🍳" },
});
const UNKNOWN = { event: { type: "worker.promoted", known: false } };

const [{ publicKey: foreignKey } = { publicKey: "" }] = vectorsFile.keyPairVectors;

/** Events that are signed with a key pair, verified by an SDK that has the public key: the same in every language. */
export function publicKeyScenarios(command: () => Command): void {
  withScope((closeLater) => {
    let driver: Driver;
    beforeAll(() => {
      driver = startDriver(closeLater, command());
    });

    const content = { id: "event_1", timestamp: NOW, body: Buffer.from(BODY) };
    const sent = signatures([createSecretKey(SECRET_BYTES), privateKeyOf(SEED)], content);
    const [v1 = "", v1a = ""] = sent.split(" ");
    const verify = (secrets: readonly string[], signature: string) =>
      driver.ask({
        ...{ door: "verify", secrets, body: BODY, now: NOW },
        headers: { "webhook-id": "event_1", "webhook-timestamp": String(NOW), "webhook-signature": signature },
      });

    describe("verify by a public key (R-X351)", () => {
      it.each(vectorsFile.keyPairVectors)("decides as published: $name", async (vector) => {
        const { publicKey, headers, body, verifiedAt: now } = vector;
        const reason = REASONS[vector.name.split(" ").at(-1) ?? ""];
        const expected = { event: { type: vector.eventType, known: true } };
        const answer = await driver.ask({ door: "verify", secrets: [publicKey], headers, body, now });
        expect(answer).toEqual(vector.verdict === "accept" ? expected : { eventRefused: reason });
      });

      it.each([
        ["the public key", [PUBLIC_KEY]],
        ["the secret", [SECRET]],
        ["both", [SECRET, PUBLIC_KEY]],
        ["the public key, and another's secret", ["whsec_Z2F0ZWhvdXNl", PUBLIC_KEY]],
        ["the secret, and another's public key", [foreignKey, SECRET]],
      ])("accepts what the product has signed with both, for who has %s", async (_, keys) => {
        expect(await verify(keys, sent)).toEqual(UNKNOWN);
      });

      it.each([
        ["a public key does not verify v1", PUBLIC_KEY, v1],
        ["a secret does not verify v1a", SECRET, v1a],
        ["a secret of the public key's bytes does not verify v1a", `whsec_${PUBLIC_BYTES.toString("base64")}`, v1a],
        ["an Ed25519 signature is none of v1", PUBLIC_KEY, v1a.replace("v1a,", "v1,")],
        ["an HMAC is none of v1a", PUBLIC_KEY, v1.replace("v1,", "v1a,")],
        ["a part of a signature", PUBLIC_KEY, `v1a,${Buffer.alloc(63, 7).toString("base64")}`],
        ["an altered signature", PUBLIC_KEY, `v1a,${Buffer.alloc(64, 7).toString("base64")}`],
        ["no base64", PUBLIC_KEY, "v1a,not base64 at all!"],
        ["nothing", PUBLIC_KEY, "v1a,"],
      ])("refuses: %s", async (_, key, signature) => {
        expect(await verify([key], signature)).toEqual({ eventRefused: "bad_signature" });
      });

      it.each([
        ["v1", SECRET, v1, 32],
        ["v1a", PUBLIC_KEY, v1a, 64],
      ])(
        "looks at the first 16 signatures, so that a header cannot keep it busy: %s",
        async (scheme, key, own, length) => {
          const behind = (count: number) =>
            [...Array(count).fill(`${scheme},${Buffer.alloc(length, 7).toString("base64")}`), own].join(" ");
          expect(await verify([key], behind(15))).toEqual(UNKNOWN);
          expect(await verify([key], behind(16))).toEqual({ eventRefused: "bad_signature" });
        },
      );

      it.each([
        "whpk_",
        "whpk_%%%",
        `whpk_${PUBLIC_BYTES.subarray(1).toString("base64")}`,
        `whpk_${Buffer.alloc(33).toString("base64")}`,
        `whsk_${SEED.toString("base64")}`,
      ])("says that a public key is none: %j", async (key) => {
        expect(await verify([key], sent)).toMatchObject({ error: { code: "invalid_argument" } });
      });
    });
  });

  withScope((closeLater) => {
    it(
      "accepts an event of a feed by the public key that the subscription shows (R-X351)",
      async () => {
        const driver = startDriver(closeLater, command());
        const gatehouse = await openGatehouse(closeLater);
        const { integrationId, instanceIntegrationId } = await makeWorld(gatehouse);
        const issued = { integrationId, label: "webhooks", scopes: [ApiKeyScope.WEBHOOKS], rateLimit: null };
        const { secret: apiKey } = await gatehouse.workforce.issueApiKey(issued);
        const ask = async <T>(path: string, json?: object): Promise<T> => {
          const headers = { "x-api-key": apiKey };
          return (await call(gatehouse.url, `/v1/webhooks/subscriptions${path}`, { headers, json })).json<T>();
        };
        const wanted = { instanceIntegrationId, eventTypes: ["*"], asymmetric: true };
        const { subscription } = await ask<{ subscription: { id: string } }>("", wanted);
        await ask(`/${subscription.id}/test-events`, { type: "user.updated" });
        const { data: events } = await ask<{ data: { headers: Record<string, string>; body: string }[] }>(
          `/${subscription.id}/events`,
        );
        const { data: keys } = await ask<{ data: { publicKey: string }[] }>(`/${subscription.id}/public-keys`);
        const secrets = keys.map(({ publicKey }) => publicKey);
        const verdicts = events.map(({ headers, body }) =>
          driver.ask({ door: "verify", secrets, headers, body, now: Number(headers["webhook-timestamp"]) }),
        );
        expect(await Promise.all(verdicts)).toEqual([{ event: { type: "user.updated", known: true } }]);
      },
      START_MS,
    );
  });
}
