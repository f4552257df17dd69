import { createPublicKey, verify } from "node:crypto";
import { Webhook } from "standardwebhooks";
import type { ClaimedAttempt } from "../../../generated/proto/gatehouse/webhooks/v1/dispatch.ts";
import { SecretKind } from "../../../generated/proto/gatehouse/webhooks/v1/operator.ts";
import { eachStore } from "../../support/stores.ts";
import { openKit, type WebhooksKit } from "../webhooks-kit.ts";
import { options } from "./subscription-requests.ts";

const { SYMMETRIC, ASYMMETRIC } = SecretKind;
const DAY_SECONDS = 86_400;
const OWN = `whsec_${Buffer.alloc(24, 1).toString("base64")}`;

eachStore((_, open) => {
  let kit: WebhooksKit;
  let id: string;
  let first: string;
  beforeEach(async () => {
    kit = await openKit(open);
    ({ id, secret: first } = await kit.subscribe());
    jest.spyOn(Date, "now").mockImplementation(() => kit.clock.now().getTime());
  });
  afterEach(() => {
    jest.restoreAllMocks();
  });

  const rotate = (more: { kind?: SecretKind; overlapSeconds?: number; secret?: string } = {}) =>
    kit.subscriptions.rotateSecret({ subscriptionId: id, kind: SYMMETRIC, ...more });
  const revoke = (number: number) => kit.subscriptions.revokeSecret({ subscriptionId: id, number });
  const shown = async () =>
    (await kit.subscriptions.getSubscription({ subscriptionId: id })).subscription?.secrets ?? [];
  const numbers = async () => (await shown()).map(({ number }) => number);

  const headersOf = ({ headers }: ClaimedAttempt) =>
    Object.fromEntries(headers.map(({ name, value }) => [name, value]));
  /** Which of the secrets the independent verifier accepts a delivery with that is claimed now, and how many signatures it has. */
  async function accepted(...secrets: readonly string[]) {
    const claimed = await kit.claimOne();
    const headers = headersOf(claimed);
    const works = (secret: string) => {
      try {
        new Webhook(secret).verify(claimed.body, headers);
        return true;
      } catch {
        return false;
      }
    };
    return { signatures: headers["webhook-signature"]?.split(" ").length, accepted: secrets.map(works) };
  }

  describe("RotateSecret (R-X273)", () => {
    it("has both secrets sign for a day, in one header, and then the new one alone", async () => {
      const { secret, number, subscription } = await rotate();
      const second = secret ?? "";
      expect(number).toBe(2);
      expect(subscription?.secrets.map((one) => [one.number, one.expiresAt])).toEqual([
        [2, null],
        [1, new Date(kit.clock.now().getTime() + DAY_SECONDS * 1000)],
      ]);
      expect(await accepted(first, second)).toEqual({ signatures: 2, accepted: [true, true] });
      kit.clock.step(DAY_SECONDS * 1000);
      expect(await accepted(first, second)).toEqual({ signatures: 1, accepted: [false, true] });
      expect(await numbers()).toEqual([2]);
    });

    it("with an overlap of 0 the old one signs nothing any more", async () => {
      const { secret } = await rotate({ overlapSeconds: 0 });
      expect(await accepted(first, secret ?? "")).toEqual({ signatures: 1, accepted: [false, true] });
    });

    it("takes a secret of the receiver's own, and does not repeat it", async () => {
      const { secret } = await rotate({ secret: OWN });
      expect(secret).toBeNull();
      expect(await accepted(OWN)).toEqual({ signatures: 2, accepted: [true] });
    });

    it.each([
      ["a secret of the receiver's own", { secret: OWN }, [2]],
      ["a new one", {}, [2]],
      ["a key pair, which replaces no secret", { kind: ASYMMETRIC }, [2, 1]],
    ])("one that cannot be opened is in the way of no other: %s (R-X21)", async (_what, more, left) => {
      await kit.tables
        .updateTable("webhooks_signing_secrets")
        .set({ sealed: Buffer.alloc(80, 1) })
        .execute();
      await rotate({ ...more, overlapSeconds: 0 });
      expect(await numbers()).toEqual(left);
    });

    it("those that cannot be opened keep deliveries waiting no longer, whatever the overlap (R-X21)", async () => {
      await rotate();
      await rotate();
      const lost = { sealed: Buffer.alloc(80, 1) };
      await kit.tables.updateTable("webhooks_signing_secrets").set(lost).execute();
      const { secret, subscription } = await rotate();
      expect(subscription?.secrets).toMatchObject([{ number: 4, expiresAt: null }]);
      expect(await accepted(secret ?? "")).toEqual({ signatures: 1, accepted: [true] });
    });

    it("one that cannot be opened leaves those that can: they sign for as long as before (R-X21)", async () => {
      await rotate();
      const lost = { sealed: Buffer.alloc(80, 1) };
      await kit.tables.updateTable("webhooks_signing_secrets").set(lost).where("number", "=", 2).execute();
      const { secret } = await rotate({ overlapSeconds: 0 });
      expect(await numbers()).toEqual([3, 1]);
      expect(await accepted(first, secret ?? "")).toEqual({ signatures: 2, accepted: [true, true] });
    });

    it("refuses a fourth of its kind that would sign, and changes nothing by it", async () => {
      await rotate();
      await rotate();
      await expect(rotate()).rejects.toMatchObject({ code: "FAILED_PRECONDITION", reason: "too_many_secrets" });
      expect(await numbers()).toEqual([3, 2, 1]);
      await rotate({ overlapSeconds: 0 });
      expect(await numbers()).toEqual([4, 2, 1]);
      await revoke(1);
      await rotate();
      expect(await numbers()).toEqual([5, 4, 2]);
      expect((await rotate({ kind: ASYMMETRIC })).number).toBe(6);
    });

    it.each([
      ["no prefix", OWN.slice(6)],
      ["another prefix", `v1,${OWN}`],
      ["23 bytes", `whsec_${Buffer.alloc(23).toString("base64")}`],
      ["65 bytes", `whsec_${Buffer.alloc(65).toString("base64")}`],
      ["no padding", `whsec_${Buffer.alloc(25, 9).toString("base64").replaceAll("=", "")}`],
      ["the alphabet of URLs", `whsec_${Buffer.alloc(32, 0xff).toString("base64url")}`],
      ["a line break", `${OWN}\n`],
      ["nothing", ""],
    ])("refuses a secret of its own with %s, by field and without repeating it", async (_, secret) => {
      const refused = await rotate({ secret }).catch((error) => error);
      expect([refused.code, refused.violations.map(({ field }: { field: string }) => field)]).toEqual([
        "INVALID_ARGUMENT",
        ["secret"],
      ]);
      expect(refused.message).not.toContain(secret.slice(6) || "nothing of it");
      expect(await numbers()).toEqual([1]);
    });

    it("refuses an overlap of more than seven days, a key pair of one's own, and a secret that signs already", async () => {
      const fields = async (asked: ReturnType<typeof rotate>) =>
        (await asked.catch((error) => error)).violations.map(({ field }: { field: string }) => field);
      expect(await fields(rotate({ overlapSeconds: 7 * DAY_SECONDS + 1 }))).toEqual(["overlap_seconds"]);
      expect(await fields(rotate({ overlapSeconds: -1 }))).toEqual(["overlap_seconds"]);
      expect(await fields(rotate({ kind: ASYMMETRIC, secret: OWN }))).toEqual(["secret"]);
      expect(await fields(rotate({ secret: first }))).toEqual(["secret"]);
      await rotate({ overlapSeconds: 7 * DAY_SECONDS });
      expect(await numbers()).toEqual([2, 1]);
    });

    it("of several at once, each has a number of its own and no fourth signs", async () => {
      const results = await Promise.allSettled(Array.from({ length: 4 }, () => rotate()));
      expect(results.filter(({ status }) => status === "fulfilled")).toHaveLength(2);
      expect(await numbers()).toEqual([3, 2, 1]);
    });
  });

  describe("RevokeSecret (R-X273)", () => {
    it("takes effect with the next claim", async () => {
      const { secret } = await rotate();
      expect(await accepted(first, secret ?? "")).toEqual({ signatures: 2, accepted: [true, true] });
      await revoke(1);
      expect(await accepted(first, secret ?? "")).toEqual({ signatures: 1, accepted: [false, true] });
      const rows = await kit.tables.selectFrom("webhooks_signing_secrets").select("number").execute();
      expect(rows).toEqual([{ number: 2 }]);
    });

    it("refuses the current one, one that does not exist, and one that has expired", async () => {
      await expect(revoke(1)).rejects.toMatchObject({ code: "FAILED_PRECONDITION", reason: "current_secret" });
      await expect(revoke(2)).rejects.toMatchObject({ code: "NOT_FOUND", reason: "secret_not_found" });
      await rotate({ overlapSeconds: 60 });
      kit.clock.step(60_000);
      await expect(revoke(1)).rejects.toMatchObject({ code: "NOT_FOUND", reason: "secret_not_found" });
    });
  });

  describe("key pairs (R-X274)", () => {
    /** Verified as the guide says, by the documented bytes and the published key. */
    function isSignedBy(publicKey: string, claimed: ClaimedAttempt): boolean {
      const headers = headersOf(claimed);
      const x = Buffer.from(publicKey.slice("whpk_".length), "base64").toString("base64url");
      const key = createPublicKey({ key: { kty: "OKP", crv: "Ed25519", x }, format: "jwk" });
      const signed = Buffer.concat([
        Buffer.from(`${headers["webhook-id"]}.${headers["webhook-timestamp"]}.`),
        claimed.body,
      ]);
      const signatures = (headers["webhook-signature"] ?? "").split(" ").filter((one) => one.startsWith("v1a,"));
      return signatures.some((one) => verify(null, signed, key, Buffer.from(one.slice("v1a,".length), "base64")));
    }

    const published = async () =>
      (await kit.publicKeys.listPublicKeys({ subscriptionId: id })).keys.map(({ publicKey }) => publicKey);

    it("sign as v1a beside v1, verified with the published key alone", async () => {
      await rotate({ kind: ASYMMETRIC });
      const [key = ""] = await published();
      expect(Buffer.from(key.slice(5), "base64")).toHaveLength(32);
      expect(await shown()).toMatchObject([
        { number: 2, kind: ASYMMETRIC, publicKey: key },
        { number: 1, kind: SYMMETRIC, publicKey: null },
      ]);
      const claimed = await kit.claimOne();
      expect(isSignedBy(key, claimed)).toBe(true);
      expect({ headers: headersOf(claimed), body: claimed.body }).toMatchEventContract();
      expect(isSignedBy(key, { ...claimed, body: Buffer.concat([claimed.body, Buffer.from(" ")]) })).toBe(false);
      expect(new Webhook(first).verify(claimed.body, headersOf(claimed))).toMatchObject({ id: claimed.eventId });
    });

    it("are each of one subscription: no key verifies a delivery to another", async () => {
      const other = await kit.subscribe(options({ asymmetric: true }));
      const keys = (await kit.publicKeys.listPublicKeys({ subscriptionId: other.id })).keys;
      await rotate({ kind: ASYMMETRIC });
      await kit.emit();
      await kit.relay();
      const own = (await kit.claim()).filter(({ subscriptionId }) => subscriptionId === id);
      expect(own.map((claimed) => isSignedBy(keys[0]?.publicKey ?? "", claimed))).toEqual([false]);
      expect(own.map((claimed) => claimed.headers.some(({ value }) => value.includes("v1a,")))).toEqual([true]);
    });

    it("rotate with an overlap, and all can be revoked; then no key is published", async () => {
      await rotate({ kind: ASYMMETRIC });
      await rotate({ kind: ASYMMETRIC });
      const keys = await published();
      const claimed = await kit.claimOne();
      expect(keys.map((key) => isSignedBy(key, claimed))).toEqual([true, true]);
      await revoke(2);
      await revoke(3);
      await expect(published()).rejects.toMatchObject({ code: "NOT_FOUND", reason: "subscription_not_found" });
      expect(headersOf(await kit.claimOne())["webhook-signature"]).not.toContain("v1a");
      expect((await rotate({ kind: ASYMMETRIC })).number).toBe(4);
    });

    it("replace none when the current one was revoked: the audit log gives no other one a further end (R-X273)", async () => {
      await rotate({ kind: ASYMMETRIC });
      await rotate({ kind: ASYMMETRIC, overlapSeconds: 3_600 });
      await revoke(3);
      await rotate({ kind: ASYMMETRIC });
      expect((await shown()).map(({ number, expiresAt }) => [number, expiresAt])).toEqual([
        [4, null],
        [2, new Date(kit.clock.now().getTime() + 3_600_000)],
        [1, null],
      ]);
      const noted = (await kit.audit()).filter(({ action }) => action === "subscription.rotateSecret");
      expect(JSON.parse(noted.at(-1)?.facts ?? "")).toMatchObject({ number: 4, previousUntil: null });
    });
  });
});
