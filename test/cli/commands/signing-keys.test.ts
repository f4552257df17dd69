import { type SigningKey, SigningKeyState } from "../../../generated/proto/gatehouse/sign_on/v1/signing_keys.ts";
import { failedPrecondition, notFound } from "../../../src/runtime/basis/errors.ts";
import { withScope } from "../../support/scope.ts";
import { openStub, type StubGatehouse } from "../command-line.ts";

const AT = new Date("2026-11-20T10:54:03.412Z");
const LATER = new Date("2126-12-20T10:54:03.412Z");
const ACTIVE: SigningKey = {
  keyId: "es256-Qj0yQ5nV3yq6nUuE",
  algorithm: "ES256",
  state: SigningKeyState.ACTIVE,
  createdAt: AT,
  signsFrom: AT,
  activatedAt: AT,
  replacedAt: LATER,
  retiresAt: null,
  retiredAt: null,
  revokedBecause: null,
  rotationAskedAt: null,
};
const NEXT: SigningKey = {
  ...ACTIVE,
  keyId: "es256-nextnextnextnext",
  state: SigningKeyState.NEXT,
  activatedAt: null,
  replacedAt: null,
};
const RETIRING: SigningKey = {
  ...ACTIVE,
  keyId: "es256-retiringretiring",
  state: SigningKeyState.RETIRING,
  replacedAt: null,
  retiresAt: LATER,
};
const RETIRED: SigningKey = {
  ...ACTIVE,
  keyId: "es256-retiredretiredre",
  state: SigningKeyState.RETIRED,
  replacedAt: null,
  retiredAt: AT,
  revokedBecause: "a backup leaked",
};

describe("gatehouse signing-keys (R-S13)", () => {
  withScope((closeLater) => {
    let stub: StubGatehouse;
    beforeAll(async () => {
      stub = await openStub(closeLater, {
        signingKeys: {
          listSigningKeys: async ({ retired }) => ({
            keys: [...(retired ? [RETIRED] : []), RETIRING, ACTIVE, { ...ACTIVE, replacedAt: null }, NEXT],
          }),
          rotateSigningKeys: async ({ algorithm }) => ({
            keys: algorithm === null ? [RETIRING, ACTIVE] : [{ ...ACTIVE, rotationAskedAt: AT }, NEXT],
            ...(algorithm !== "ES256" && { retiringSeconds: 86_400 }),
          }),
          revokeSigningKey: async ({ keyId, emergency }) => {
            if (keyId === "unknown") throw notFound("signing_key_not_found", "There is no signing key with this id.");
            if (keyId === ACTIVE.keyId && emergency === null)
              throw failedPrecondition("signing_key_in_use", "Tokens that are still good may be signed with this key.");
            return { key: RETIRED, successor: keyId === ACTIVE.keyId ? { ...NEXT, state: ACTIVE.state } : null };
          },
        },
      });
    });
    const lastRequest = () => stub.received.at(-1)?.request;

    it("lists each key's next step", async () => {
      const { stdout } = await stub.run(["signing-keys", "list"]);
      expect(
        stdout
          .trimEnd()
          .split("\n")
          .slice(1)
          .map((line) => line.split(/ {2,}/)),
      ).toEqual([
        [
          RETIRING.keyId,
          "ES256",
          "retiring",
          "2026-11-20 10:54 UTC",
          "2026-11-20 10:54 UTC",
          "leaves 2126-12-20 10:54 UTC",
        ],
        [
          ACTIVE.keyId,
          "ES256",
          "active",
          "2026-11-20 10:54 UTC",
          "2026-11-20 10:54 UTC",
          "is replaced 2126-12-20 10:54 UTC",
        ],
        [ACTIVE.keyId, "ES256", "active", "2026-11-20 10:54 UTC", "2026-11-20 10:54 UTC", "is replaced by hand"],
        [NEXT.keyId, "ES256", "next", "2026-11-20 10:54 UTC", "never", "may sign from 2026-11-20 10:54 UTC"],
      ]);
      expect(lastRequest()).toEqual({ retired: false });
    });

    it("lists retired ones with the reason, and everything in JSON", async () => {
      const { stdout } = await stub.run(["signing-keys", "list", "--retired"]);
      expect(stdout).toContain("retired 2026-11-20 10:54 UTC: a backup leaked");
      const { stdout: json } = await stub.run(["signing-keys", "list", "--retired", "--json"]);
      expect((JSON.parse(json) as { signingKeys: unknown[] }).signingKeys[0]).toEqual({
        keyId: RETIRED.keyId,
        algorithm: "ES256",
        state: "retired",
        createdAt: AT.toISOString(),
        signsFrom: AT.toISOString(),
        activatedAt: AT.toISOString(),
        replacedAt: null,
        retiresAt: null,
        retiredAt: AT.toISOString(),
        revokedBecause: "a backup leaked",
        rotationAskedAt: null,
      });
    });

    it("rotates both algorithms or one, and says when it is done", async () => {
      const done = await stub.run(["signing-keys", "rotate"]);
      expect(lastRequest()).toEqual({ algorithm: null, requestId: expect.stringMatching(/^req_/) });
      expect(done.stderr).toContain("The next keys sign from now on");
      const waits = await stub.run(["signing-keys", "rotate", "--algorithm", "RS256", "--request-id", "once"]);
      expect(lastRequest()).toEqual({ algorithm: "RS256", requestId: "once" });
      expect(waits.stderr).toContain("it will sign as soon as it has been");
      expect(done.stderr.replaceAll("\n", " ")).toContain("accepted until 2126-12-20 10:54 UTC.");
      expect(waits.stderr.replaceAll("\n", " ")).toContain(
        "from 2026-11-20 10:54 UTC. Until then the old key signs; after that its signatures are accepted for 1 day more.",
      );
      const unsaid = await stub.run(["signing-keys", "rotate", "--algorithm", "ES256"]);
      expect(unsaid.stderr.replaceAll("\n", " ")).toContain("signatures are accepted until their tokens have expired.");
      expect(await stub.run(["signing-keys", "rotate", "--algorithm", "HS256"])).toMatchObject({ exitCode: 2 });
    });

    it("revokes in an emergency, and names the successor", async () => {
      const words = ["signing-keys", "revoke", ACTIVE.keyId, "--emergency", "a backup leaked"];
      const { exitCode, stdout, stderr } = await stub.run(words);
      expect([exitCode, lastRequest()]).toEqual([0, { keyId: ACTIVE.keyId, emergency: "a backup leaked" }]);
      expect(stdout).toMatch(new RegExp(`^successor +${NEXT.keyId}$`, "m"));
      expect(stderr).toContain("its successor signs");
      expect(JSON.parse((await stub.run([...words, "--json"])).stdout)).toMatchObject({
        keyId: RETIRED.keyId,
        successor: { keyId: NEXT.keyId, state: "active" },
      });
    });

    it("revokes a key that has not signed yet, without a successor", async () => {
      const { exitCode, stderr } = await stub.run(["signing-keys", "revoke", NEXT.keyId]);
      expect([exitCode, lastRequest()]).toEqual([0, { keyId: NEXT.keyId, emergency: null }]);
      expect(stderr).toContain("The key is retired.");
    });

    it("says that a key was retired before: it may be another than the one that leaked", async () => {
      const { exitCode, stderr } = await stub.run(["signing-keys", "revoke", RETIRED.keyId, "--emergency", "again"]);
      expect([exitCode, stderr]).toEqual([
        0,
        expect.stringContaining("The key was retired already; nothing was changed"),
      ]);
      const { stderr: now } = await stub.run(["signing-keys", "revoke", NEXT.keyId]);
      expect(now).not.toContain("already");
    });

    it("names the next step when it is refused", async () => {
      const inUse = await stub.run(["signing-keys", "revoke", ACTIVE.keyId]);
      expect([inUse.exitCode, inUse.stdout]).toEqual([1, ""]);
      expect(inUse.stderr).toContain("Tokens that are still good may be signed with this key.");
      const unknown = await stub.run(["signing-keys", "revoke", "unknown"]);
      expect(unknown.stderr).toContain("gatehouse signing-keys list");
    });
  });
});
