import type { PersonId } from "../../../src/runtime/basis/ids.ts";
import { systemRandom } from "../../../src/runtime/basis/random.ts";
import { createChanges } from "../../../src/runtime/changes/change.ts";
import { codeExpiryRepository } from "../../../src/sign-on/authorization-codes/code-expiry-repository.ts";
import { credentialRepository } from "../../../src/sign-on/credentials/credential-repository.ts";
import { createPasswordChange, type NewPassword } from "../../../src/sign-on/credentials/password-change-service.ts";
import { passwordLinkRepository } from "../../../src/sign-on/credentials/password-link-repository.ts";
import { familyRevocationRepository } from "../../../src/sign-on/refresh-tokens/family-revocation-repository.ts";
import { sessionRepository } from "../../../src/sign-on/sessions/session-repository.ts";
import { createSignOuts } from "../../../src/sign-on/sessions/sign-out-service.ts";
import type { SignOnTables } from "../../../src/sign-on/tables.ts";
import { standingClock } from "../../support/clock.ts";
import { eachStore } from "../../support/stores.ts";
import { familiesOf } from "../families-kit.ts";
import { signOnSets } from "../sign-on-fixture.ts";

const PERSON = "person_AAAAAAAAAAAAAAAAAAAAA" as PersonId;
const digest = (byte: number) => Buffer.alloc(32, byte);

eachStore((_, open) => {
  const clock = standingClock();

  /** A person with three sessions, an open link and the password "hash of old". */
  async function prepared() {
    const { store, wake } = await open(signOnSets);
    const db = store.view<SignOnTables>();
    const changes = createChanges<SignOnTables>({ store, clock, random: systemRandom, wake });
    const [credentials, links, sessions] = [
      credentialRepository(db),
      passwordLinkRepository(db),
      sessionRepository(db),
    ];
    const expiresAt = new Date(clock.now().getTime() + 3_600_000);
    await changes.run(async (change) => {
      await credentials.setPasswordHash(change.db, PERSON, "hash of old", change.at);
      await links.create(change.db, {
        digest: digest(9),
        personId: PERSON,
        purpose: "reset",
        createdAt: change.at,
        expiresAt,
        personState: "0.0",
      });
      for (const byte of [1, 2, 3]) {
        const [authenticatedAt, seenAt] = [change.at, change.at];
        await sessions.create(change.db, {
          digest: digest(byte),
          personId: PERSON,
          device: { browser: "", system: "" },
          authenticatedAt,
          seenAt,
          expiresAt,
        });
      }
    });
    const passwordChange = createPasswordChange({
      changes,
      credentials,
      links,
      passwords: { hash: async (password) => `hash of ${password}` },
      signOuts: createSignOuts({
        revocations: familyRevocationRepository(),
        sessions,
        codeExpiry: codeExpiryRepository(db),
        families: familiesOf(db),
      }),
    });
    const live = async () =>
      (await sessions.listLiveOf(PERSON, clock.now(), new Date(0))).map((session) => session.digest.readUInt8());
    const set = (more: Partial<NewPassword>) =>
      passwordChange.set(
        {
          personId: PERSON,
          password: "new",
          actor: PERSON,
          by: "old password",
          stillAllowed: async () => true,
          ...more,
        },
        { requestId: "req_a" },
      );
    return { credentials, links, live, set, now: clock.now() };
  }

  it("a new password ends every session and the open link (R-S20, S18)", async () => {
    const { credentials, links, live, set, now } = await prepared();
    expect(await set({})).toEqual(now);
    expect(await credentials.findPasswordSetAt(PERSON)).toEqual(now);
    expect(await credentials.findPasswordHash(PERSON)).toBe("hash of new");
    expect(await live()).toEqual([]);
    expect((await links.find(digest(9)))?.endedBecause).toBe("withdrawn");
  });

  it("the one session in which a person changes the password goes on", async () => {
    const { live, set, now } = await prepared();
    expect(await set({ keptSession: digest(2) })).toEqual(now);
    expect(await live()).toEqual([2]);
  });

  it("nothing changes when what allowed it holds no more: asked inside the transaction (R-X36)", async () => {
    const { credentials, links, live, set } = await prepared();
    const stillAllowed: NewPassword["stillAllowed"] = async ({ db }) =>
      (await credentials.lockPasswordHash(db, PERSON, "another hash")) !== undefined;
    expect(await set({ stillAllowed })).toBeUndefined();
    expect(await credentials.findPasswordHash(PERSON)).toBe("hash of old");
    expect(await live()).toEqual([1, 2, 3]);
    expect((await links.find(digest(9)))?.endedBecause).toBeUndefined();
  });

  it("of two who change it at once by the old password, one does", async () => {
    const { credentials, set } = await prepared();
    const stillAllowed: NewPassword["stillAllowed"] = async ({ db }) =>
      (await credentials.lockPasswordHash(db, PERSON, "hash of old")) !== undefined;
    const outcomes = await Promise.all(["one", "other"].map((password) => set({ password, stillAllowed })));
    expect(outcomes.map((at) => at !== undefined).toSorted()).toEqual([false, true]);
    expect(await credentials.findPasswordHash(PERSON)).toBe(outcomes[0] ? "hash of one" : "hash of other");
  });
});
