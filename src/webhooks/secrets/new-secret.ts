import type { Random } from "#runtime/basis/random.ts";
import { newSeed } from "./key-pair.ts";
import { formatSigningSecret, newSigningSecret, parseSigningSecret, type SecretKind } from "./signing-secret.ts";

/** A secret, or the seed of a key pair, that is stored nowhere yet. */
export interface NewSecret {
  readonly kind: SecretKind;
  readonly bytes: Buffer;
  /** What its receiver is shown, once: `whsec_…`; `undefined` for a key pair and for what the receiver brought. */
  readonly shown: string | undefined;
}

/** Makes a secret of the kind, or takes the receiver's own, whose form is checked already. */
export function newSecret(kind: SecretKind, own: string | null | undefined, random: Random): NewSecret {
  if (kind === "asymmetric") return { kind, bytes: newSeed(random), shown: undefined };
  if (typeof own === "string") return { kind, bytes: parseSigningSecret(own), shown: undefined };
  const bytes = newSigningSecret(random);
  return { kind, bytes, shown: formatSigningSecret(bytes) };
}
