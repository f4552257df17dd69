import { DAY_MS } from "#runtime/basis/durations.ts";
import { emailKey } from "#runtime/basis/email-address.ts";
import type { Sealer } from "#runtime/sealing/sealing.ts";
import { digestOf, sameDigest } from "../digest.ts";

/** How long a browser is known by a sign-in; its cookie lives as long. */
export const DEVICE_PROOF_DAYS = 180;

/** What a browser shows to prove that somebody signed in there with an address before (OWASP "device cookie"). Nothing of it is stored. */
interface DeviceProofs {
  /**
   * A proof for the cookie: 114 characters of base64url, each time another.
   * @param passwordSetAt when the password was set by which it is earned: names it, since nothing of it may be in a proof.
   */
  issue(email: string, at: Date, passwordSetAt: Date): string;
  /** By which password it was earned; `undefined` when this is no proof for that address, or is too old. */
  passwordSetAt(proof: string, email: string, now: Date): Date | undefined;
}

const ROW = "device_proof";
const TIME_BYTES = 8;
const PROOF_BYTES = 2 * TIME_BYTES + 32;

export const createDeviceProofs = (sealer: Sealer): DeviceProofs => ({
  issue(email, at, passwordSetAt) {
    const times = Buffer.alloc(2 * TIME_BYTES);
    times.writeBigInt64BE(BigInt(at.getTime()));
    times.writeBigInt64BE(BigInt(passwordSetAt.getTime()), TIME_BYTES);
    return sealer.seal(Buffer.concat([times, digestOfEmail(email)]), ROW).toString("base64url");
  },
  passwordSetAt(proof, email, now) {
    const opened = open(sealer, proof);
    // Proofs of earlier programs are shorter: nothing says by which password they were earned.
    if (opened?.length !== PROOF_BYTES) return undefined;
    const ageMs = now.getTime() - Number(opened.readBigInt64BE());
    const fits =
      ageMs < DEVICE_PROOF_DAYS * DAY_MS && sameDigest(opened.subarray(2 * TIME_BYTES), digestOfEmail(email));
    return fits ? new Date(Number(opened.readBigInt64BE(TIME_BYTES))) : undefined;
  },
});

/** Inside the seal, so that only we see it; hashed for its even length. */
const digestOfEmail = (email: string): Buffer => digestOf(emailKey(email));

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
