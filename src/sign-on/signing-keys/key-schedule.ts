import { DAY_MS, HOUR_MS, MINUTE_MS } from "#runtime/basis/durations.ts";
import type { SigningAlgorithm, StoredSigningKey } from "./signing-key-repository.ts";

/** When keys move on (R-S13), in milliseconds. */
export interface KeySchedule {
  /** How long a key signs; `undefined`: until an operator says otherwise. */
  readonly signsMs: number | undefined;
  /** How long a key is published before it signs: never less than the JWKS may be cached. */
  readonly publishedAheadMs: number;
  /** How long a key that signs no more is still published: never less than the longest token lives. */
  readonly publishedAfterMs: number;
}

interface KeyScheduleSettings {
  readonly "jwks-max-age-seconds": number;
  readonly "signing-key-rotation-days": number;
  readonly "signing-key-publish-minutes": number;
  readonly "signing-key-retiring-hours": number;
}

/**
 * The JWKS cache time comes on top of what is set, so that no setting can make a fresh token name a key that a copy of the JWKS, still good
 * by its own max-age, does not have (R-X100).
 */
export const keySchedule = (settings: KeyScheduleSettings): KeySchedule => ({
  signsMs: settings["signing-key-rotation-days"] === 0 ? undefined : settings["signing-key-rotation-days"] * DAY_MS,
  publishedAheadMs: settings["jwks-max-age-seconds"] * 1_000 + settings["signing-key-publish-minutes"] * MINUTE_MS,
  publishedAfterMs: settings["signing-key-retiring-hours"] * HOUR_MS,
});

/** What is to be done next about the keys of one algorithm. */
export type KeyStep =
  /** The first key, which signs at once. */
  | { readonly kind: "begin"; readonly algorithm: SigningAlgorithm }
  /** A successor, published from now on. */
  | { readonly kind: "prepare"; readonly algorithm: SigningAlgorithm }
  /** The next key signs; what signed until now, if anything did, is retiring. */
  | { readonly kind: "replace"; readonly next: StoredSigningKey; readonly active: StoredSigningKey | undefined }
  | { readonly kind: "retire"; readonly key: StoredSigningKey };

/**
 * The first step that is due, `undefined` when none is. Only the keys in the store decide, whatever was done last, so it makes
 * no difference which process asks and where one before it stopped.
 */
export function dueStep(
  keys: readonly StoredSigningKey[],
  algorithm: SigningAlgorithm,
  schedule: KeySchedule,
  now: Date,
): KeyStep | undefined {
  const own = keys.filter((key) => key.algorithm === algorithm);
  const active = own.find(({ state }) => state === "active");
  const next = own.find(({ state }) => state === "next");
  // Without an active key every sign-in fails: a successor that is not known everywhere yet is better than none.
  if (active === undefined)
    return next === undefined ? { kind: "begin", algorithm } : { kind: "replace", next, active };
  if (next === undefined) return { kind: "prepare", algorithm };
  if (next.signsFrom <= now && isReplacementDue(active, schedule, now)) return { kind: "replace", next, active };
  const over = own.find(({ state, retiresAt }) => state === "retiring" && (retiresAt ?? now) <= now);
  return over === undefined ? undefined : { kind: "retire", key: over };
}

/** When the schedule replaces an active key; `undefined` when only an operator does. */
export const replacementDueAt = (
  { activatedAt, createdAt, rotationAskedAt }: StoredSigningKey,
  { signsMs }: KeySchedule,
): Date | undefined => {
  if (rotationAskedAt !== undefined) return rotationAskedAt;
  return signsMs === undefined ? undefined : new Date((activatedAt ?? createdAt).getTime() + signsMs);
};

const isReplacementDue = (active: StoredSigningKey, schedule: KeySchedule, now: Date): boolean => {
  const dueAt = replacementDueAt(active, schedule);
  return dueAt !== undefined && dueAt <= now;
};

/** When an active key is replaced, at the earliest: it is due, and its successor among these may sign; `undefined` as above. */
export function replacementPossibleAt(
  active: StoredSigningKey,
  schedule: KeySchedule,
  among: readonly StoredSigningKey[],
): Date | undefined {
  const dueAt = replacementDueAt(active, schedule);
  const next = among.find(({ algorithm, state }) => algorithm === active.algorithm && state === "next");
  return dueAt !== undefined && next !== undefined && next.signsFrom > dueAt ? next.signsFrom : dueAt;
}

/** By how much the replacement of an active key is late, in milliseconds; 0 when it is not, or waits for a key that may not sign yet. */
export function overdueMs(
  keys: readonly StoredSigningKey[],
  algorithm: SigningAlgorithm,
  schedule: KeySchedule,
  now: Date,
): number {
  const active = keys.find((key) => key.algorithm === algorithm && key.state === "active");
  const possibleAt = active && replacementPossibleAt(active, schedule, keys);
  return possibleAt === undefined ? 0 : Math.max(0, now.getTime() - possibleAt.getTime());
}
