import {
  type SigningKey,
  SigningKeyState as StateMessage,
} from "#generated/proto/gatehouse/sign_on/v1/signing_keys.ts";
import { valueOfLower } from "#runtime/basis/enum-words.ts";
import { type KeySchedule, replacementPossibleAt } from "./key-schedule.ts";
import type { StoredSigningKey } from "./signing-key-repository.ts";

/**
 * A key as operators see it: never its private half, and its times as far as its state gives them a meaning. `among` are the keys that are in
 * use.
 */
export const toSigningKeyMessage = (
  key: StoredSigningKey,
  schedule: KeySchedule,
  among: readonly StoredSigningKey[],
): SigningKey => ({
  keyId: key.keyId,
  algorithm: key.algorithm,
  state: valueOfLower(StateMessage, key.state),
  createdAt: key.createdAt,
  signsFrom: key.signsFrom,
  activatedAt: key.activatedAt ?? null,
  replacedAt: (key.state === "active" ? replacementPossibleAt(key, schedule, among) : undefined) ?? null,
  retiresAt: (key.state === "retiring" ? key.retiresAt : undefined) ?? null,
  retiredAt: key.retiredAt ?? null,
  revokedBecause: key.revokedBecause ?? null,
  rotationAskedAt: (key.state === "active" ? key.rotationAskedAt : undefined) ?? null,
});
