import { systemRandom } from "../../../src/runtime/basis/random.ts";
import { createChanges } from "../../../src/runtime/changes/change.ts";
import { createSealer } from "../../../src/runtime/sealing/sealing.ts";
import { createWake } from "../../../src/runtime/wake/wake.ts";
import { type KeyRotationDeps, keepKeys } from "../../../src/sign-on/signing-keys/key-rotation-service.ts";
import { type KeySchedule, keySchedule } from "../../../src/sign-on/signing-keys/key-schedule.ts";
import {
  type SigningAlgorithm,
  type SigningKeyState,
  type StoredSigningKey,
  signingKeyRepository,
} from "../../../src/sign-on/signing-keys/signing-key-repository.ts";
import { createSigningKeys } from "../../../src/sign-on/signing-keys/signing-keys-service.ts";
import type { SignOnTables } from "../../../src/sign-on/tables.ts";
import { type StandingClock, standingClock } from "../../support/clock.ts";
import type { TestStore } from "../../support/stores.ts";
import { TEST_MASTER_KEY } from "../sign-on-fixture.ts";

export const SECOND = 1_000;
export const MINUTE = 60 * SECOND;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;

/** As the settings have it unless they say otherwise. */
export const SCHEDULE: KeySchedule = keySchedule({
  "jwks-max-age-seconds": 300,
  "signing-key-rotation-days": 90,
  "signing-key-publish-minutes": 1_440,
  "signing-key-retiring-hours": 48,
});

export const NOW = new Date("2026-06-30T08:15:27.412Z");
export const later = (ms: number): Date => new Date(NOW.getTime() + ms);

const STATES: readonly SigningKeyState[] = ["next", "active", "retiring", "retired"];

export interface KeysOptions {
  readonly clock?: StandingClock;
  readonly schedule?: KeySchedule;
  /** ES256 alone unless given: its keys are made in no time. */
  readonly algorithms?: readonly SigningAlgorithm[];
  /** A process that hears no signal, so that only time lets it read again. */
  readonly deaf?: boolean;
}

export type Keys = ReturnType<typeof openKeys>;

/** The signing keys as one process has them. */
export function openKeys(
  { store, wake }: Pick<TestStore, "store" | "wake">,
  { clock = standingClock(NOW), schedule = SCHEDULE, algorithms = ["ES256"], deaf = false }: KeysOptions = {},
) {
  const db = store.view<SignOnTables>();
  const repository = signingKeyRepository(db);
  const heard = deaf ? createWake() : wake;
  const changes = createChanges<SignOnTables>({ store, clock, random: systemRandom, wake: heard });
  const sealer = createSealer([TEST_MASTER_KEY], systemRandom);
  const deps: KeyRotationDeps = { repository, changes, sealer, schedule, algorithms };
  return {
    ...deps,
    db,
    clock,
    wake: heard,
    keys: createSigningKeys({ repository, sealer, clock, wake: heard }),
    keep: () => keepKeys(deps, () => clock.now()),
    /** Of every key in the store, the last state first. */
    async states(): Promise<readonly SigningKeyState[]> {
      const states = (await repository.listAll()).map(({ state }) => state);
      return states.sort((one, other) => STATES.indexOf(other) - STATES.indexOf(one));
    },
    async inState(state: SigningKeyState): Promise<StoredSigningKey | undefined> {
      return (await repository.listAll()).find((key) => key.state === state);
    },
  };
}

/** A key as the rules see it. */
export const aKey = (change: Partial<StoredSigningKey> = {}): StoredSigningKey => ({
  keyId: "es256-a",
  algorithm: "ES256",
  state: "active",
  publicJwk: {},
  sealedPrivateKey: Buffer.of(1),
  createdAt: NOW,
  signsFrom: NOW,
  activatedAt: undefined,
  rotationAskedAt: undefined,
  retiresAt: undefined,
  retiredAt: undefined,
  revokedBecause: undefined,
  ...change,
});
