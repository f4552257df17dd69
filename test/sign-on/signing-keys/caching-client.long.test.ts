import { createRemoteJWKSet, customFetch, type JWTPayload, jwtVerify } from "jose";
import { SigningKeysService } from "../../../generated/proto/gatehouse/sign_on/v1/signing_keys.ts";
import { keySchedule } from "../../../src/sign-on/signing-keys/key-schedule.ts";
import { obtainCode, redeem } from "../../support/browser.ts";
import { checkedFetch } from "../../support/checked-fetch.ts";
import { describeSignOn, type Scene } from "../sign-on-fixture.ts";
import { DAY, HOUR, MINUTE, openKeys, SECOND } from "./keys-fixture.ts";

const SETTINGS = {
  "jwks-max-age-seconds": 300,
  "signing-key-rotation-days": 1,
  // The least that may be set: every margin counts.
  "signing-key-publish-minutes": 2,
  "signing-key-retiring-hours": 25,
};
const ROTATIONS = 4;

interface Tokens {
  readonly access_token: string;
  readonly id_token: string;
}

/** A relying party that caches the key set for the allowed time, and never reads it earlier for an unknown key. */
function relyingParty({ signOn }: Scene) {
  const maxAges: string[] = [];
  const keySet = createRemoteJWKSet(new URL("/.well-known/jwks.json", signOn.url), {
    cacheMaxAge: SETTINGS["jwks-max-age-seconds"] * SECOND,
    cooldownDuration: Number.POSITIVE_INFINITY,
    async [customFetch](url, init) {
      const response = await checkedFetch(url, { ...init, body: undefined } as never);
      maxAges.push(response.headers.get("cache-control") ?? "");
      return response;
    },
  });
  return {
    maxAges,
    verify: (token: string): Promise<string> =>
      jwtVerify(token, keySet, { issuer: signOn.issuer, currentDate: signOn.clock.now() }).then(
        ({ payload }: { payload: JWTPayload }) => `good for ${payload.iss}`,
        (error: Error & { code?: string }) => error.code ?? error.message,
      ),
  };
}

describeSignOn(
  "relying parties that cache the key set for the allowed time (R-S13, R-X100, S35)",
  (scene) => {
    /** The rotation as the loop keeps it. */
    const rotation = () =>
      openKeys(scene().signOn.opened, {
        clock: scene().signOn.clock,
        schedule: keySchedule(SETTINGS),
        algorithms: ["RS256", "ES256"],
      });
    async function freshTokens(): Promise<Tokens> {
      const { signOn, world } = scene();
      return (await redeem(signOn.url, world, await obtainCode(signOn.url, world))).json();
    }
    const kidOf = (token: string) =>
      (JSON.parse(Buffer.from(token.split(".")[0] ?? "", "base64url").toString()) as { readonly kid: string }).kid;

    beforeEach(() => {
      // jose keeps time by this clock, and the server by the same.
      jest.spyOn(Date, "now").mockImplementation(() => scene().signOn.clock.now().getTime());
    });
    afterEach(() => {
      jest.restoreAllMocks();
    });

    /** Lives through steps of time; at each, fresh tokens and those of the last hour are shown to every party. */
    async function live(steps: readonly number[], between: () => Promise<void>) {
      const { signOn } = scene();
      const keys = rotation();
      await keys.keep();
      const parties: ReturnType<typeof relyingParty>[] = [];
      const issued: { readonly token: string; readonly goodUntil: number }[] = [];
      const verdicts = new Set<string>();
      const kids = new Set<string>();
      for (const [index, ms] of steps.entries()) {
        signOn.clock.step(ms);
        await between();
        await keys.keep();
        // Each begins its own minutes.
        if (index % 2 === 0 && parties.length < 6) parties.push(relyingParty(scene()));
        const { access_token, id_token } = await freshTokens();
        for (const token of [access_token, id_token]) {
          kids.add(kidOf(token));
          issued.push({ token, goodUntil: signOn.clock.now().getTime() + HOUR - SECOND });
        }
        const good = issued.filter(({ goodUntil }) => goodUntil > signOn.clock.now().getTime()).slice(-12);
        for (const { token } of good) for (const party of parties) verdicts.add(await party.verify(token));
      }
      return { verdicts, kids, maxAges: new Set(parties.flatMap(({ maxAges }) => maxAges)) };
    }

    it(`never meet an unknown key, through ${ROTATIONS} rotations by the schedule`, async () => {
      const around = [DAY - 10 * MINUTE, ...Array<number>(14).fill(97 * SECOND)];
      const steps = Array.from({ length: ROTATIONS }, () => around).flat();
      const { verdicts, kids, maxAges } = await live(steps, async () => undefined);
      expect(verdicts).toEqual(new Set([`good for ${scene().signOn.issuer}`]));
      expect(kids.size).toBe(2 * (ROTATIONS + 1));
      expect(maxAges).toEqual(new Set(["public, max-age=300"]));
    });

    it("nor when an operator asks for one rotation after another", async () => {
      const { verdicts, kids } = await live(Array<number>(30).fill(53 * SECOND), async () => {
        const keys = rotation();
        const active = (await keys.repository.listUsable()).filter(({ state }) => state === "active");
        for (const { keyId } of active)
          await keys.changes.run(({ db, at }) => keys.repository.askRotation(db, keyId, at));
      });
      expect(verdicts).toEqual(new Set([`good for ${scene().signOn.issuer}`]));
      expect(kids.size).toBeGreaterThanOrEqual(6);
    });

    it("in an emergency have the successor, and accept what the revoked key signed until their copy is too old (R-X104)", async () => {
      const { signOn } = scene();
      const good = `good for ${signOn.issuer}`;
      await rotation().keep();
      const party = relyingParty(scene());
      const before = await freshTokens();
      expect([await party.verify(before.id_token), await party.verify(before.access_token)]).toEqual([good, good]);
      for (const token of [before.id_token, before.access_token])
        await signOn.as("operator", SigningKeysService).revokeSigningKey({ keyId: kidOf(token), emergency: "leaked" });
      const after = await freshTokens();
      expect([await party.verify(after.id_token), await party.verify(after.access_token)]).toEqual([good, good]);
      signOn.clock.step(300 * SECOND - 1);
      expect([await party.verify(before.id_token), await party.verify(before.access_token)]).toEqual([good, good]);
      signOn.clock.step(1);
      const unknown = "ERR_JWKS_NO_MATCHING_KEY";
      expect([await party.verify(before.id_token), await party.verify(before.access_token)]).toEqual([
        unknown,
        unknown,
      ]);
      expect([await party.verify(after.id_token), await party.verify(after.access_token)]).toEqual([good, good]);
    });

    it("would meet one if a key signed as soon as it is published", async () => {
      const party = relyingParty(scene());
      expect(await party.verify((await freshTokens()).id_token)).toBe(`good for ${scene().signOn.issuer}`);
      const keys = rotation();
      await keys.db.deleteFrom("sign_on_signing_keys").execute();
      await keys.keep();
      expect(await party.verify((await freshTokens()).id_token)).toBe("ERR_JWKS_NO_MATCHING_KEY");
      scene().signOn.clock.step(300 * SECOND);
      expect(await party.verify((await freshTokens()).id_token)).toBe(`good for ${scene().signOn.issuer}`);
    });
  },
  { settings: SETTINGS },
);
