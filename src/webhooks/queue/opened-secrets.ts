import { createSecretKey, type KeyObject } from "node:crypto";
import type { Clock } from "#runtime/basis/clock.ts";
import type { SealedRow } from "#runtime/sealing/purposes.ts";
import { privateKeyOf } from "../secrets/key-pair.ts";
import type { SecretKind } from "../secrets/signing-secret.ts";
import { type ExtraHeader, headersOfBytes } from "../subscriptions/extra-headers.ts";

/** How long an opened secret is answered from memory. It lies there until something is asked for after that. */
const KEPT_MS = 1_000;

/** Opens sealed secrets and headers, and the same ones not twice within a second. */
export interface OpenedSecrets {
  /**
   * The key behind `sealed`, of the row that it is bound to: an HMAC key, or for `asymmetric` a private key. Other bytes
   * are never answered from memory.
   * @throws what `open` throws.
   */
  keyOf(row: SealedRow, sealed: Buffer, kind?: SecretKind): KeyObject;
  /** The headers behind `sealed`, in the same way. */
  headersOf(row: SealedRow, sealed: Buffer): readonly ExtraHeader[];
}

interface Opened {
  readonly sealed: Buffer;
  readonly value: unknown;
}

export function openedSecrets(open: (sealed: Buffer, row: SealedRow) => Buffer, clock: Clock): OpenedSecrets {
  const opened = new Map<string, Opened>();
  let keptUntil = 0;
  const answer = <Value>(row: SealedRow, sealed: Buffer, toValue: (bytes: Buffer) => Value): Value => {
    const now = clock.now().getTime();
    // All at once, so that nothing needs a timer; what is asked for every second is opened once a second.
    if (now >= keptUntil || now < keptUntil - KEPT_MS) {
      opened.clear();
      keptUntil = now + KEPT_MS;
    }
    const known = opened.get(row);
    // A row has values of one kind for good.
    if (known?.sealed.equals(sealed) === true) return known.value as Value;
    const value = toValue(open(sealed, row));
    opened.set(row, { sealed, value });
    return value;
  };
  return {
    keyOf: (row, sealed, kind = "symmetric") =>
      answer(row, sealed, kind === "symmetric" ? createSecretKey : privateKeyOf),
    headersOf: (row, sealed) => answer(row, sealed, headersOfBytes),
  };
}
