import { createHash } from "node:crypto";
import type { Sealer } from "#runtime/sealing/sealing.ts";
import { sameDigest } from "../digest.ts";
import { emailKeyOf } from "./throttle.ts";

/** How long a browser is known by a sign-in; its cookie lives as long. */
export const DEVICE_PROOF_DAYS = 180;

/** What a browser shows to prove that somebody signed in there with an address before (OWASP "device cookie"). Nothing of it is stored. */
interface DeviceProofs {
  /** A proof for the cookie: 103 characters of base64url, each time another. */
  issue(email: string, at: Date): string;
  /** True when this is a proof for that address that is not too old. */
  fits(proof: string, email: string, now: Date): boolean;
}

const ROW = "device_proof";
const TIME_BYTES = 8;
const DAY_MS = 86_400_000;

export const createDeviceProofs = (sealer: Sealer): DeviceProofs => ({
  issue(email, at) {
    const time = Buffer.alloc(TIME_BYTES);
    time.writeBigInt64BE(BigInt(at.getTime()));
    return sealer.seal(Buffer.concat([time, digestOfEmail(email)]), ROW).toString("base64url");
  },
  fits(proof, email, now) {
    const opened = open(sealer, proof);
    if (opened === undefined) return false;
    const ageMs = now.getTime() - Number(opened.readBigInt64BE());
    return ageMs < DEVICE_PROOF_DAYS * DAY_MS && sameDigest(opened.subarray(TIME_BYTES), digestOfEmail(email));
  },
});

/** Inside the seal, so that only we see it; hashed for its even length. */
const digestOfEmail = (email: string): Buffer => createHash("sha256").update(emailKeyOf(email)).digest();

/** `undefined` for what we did not seal, or not with a master key that we still have: the browser is then unknown. */
function open(sealer: Sealer, proof: string): Buffer | undefined {
  const sealed = Buffer.from(proof, "base64url");
  // One spelling only: each proof is counted by its text.
  if (sealed.toString("base64url") !== proof) return undefined;
  try {
    return sealer.open(sealed, ROW);
  } catch {
    return undefined;
  }
}
