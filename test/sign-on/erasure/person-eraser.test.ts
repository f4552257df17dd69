import { createHash } from "node:crypto";
import type { PersonId } from "../../../src/runtime/basis/ids.ts";
import { systemRandom } from "../../../src/runtime/basis/random.ts";
import { createChanges } from "../../../src/runtime/changes/change.ts";
import { addressDigest } from "../../../src/runtime/erasure/erasures.ts";
import { codeExpiryRepository } from "../../../src/sign-on/authorization-codes/code-expiry-repository.ts";
import { personEraser } from "../../../src/sign-on/erasure/person-eraser.ts";
import { familyRevocationRepository } from "../../../src/sign-on/refresh-tokens/family-revocation-repository.ts";
import { sessionRepository } from "../../../src/sign-on/sessions/session-repository.ts";
import { createSignOuts } from "../../../src/sign-on/sessions/sign-out-service.ts";
import type { SignOnTables } from "../../../src/sign-on/tables.ts";
import { standingClock } from "../../support/clock.ts";
import { eachStore } from "../../support/stores.ts";
import { familiesOf } from "../families-kit.ts";
import { signOnSets } from "../sign-on-fixture.ts";

const NOW = new Date("2026-06-30T08:15:27.412Z");
const ERASED = "person_AqnsKVwhGnkg841xUstKP" as PersonId;
const TOMAS = "person_EXUAD7sVdMrrwGoyGkSEM" as PersonId;

eachStore((_, open) => {
  it("the sessions of an erased person end and forget their browsers, and those of others go on (R-X260)", async () => {
    const { store, wake } = await open(signOnSets);
    const db = store.view<SignOnTables>();
    const sessions = sessionRepository(db);
    const changes = createChanges<SignOnTables>({ store, wake, clock: standingClock(NOW), random: systemRandom });
    const expiresAt = new Date(NOW.getTime() + 3_600_000);
    const device = { browser: "Firefox", system: "Linux" };
    await changes.run(async ({ db: tx }) => {
      for (const personId of [ERASED, TOMAS]) {
        const digest = createHash("sha256").update(personId).digest();
        await sessions.create(tx, { digest, personId, authenticatedAt: NOW, seenAt: NOW, expiresAt, device });
      }
    });
    const signOuts = createSignOuts({
      sessions,
      codeExpiry: codeExpiryRepository(db),
      families: familiesOf(db),
      revocations: familyRevocationRepository(),
    });
    const people = [{ id: ERASED, addressDigest: addressDigest("maren@harbour.example") }];
    const erasure = { sequence: 1, object: ERASED, actor: "platform", requestId: "" };

    await personEraser({ db, changes, sessions, signOuts }).erase(
      [{ ...erasure, scope: { people, tenantIds: [], redactions: [] } }],
      new AbortController().signal,
    );

    const left = db.selectFrom("sign_on_sessions").select(["person_id", "ended_at", "browser", "system"]);
    expect(await left.orderBy("person_id").execute()).toEqual([
      { person_id: ERASED, ended_at: NOW.getTime(), browser: null, system: null },
      { person_id: TOMAS, ended_at: null, ...device },
    ]);
  });
});
