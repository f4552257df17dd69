import { type Gatehouse, openGatehouse } from "../../support/gatehouse.ts";
import { call } from "../../support/http.ts";
import { withScope } from "../../support/scope.ts";
import { makeWorld, type World } from "../../support/world.ts";
import { desk } from "../support/desk.ts";
import { byHand, dealingWith, isSignedBy, type Receiving, verifying } from "../support/receiver.ts";
import { RULES, scoreOf } from "../support/score.ts";

const keyOf = (secret: string): Buffer => Buffer.from(secret.slice("whsec_".length), "base64");

describe("conform and the product, with a key and an address alone (R-X363)", () => {
  withScope((closeLater) => {
    let product: Gatehouse;
    let world: World;
    let id: string;
    let secret: string;

    beforeEach(async () => {
      product = await openGatehouse(closeLater);
      world = await makeWorld(product);
      const made = await ask<{ subscription: { id: string }; signingSecret: string }>("POST", "", {
        ...{ instanceIntegrationId: world.instanceIntegrationId, eventTypes: ["*"], asymmetric: true },
      });
      ({ id } = made.subscription);
      secret = made.signingSecret;
    });

    async function ask<T>(method: string, path: string, json?: object): Promise<T> {
      const answer = await call(product.url, `/v1/webhooks/subscriptions${path}`, {
        ...{ method, headers: { "x-api-key": world.apiKey } },
        ...(json && { json }),
      });
      return answer.json<T>();
    }
    const score = (receiving: Receiving, ...flags: readonly string[]) =>
      scoreOf(receiving, flags, { GATEWAY_URL: product.url, API_KEY: world.apiKey });
    const publicKeys = async () =>
      (await ask<{ data: readonly { publicKey: string }[] }>("GET", `/${id}/public-keys`)).data.map(
        ({ publicKey }) => publicKey,
      );

    it("names no defect of a good receiver, and every planted one, each by its name", async () => {
      const key = keyOf(secret);
      const planted: readonly (readonly [string, readonly string[], Receiving])[] = [
        ["none", [], byHand({ key })],
        ["takes what is old", ["timestamp-stale"], byHand({ key, isInTime: (age) => age > -300 })],
        ["takes what is ahead", ["timestamp-future"], byHand({ key, isInTime: (age) => age < 300 })],
        [
          "verifies JSON that it has written again",
          ["body-changed", "exact-bytes"],
          byHand({
            key,
            signed: ({ id, timestamp, body }) => `${id}.${timestamp}.${JSON.stringify(JSON.parse(body))}`,
          }),
        ],
        [
          "reads the first signature alone",
          ["several-signatures", "unknown-signatures"],
          byHand({ key, entries: (all) => all.split(" ").slice(0, 1) }),
        ],
        [
          "compares as much as was sent, from eight characters on",
          ["signature-truncated"],
          byHand({ key, matches: (entry, right) => entry.length > 8 && right.startsWith(entry) }),
        ],
        ["has other keys", ["in-time"], byHand({})],
      ];
      const found: unknown[] = [];
      for (const [what, , receiving] of planted) found.push([what, (await score(receiving)).failed.toSorted()]);
      expect(found).toEqual(planted.map(([what, defects]) => [what, defects]));
    });

    it("keeps every check right while the secret is being replaced", async () => {
      const { secret: newer } = await ask<{ secret: string }>("POST", `/${id}/secrets`, { overlapSeconds: 3_600 });
      const found: unknown[] = [];
      for (const key of [keyOf(secret), keyOf(newer)])
        for (const receiving of [
          byHand({ key }),
          byHand({ key, matches: (entry, right) => entry.length > 8 && right.startsWith(entry) }),
        ]) {
          const scored = await score(receiving);
          expect(scored.received[0]?.signatures).toMatch(/^v1,\S+ v1,\S+$/);
          found.push(scored.failed);
        }
      expect(found).toEqual([[], ["signature-truncated"], [], ["signature-truncated"]]);
    });

    it("scores a receiver that verifies by the subscription's own public key, the check of it as a secret too", async () => {
      const [publicKey = ""] = await publicKeys();
      const isOwn = isSignedBy(publicKey);
      const scored = await score(verifying({}, isOwn), "--scheme", "v1a");
      expect(scored.named("passed").toSorted()).toEqual([...RULES, "public-key-as-secret"].toSorted());
      expect(scored.received[0]?.signatures).toMatch(/^v1a,\S+$/);
      const mistaking = byHand({ key: Buffer.from(publicKey) });
      const verifies: Receiving = (incoming, memory) => {
        const content = `${incoming.id}.${incoming.timestamp}.${incoming.body}`;
        const isGenuine = incoming.signatures.split(" ").some((entry) => isOwn(entry, content));
        const isInTime = Math.abs(Date.now() / 1000 - Number(incoming.timestamp)) <= 300;
        return isGenuine && isInTime ? dealingWith(() => true)(incoming, memory) : mistaking(incoming, memory);
      };
      expect((await score(verifies, "--scheme", "v1a")).failed).toEqual(["public-key-as-secret"]);
    });

    it("says so of a subscription without a key pair", async () => {
      const plain = await ask<{ subscription: { id: string } }>("POST", "", {
        ...{ instanceIntegrationId: world.instanceIntegrationId, eventTypes: ["*"] },
      });
      const { exitCode, err } = await desk(
        ["conform", "http://127.0.0.1:4/", "--scheme", "v1a", "--subscription", plain.subscription.id],
        { GATEWAY_URL: product.url, API_KEY: world.apiKey },
      );
      expect([exitCode, err]).toEqual([
        2,
        expect.stringContaining("has no key pair: nothing of it is signed with v1a."),
      ]);
    });
  });
});
