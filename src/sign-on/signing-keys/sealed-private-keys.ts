import type { SealedColumn, SealedRow } from "#runtime/sealing/purposes.ts";

/** The row that a sealed private key is bound to. */
export const sealedRow = (keyId: string): SealedRow => `signing_key/${keyId}`;

/** Where the private halves are; a retired key's is empty. */
export const sealedPrivateKeys: SealedColumn = {
  kind: "signingKeys",
  table: "sign_on_signing_keys",
  column: "sealed_private_key",
  key: ["key_id"],
  rowOf: (keyId) => sealedRow(String(keyId)),
};
