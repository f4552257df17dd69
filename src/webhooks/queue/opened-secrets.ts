import { createSecretKey, type KeyObject } from "node:crypto";
import type { Clock } from "#runtime/basis/clock.ts";
import type { SealedRow } from "#runtime/sealing/purposes.ts";

/** How long an opened secret is answered from memory. It lies there until something is asked for after that. */
const KEPT_MS = 1_000;

/** Opens sealed secrets, and the same one not twice within a second. */
export interface OpenedSecrets {
  /**
   * The key behind `sealed`, of the row that it is bound to. Other bytes are never answered from memory.
   * @throws what `open` throws.
   */
  keyOf(row: SealedRow, sealed: Buffer): KeyObject;
}

interface Opened {
  readonly sealed: Buffer;
  readonly key: KeyObject;
}

export function openedSecrets(open: (sealed: Buffer, row: SealedRow) => Buffer, clock: Clock): OpenedSecrets {
  const opened = new Map<string, Opened>();
  let keptUntil = 0;
  return {
    keyOf(row, sealed) {
      const now = clock.now().getTime();
      // All at once, so that nothing needs a timer; what is asked for every second is opened once a second.
      if (now >= keptUntil || now < keptUntil - KEPT_MS) {
        opened.clear();
        keptUntil = now + KEPT_MS;
      }
      const known = opened.get(row);
      if (known?.sealed.equals(sealed) === true) return known.key;
      const key = createSecretKey(open(sealed, row));
      opened.set(row, { sealed, key });
      return key;
    },
  };
}
