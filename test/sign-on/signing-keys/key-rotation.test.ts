import { systemRandom } from "../../../src/runtime/basis/random.ts";
import { storeUnavailable } from "../../../src/runtime/basis/store-troubles.ts";
import type { Call } from "../../../src/runtime/rpc/call.ts";
import { createSealer } from "../../../src/runtime/sealing/sealing.ts";
import { createWake } from "../../../src/runtime/wake/wake.ts";
import {
  keepKeys,
  keyRotationLoop,
  makeMissingSigningKeys,
} from "../../../src/sign-on/signing-keys/key-rotation-service.ts";
import { asActive, newSigningKey } from "../../../src/sign-on/signing-keys/new-signing-keys-service.ts";
import type { StoredSigningKey } from "../../../src/sign-on/signing-keys/signing-key-repository.ts";
import { SIGNING_KEYS_CHANNEL } from "../../../src/sign-on/signing-keys/signing-keys.ts";
import { revokeSigningKey } from "../../../src/sign-on/signing-keys/signing-keys-operator-service.ts";
import { createSigningKeys } from "../../../src/sign-on/signing-keys/signing-keys-service.ts";
import { auditEntries } from "../../support/audited.ts";
import { standingClock } from "../../support/clock.ts";
import { eventually } from "../../support/eventually.ts";
import { eachStore, onPostgres, type TestStore } from "../../support/stores.ts";
import { signOnSets } from "../sign-on-fixture.ts";
import { DAY, HOUR, type Keys, type KeysOptions, later, MINUTE, NOW, openKeys } from "./keys-fixture.ts";

const PROCESSES = 5;

const brokenBy = ({ repository }: Keys, error: Error) => ({
  repository: { ...repository, listUsable: () => Promise.reject(error) },
});

eachStore((_, open) => {
  let opened: TestStore;
  beforeAll(async () => {
    opened = await open(signOnSets);
  });

  async function emptied(options: KeysOptions = {}): Promise<Keys> {
    const keys = openKeys(opened, options);
    await keys.db.deleteFrom("sign_on_signing_keys").execute();
    return keys;
  }
  /** The same store in several processes, and a clock that they share. */
  async function together(): Promise<readonly Keys[]> {
    const { clock } = await emptied();
    return (await opened.racers(PROCESSES)).map((racer) => openKeys(racer, { clock }));
  }
  const audited = async ({ db }: Keys) => {
    const rows = await auditEntries(opened.store, ["actor", "action", "object"]);
    const ids = (await db.selectFrom("sign_on_signing_keys").select("key_id").execute()).map(({ key_id }) => key_id);
    return rows.filter(({ object }) => ids.includes(object)).map(({ actor, action }) => `${actor} ${action}`);
  };

  it("starts with a key that signs and one that is published for later (R-S13, R-X100)", async () => {
    const keys = await emptied({ algorithms: ["RS256", "ES256"] });
    await keys.keep();
    const all = await keys.repository.listAll();
    expect(all.map(({ algorithm, state }) => `${algorithm} ${state}`).sort()).toEqual([
      "ES256 active",
      "ES256 next",
      "RS256 active",
      "RS256 next",
    ]);
    expect((await keys.keys.published()).map(({ kid }) => kid).sort()).toEqual(all.map(({ keyId }) => keyId).sort());
    expect((await keys.keys.signer("ES256")).keyId).toBe(
      all.find(({ algorithm, state }) => algorithm === "ES256" && state === "active")?.keyId,
    );
  });

  it("goes through all states by the schedule, to the millisecond (R-S13)", async () => {
    const keys = await emptied();
    await keys.keep();
    const first = await keys.inState("active");
    const second = await keys.inState("next");
    expect(second?.signsFrom).toEqual(later(DAY + 5 * MINUTE));

    keys.clock.set(later(90 * DAY - 1));
    await keys.keep();
    expect(await keys.states()).toEqual(["active", "next"]);

    keys.clock.set(later(90 * DAY));
    await keys.keep();
    expect((await keys.inState("active"))?.keyId).toBe(second?.keyId);
    expect(await keys.inState("retiring")).toMatchObject({ keyId: first?.keyId, retiresAt: later(92 * DAY) });
    expect(await keys.inState("next")).toMatchObject({ signsFrom: later(91 * DAY + 5 * MINUTE) });
    expect((await keys.keys.signer("ES256")).keyId).toBe(second?.keyId);
    expect(await keys.keys.verifier(first?.keyId ?? "", "ES256")).toBeDefined();

    keys.clock.set(later(92 * DAY));
    await keys.keep();
    expect(await keys.inState("retired")).toMatchObject({ keyId: first?.keyId, retiredAt: later(92 * DAY) });
    expect(await keys.keys.verifier(first?.keyId ?? "", "ES256")).toBeUndefined();
    expect(await audited(keys)).toEqual([
      "services signingKey.create",
      "services signingKey.create",
      "services signingKey.activate",
      "services signingKey.create",
      "services signingKey.retire",
    ]);
  });

  it("deletes the private half of a retired key, and of no other", async () => {
    const keys = await emptied();
    await keys.keep();
    keys.clock.step(90 * DAY);
    await keys.keep();
    keys.clock.step(2 * DAY);
    await keys.keep();
    const sizes = (await keys.repository.listAll()).map((key) => [key.state, key.sealedPrivateKey.length > 0]);
    expect(sizes.sort()).toEqual([
      ["active", true],
      ["next", true],
      ["retired", false],
    ]);
  });

  it("goes on where a process stopped, after any step", async () => {
    const keys = await emptied();
    /** A process that is gone after its first step. */
    const stopped = async () => {
      let looks = 0;
      const listUsable = async () => {
        if (looks++ > 0) throw new Error("stopped");
        return keys.repository.listUsable();
      };
      const repository = { ...keys.repository, listUsable };
      await expect(keepKeys({ ...keys, repository }, () => keys.clock.now())).rejects.toThrow("stopped");
      return (await keys.states()).join(" ");
    };
    const seen = [await stopped(), await stopped()];
    keys.clock.step(90 * DAY);
    seen.push(await stopped(), await stopped());
    keys.clock.step(2 * DAY);
    seen.push(await stopped());
    expect(seen).toEqual(["active", "active next", "retiring active", "retiring active next", "retired active next"]);
  });

  it("takes over before its time when no key is active", async () => {
    const keys = await emptied();
    await keys.keep();
    await keys.db.deleteFrom("sign_on_signing_keys").where("state", "=", "active").execute();
    await makeMissingSigningKeys(keys, () => keys.clock.now());
    expect(await keys.states()).toEqual(["active"]);
  });

  it(`agrees on every step when ${PROCESSES} processes take it at once: never two active keys, never two next ones, each written down once`, async () => {
    const processes = await together();
    const seen: string[] = [];
    for (const ms of [0, 90 * DAY, 2 * DAY, 88 * DAY, 2 * DAY]) {
      processes[0]?.clock.step(ms);
      await Promise.all(processes.map(({ keep }) => keep()));
      seen.push(((await processes[0]?.states()) ?? []).join(" "));
    }
    expect(seen).toEqual([
      "active next",
      "retiring active next",
      "retired active next",
      "retired retiring active next",
      "retired retired active next",
    ]);
    const written = await audited(processes[0] as Keys);
    const times = (action: string) => written.filter((entry) => entry === `services signingKey.${action}`).length;
    expect([times("create"), times("activate"), times("retire"), written.length]).toEqual([4, 2, 2, 8]);
  });

  it("refuses a second active key and a second next key of an algorithm from every writer", async () => {
    const keys = await emptied();
    await keys.keep();
    const [active, next] = await keys.repository.listAll();
    for (const key of [active, next])
      await expect(
        keys.changes.run(({ db }) =>
          keys.repository.create(db, { ...(key as NonNullable<typeof key>), keyId: `${key?.keyId}-again` }),
        ),
      ).rejects.toThrow();
    expect(await keys.states()).toEqual(["active", "next"]);
  });

  it("undoes the first half of a replacement when the second cannot be", async () => {
    const keys = await emptied();
    await keys.keep();
    keys.clock.step(90 * DAY);
    const repository = { ...keys.repository, activate: async () => false };
    await keepKeys({ ...keys, repository }, () => keys.clock.now());
    expect(await keys.states()).toEqual(["active", "next"]);
    await keys.keep();
    expect(await keys.states()).toEqual(["retiring", "active", "next"]);
  });

  it("lets no key sign that it cannot open: the one that signs goes on, and the pass fails (F48)", async () => {
    const keys = await emptied();
    await keys.keep();
    const first = await keys.inState("active");
    const elsewhere = createSealer([Buffer.alloc(32, 9)], systemRandom);
    const { sealedPrivateKey } = await newSigningKey("ES256", elsewhere);
    await keys.db
      .updateTable("sign_on_signing_keys")
      .set({ sealed_private_key: sealedPrivateKey })
      .where("state", "=", "next")
      .execute();
    keys.clock.step(90 * DAY);
    const { keyId } = (await keys.inState("next")) as StoredSigningKey;
    await expect(keys.keep()).rejects.toThrow(`No master key opens signing_key/${keyId}`);
    expect(await keys.states()).toEqual(["active", "next"]);
    expect((await keys.keys.signer("ES256")).keyId).toBe(first?.keyId);
  });

  it("is a loop that goes on by itself, and counts what fails", async () => {
    const keys = await emptied();
    const failures: string[] = [];
    const ending = new AbortController();
    const loop = keyRotationLoop({ ...keys, failed: () => void failures.push("failed") });
    const running = loop.run(ending.signal);
    const reached = await eventually(keys.states, (states) => states.length === 2);
    ending.abort();
    await running;
    const failing = keyRotationLoop({
      ...keys,
      ...brokenBy(keys, new Error("away")),
      failed: () => void failures.push("failed"),
    });
    await expect(failing.run(new AbortController().signal)).rejects.toThrow("away");
    expect([loop.name, reached, failures]).toEqual(["signing-keys", ["active", "next"], ["failed"]]);
  });

  it("does not count that the store is away, which says nothing of a key that is due", async () => {
    const keys = await emptied();
    const failures: string[] = [];
    const away = storeUnavailable("away", new Error("ECONNREFUSED"));
    const failing = keyRotationLoop({ ...keys, ...brokenBy(keys, away), failed: () => void failures.push("failed") });
    await expect(failing.run(new AbortController().signal)).rejects.toBe(away);
    expect(failures).toEqual([]);
  });

  it("is read again at once where the change is heard of, and after ten seconds where it is not (R-X102)", async () => {
    const here = await emptied();
    await here.keep();
    const deaf = openKeys(opened, { clock: here.clock, deaf: true });
    const first = (await here.keys.signer("ES256")).keyId;
    expect((await deaf.keys.signer("ES256")).keyId).toBe(first);
    // The clock of the process that rotates is ahead; nothing else moves.
    const ahead = openKeys(opened, { clock: standingClock(later(90 * DAY)) });
    await ahead.keep();
    const heard = await eventually(
      async () => (await here.keys.signer("ES256")).keyId,
      (keyId) => keyId !== first,
    );
    expect(heard).not.toBe(first);
    expect((await deaf.keys.signer("ES256")).keyId).toBe(first);
    here.clock.step(9_999);
    expect((await deaf.keys.signer("ES256")).keyId).toBe(first);
    here.clock.step(1);
    expect((await deaf.keys.signer("ES256")).keyId).toBe(heard);
    // A clock that was set back prevents no reading.
    here.clock.step(-HOUR);
    await ahead.db
      .updateTable("sign_on_signing_keys")
      .set({ state: "retired" })
      .where("state", "=", "retiring")
      .execute();
    expect(await deaf.keys.verifier(first, "ES256")).toBeUndefined();
  });

  it("goes on with a revoked key for ten seconds at most where nothing is heard of it (R-X102)", async () => {
    const here = await emptied();
    await here.keep();
    const deaf = openKeys(opened, { clock: here.clock, deaf: true });
    const { keyId } = await deaf.keys.signer("ES256");
    await revokeSigningKey(here)({ keyId, emergency: "leaked" }, {
      path: "",
      peer: "operator",
      actor: "operator",
      requestId: "",
    } as Call);
    expect(await here.keys.verifier(keyId, "ES256")).toBeUndefined();
    expect(await deaf.keys.verifier(keyId, "ES256")).toBeDefined();
    here.clock.step(10_000);
    expect(await deaf.keys.verifier(keyId, "ES256")).toBeUndefined();
    expect((await deaf.keys.signer("ES256")).keyId).toBe((await here.keys.signer("ES256")).keyId);
  });
});

onPostgres((open) => {
  it("notifies the other processes of a revoked key (R-X102)", async () => {
    const opened = await open(signOnSets);
    const here = openKeys(opened);
    const there = openKeys(await opened.again(), { clock: here.clock });
    await here.keep();
    const { keyId } = await there.keys.signer("ES256");
    const heard = await eventually(
      async () => {
        here.wake.signal("probe");
        return there.wake.ticket("probe");
      },
      (count) => count > 0,
    );
    expect(heard).toBeGreaterThan(0);
    // The clock is frozen: only the signal can make the other process read again.
    const operator = { path: "", peer: "operator", actor: "operator", requestId: "" } as Call;
    await revokeSigningKey(here)({ keyId, emergency: "leaked" }, operator);
    const verifier = await eventually(
      () => there.keys.verifier(keyId, "ES256"),
      (found) => found === undefined,
    );
    expect(verifier).toBeUndefined();
    expect((await there.keys.signer("ES256")).keyId).toBe((await here.keys.signer("ES256")).keyId);
  });
});

describe("keys in memory", () => {
  const find = async () => undefined;

  it("are read again for a call after a signal, even while an earlier reading is under way (R-X102)", async () => {
    const wake = createWake();
    const readings: ((keys: readonly StoredSigningKey[]) => void)[] = [];
    const listUsable = () => new Promise<readonly StoredSigningKey[]>((resolve) => void readings.push(resolve));
    const sealer = createSealer([Buffer.alloc(32, 7)], systemRandom);
    const made = asActive(await newSigningKey("ES256", sealer), NOW);
    const keys = createSigningKeys({ repository: { listUsable, find }, sealer, clock: standingClock(NOW), wake });
    const before = keys.verifier(made.keyId, "ES256");
    wake.signal(SIGNING_KEYS_CHANNEL);
    const after = keys.verifier(made.keyId, "ES256");
    readings[0]?.([made]);
    expect(await before).toBeDefined();
    await eventually(
      async () => readings.length,
      (count) => count === 2,
    );
    readings[1]?.([]);
    expect(await after).toBeUndefined();
    expect(readings).toHaveLength(2);
  });

  it("that cannot be opened sign nothing, and no other signs for them; they are published and verify (F48)", async () => {
    const made = asActive(await newSigningKey("ES256", createSealer([Buffer.alloc(32, 9)], systemRandom)), NOW);
    const sealer = createSealer([Buffer.alloc(32, 7)], systemRandom);
    const repository = { listUsable: async () => [made], find };
    const keys = createSigningKeys({ repository, sealer, clock: standingClock(NOW), wake: createWake() });
    await expect(keys.signer("ES256")).rejects.toMatchObject({ code: "UNAVAILABLE" });
    expect(await keys.verifier(made.keyId, "ES256")).toBeDefined();
    expect((await keys.published()).map(({ kid }) => kid)).toEqual([made.keyId]);
  });

  it("are opened once, however often they are read", async () => {
    const clock = standingClock(NOW);
    const sealer = createSealer([Buffer.alloc(32, 7)], systemRandom);
    const made = asActive(await newSigningKey("ES256", sealer), NOW);
    const listUsable = async () => [made];
    const keys = createSigningKeys({ repository: { listUsable, find }, sealer, clock, wake: createWake() });
    const first = await keys.signer("ES256");
    clock.step(MINUTE);
    expect((await keys.signer("ES256")).privateKey).toBe(first.privateKey);
  });
});
