import { randomBytes } from "node:crypto";
import { migrations, SEALED } from "../../../src/roles/owners.ts";
import { systemRandom } from "../../../src/runtime/basis/random.ts";
import { type Changes, createChanges } from "../../../src/runtime/changes/change.ts";
import { SEALED_KINDS, type SealedRow } from "../../../src/runtime/sealing/purposes.ts";
import { createSealer, type Sealer } from "../../../src/runtime/sealing/sealing.ts";
import { masterKeyUse, reseal } from "../../../src/runtime/upkeep/master-key-use.ts";
import { type IdentityTables, identifyStore } from "../../../src/runtime/upkeep/store-identity.ts";
import type { SignOnTables } from "../../../src/sign-on/tables.ts";
import type { WebhooksTables } from "../../../src/webhooks/tables.ts";
import { standingClock } from "../../support/clock.ts";
import { recordedLog } from "../../support/recorded-log.ts";
import { eachStore } from "../../support/stores.ts";

type Tables = IdentityTables & SignOnTables & WebhooksTables & { audit_entries: { action: string; facts: string } };

const [OLD, NEW, LOST] = [randomBytes(32), randomBytes(32), randomBytes(32)];
const sealerOf = (...keys: readonly Buffer[]): Sealer => createSealer(keys, systemRandom);
const [OLD_ID, NEW_ID, LOST_ID] = [OLD, NEW, LOST].map((key) => sealerOf(key).masterKeyIds[0]);
const NONE = { signingKeys: 0, signingSecrets: 0, extraHeaders: 0, storeIdentity: 0 };
const ALL = { signingKeys: 1, signingSecrets: 5, extraHeaders: 1, storeIdentity: 1 };

const secretRow = (number: number): SealedRow => `webhooks_signing_secrets/subscription_a/${number}`;

eachStore((_, open) => {
  /** A store with every kind of value under OLD: a key and a retired one, five secrets, two subscriptions, one with headers. */
  const openSealed = async () => {
    const { store, wake } = await open(migrations);
    const clock = standingClock();
    const db = store.view<Tables>();
    const old = sealerOf(OLD);
    const { storeId } = await identifyStore(store.view<IdentityTables>(), {
      sealer: old,
      sealed: SEALED,
      random: systemRandom,
      now: clock.now(),
    });
    const key = { algorithm: "ES256", public_jwk: "{}", created_at: 1, signs_from: 1 };
    const never = { activated_at: null, rotation_asked_at: null, retires_at: null, revoked_because: null };
    await db
      .insertInto("sign_on_signing_keys")
      .values([
        {
          ...{ ...key, ...never, key_id: "k1", state: "active", retired_at: null },
          sealed_private_key: old.seal(Buffer.from("private half"), "signing_key/k1"),
        },
        { ...key, ...never, key_id: "k0", state: "retired", retired_at: 1, sealed_private_key: Buffer.alloc(0) },
      ])
      .execute();
    const subscription = {
      ...{
        instance_integration_id: "i",
        instance_id: "j",
        integration_id: "k",
        endpoint_url: "https://a.example/",
        event_types: "[]",
        tenant_ids: "[]",
      },
      ...{ state: "active", state_reason: null, created_at: 1, events_after: 0 },
    };
    await db
      .insertInto("webhooks_subscriptions")
      .values([
        {
          ...{ ...subscription, id: "subscription_a", label: "a" },
          extra_headers: old.seal(Buffer.from("headers"), "webhooks_extra_headers/subscription_a"),
        },
        { ...subscription, id: "subscription_b", label: "b", extra_headers: null },
      ])
      .execute();
    for (let number = 1; number <= 5; number++)
      await db
        .insertInto("webhooks_signing_secrets")
        .values({
          ...{ subscription_id: "subscription_a", number, created_at: 1, expires_at: number },
          sealed: old.seal(Buffer.from(`secret ${number}`), secretRow(number)),
        })
        .execute();

    const changes = createChanges<unknown>({ store, clock, random: systemRandom, wake });
    const log = recordedLog();
    const run = (
      sealer: Sealer,
      {
        signal = new AbortController().signal,
        through = changes,
      }: { signal?: AbortSignal; through?: Pick<Changes<unknown>, "run"> } = {},
    ) =>
      reseal(
        { ...{ db: store.view(), changes: through, sealer, columns: SEALED, log, storeId }, batch: 2 },
        { actor: "ines", requestId: "req_1", signal },
      );
    const uses = (sealer: Sealer) => masterKeyUse(store.view(), sealer, SEALED);
    const secrets = async (sealer: Sealer) =>
      (await db.selectFrom("webhooks_signing_secrets").select(["number", "sealed"]).orderBy("number").execute()).map(
        ({ number, sealed }) => sealer.open(sealed, secretRow(number)).toString(),
      );
    const replaceSecret = (number: number, sealed: Buffer) =>
      db.updateTable("webhooks_signing_secrets").set({ sealed }).where("number", "=", number).execute();
    const entries = async () =>
      (await db.selectFrom("audit_entries").selectAll().execute()).filter(({ action }) => action === "store.reseal");
    return { db, changes, log, run, uses, secrets, replaceSecret, entries };
  };
  const FIVE = [1, 2, 3, 4, 5].map((number) => `secret ${number}`);

  it("counts stored values by master key and kind, a retired signing key and absent headers not (R-X353)", async () => {
    const { uses } = await openSealed();
    expect(await uses(sealerOf(NEW, OLD))).toEqual([
      { id: NEW_ID, place: 1, sealed: NONE },
      { id: OLD_ID, place: 2, sealed: ALL },
    ]);
    expect(await uses(sealerOf(NEW))).toEqual([
      { id: NEW_ID, place: 1, sealed: NONE },
      { id: OLD_ID, place: undefined, sealed: ALL },
    ]);
  });

  it("seals every value again, so that the first key alone opens it, and a repeat changes nothing (R-X353)", async () => {
    const { db, run, uses, secrets, entries } = await openSealed();
    const done = await run(sealerOf(NEW, OLD));
    expect(done).toEqual({ masterKeyId: NEW_ID, resealed: ALL, unopened: NONE, changedMeanwhile: NONE });
    expect(await uses(sealerOf(NEW))).toEqual([{ id: NEW_ID, place: 1, sealed: ALL }]);
    expect(await secrets(sealerOf(NEW))).toEqual(FIVE);
    const headers = await db.selectFrom("webhooks_subscriptions").select("extra_headers").orderBy("id").execute();
    expect(headers.map(({ extra_headers }) => extra_headers?.length ?? null)).toEqual([expect.any(Number), null]);
    const keys = await db.selectFrom("sign_on_signing_keys").select("sealed_private_key").orderBy("key_id").execute();
    const [retired, active] = keys.map(({ sealed_private_key }) => sealed_private_key);
    expect(retired).toHaveLength(0);
    expect(
      sealerOf(NEW)
        .open(active ?? Buffer.alloc(0), "signing_key/k1")
        .toString(),
    ).toBe("private half");

    const written = await entries();
    expect((await run(sealerOf(NEW, OLD))).resealed).toEqual(NONE);
    expect(await entries()).toEqual(written);
    const facts = written.map(
      (entry) => JSON.parse(entry.facts) as { masterKey: string; kind: string; values: number },
    );
    expect(facts.map(({ kind, values }) => `${kind} ${values}`)).toEqual([
      ...["storeIdentity 1", "signingKeys 1"],
      ...["signingSecrets 2", "signingSecrets 2", "signingSecrets 1", "extraHeaders 1"],
    ]);
    expect(new Set(facts.map(({ masterKey }) => masterKey))).toEqual(new Set([NEW_ID]));
  });

  it("keeps what is done when it ends between two batches, and a repeat does the rest (R-X353)", async () => {
    const { run, uses, secrets, changes } = await openSealed();
    const ending = new AbortController();
    let batches = 0;
    const through: Pick<Changes<unknown>, "run"> = {
      run: (work, options) =>
        changes.run(work, options).finally(() => {
          batches++;
          if (batches === 3) ending.abort();
        }),
    };
    await expect(run(sealerOf(NEW, OLD), { signal: ending.signal, through })).rejects.toMatchObject({
      code: "CANCELLED",
    });
    expect(await uses(sealerOf(NEW, OLD))).toEqual([
      { id: NEW_ID, place: 1, sealed: { ...NONE, storeIdentity: 1, signingKeys: 1, signingSecrets: 2 } },
      { id: OLD_ID, place: 2, sealed: { ...NONE, signingSecrets: 3, extraHeaders: 1 } },
    ]);
    expect(await secrets(sealerOf(NEW, OLD))).toEqual(FIVE);

    expect((await run(sealerOf(NEW, OLD))).resealed).toEqual({ ...NONE, signingSecrets: 3, extraHeaders: 1 });
    expect(await secrets(sealerOf(NEW))).toEqual(FIVE);
  });

  it("writes nothing of a batch whose transaction fails (R-X353)", async () => {
    const { run, uses, changes, entries } = await openSealed();
    const through: Pick<Changes<unknown>, "run"> = {
      run: (work, options) =>
        changes.run(async (change) => {
          await work(change);
          throw new Error("The process was killed.");
        }, options),
    };
    await expect(run(sealerOf(NEW, OLD), { through })).rejects.toThrow("killed");
    expect((await uses(sealerOf(NEW, OLD)))[1]).toEqual({ id: OLD_ID, place: 2, sealed: ALL });
    expect(await entries()).toEqual([]);
  });

  it("leaves a value that changed between reading and writing (R-X353)", async () => {
    const { run, secrets, changes, replaceSecret } = await openSealed();
    const newer = sealerOf(OLD).seal(Buffer.from("newer"), secretRow(2));
    let batches = 0;
    const through: Pick<Changes<unknown>, "run"> = {
      run: async (work, options) => {
        batches++;
        // The identity and the signing key were the first two, secrets 1 and 2 have been read now.
        if (batches === 3) await replaceSecret(2, newer);
        return changes.run(work, options);
      },
    };
    const done = await run(sealerOf(NEW, OLD), { through });
    expect(done).toMatchObject({
      resealed: { ...ALL, signingSecrets: 4 },
      changedMeanwhile: { ...NONE, signingSecrets: 1 },
    });
    expect(await secrets(sealerOf(NEW, OLD))).toEqual(FIVE.with(1, "newer"));
  });

  it("leaves, counts and names in the log what it cannot open: a missing key, another row's value (R-X353)", async () => {
    const { run, uses, replaceSecret, log } = await openSealed();
    await replaceSecret(3, sealerOf(LOST).seal(Buffer.from("lost"), secretRow(3)));
    await replaceSecret(4, sealerOf(OLD).seal(Buffer.from("moved"), secretRow(5)));
    const done = await run(sealerOf(NEW, OLD));
    expect(done).toMatchObject({
      resealed: { ...ALL, signingSecrets: 3 },
      unopened: { ...NONE, signingSecrets: 2 },
      changedMeanwhile: NONE,
    });
    expect(log.lines.map(({ level, fields }) => [level, fields])).toEqual([
      ["warn", { detail: secretRow(3) }],
      ["warn", { detail: secretRow(4) }],
    ]);
    expect(await uses(sealerOf(NEW, OLD))).toEqual([
      { id: NEW_ID, place: 1, sealed: { ...ALL, signingSecrets: 3 } },
      { id: OLD_ID, place: 2, sealed: { ...NONE, signingSecrets: 1 } },
      { id: LOST_ID, place: undefined, sealed: { ...NONE, signingSecrets: 1 } },
    ]);
  });

  it("is safe when two processes do it at once (R-X353)", async () => {
    const { run, uses, secrets } = await openSealed();
    const both = await Promise.all([run(sealerOf(NEW, OLD)), run(sealerOf(NEW, OLD))]);
    const resealed = both.map((done) => done.resealed.signingSecrets);
    expect(resealed.reduce((sum, one) => sum + one)).toBe(5);
    expect(await uses(sealerOf(NEW, OLD))).toEqual([
      { id: NEW_ID, place: 1, sealed: ALL },
      { id: OLD_ID, place: 2, sealed: NONE },
    ]);
    expect(await secrets(sealerOf(NEW))).toEqual(FIVE);
  });
});

it("knows where every kind of sealed value is stored, so that none is forgotten (R-X353)", () => {
  expect(SEALED.map(({ kind }) => kind).toSorted()).toEqual(SEALED_KINDS.toSorted());
});
