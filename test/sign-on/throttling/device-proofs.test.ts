import { systemRandom } from "../../../src/runtime/basis/random.ts";
import { createSealer } from "../../../src/runtime/sealing/sealing.ts";
import { createDeviceProofs, DEVICE_PROOF_DAYS } from "../../../src/sign-on/throttling/device-proofs-service.ts";

const NOW = new Date("2026-06-30T08:15:27.412Z");
const later = (ms: number) => new Date(NOW.getTime() + ms);
const [oldKey, newKey] = [1, 2].map((fill) => Buffer.alloc(32, fill)) as [Buffer, Buffer];
const proofsOf = (...keys: readonly Buffer[]) => createDeviceProofs(createSealer(keys, systemRandom));
const proofs = proofsOf(oldKey);
/** When the password was set that was entered in that browser. */
const SET_AT = new Date("2026-02-01T10:00:00.000Z");
const proof = proofs.issue("maren@harbour.example", NOW, SET_AT);
const fits = (presented: string, email: string, now: Date, by = proofs): boolean =>
  by.passwordSetAt(presented, email, now)?.getTime() === SET_AT.getTime();

describe("the proof that a person signed in in a browser before (R-X91)", () => {
  it.each(["maren@harbour.example", " Maren@Harbour.example "])(
    "fits the address, however it is spelt: %j",
    (email) => {
      expect(fits(proof, email, NOW)).toBe(true);
    },
  );

  it("fits no other address, and nothing before or beside it", () => {
    const emails = ["tomas@harbour.example", "", "maren@harbour.exampl", "\u0000maren@harbour.example"];
    expect(emails.map((email) => fits(proof, email, NOW))).toEqual([false, false, false, false]);
  });

  it("is good for 180 days, to the millisecond", () => {
    const ms = DEVICE_PROOF_DAYS * 86_400_000;
    expect([ms - 1, ms].map((age) => fits(proof, "maren@harbour.example", later(age)))).toEqual([true, false]);
  });

  it("holds while its master key is in the list, and no longer", () => {
    const [rotated, lost] = [proofsOf(newKey, oldKey), proofsOf(newKey)];
    expect([rotated, lost].map((one) => fits(proof, "maren@harbour.example", NOW, one))).toEqual([true, false]);
  });

  it("is not believed when any character was changed, cut or added", () => {
    const changed = [...proof].map((character, index) => {
      const other = character === "A" ? "B" : "A";
      return `${proof.slice(0, index)}${other}${proof.slice(index + 1)}`;
    });
    const spoilt = [...changed, proof.slice(0, -1), `${proof}A`, `${proof}=`, "", "A".repeat(114)];
    expect(spoilt.filter((one) => fits(one, "maren@harbour.example", NOW))).toEqual([]);
  });

  it("is sealed as a device proof, and so is nothing else that is sealed", () => {
    const sealer = createSealer([oldKey], systemRandom);
    const sealed = Buffer.from(proof, "base64url");
    expect(sealer.open(sealed, "device_proof")).toHaveLength(48);
    expect(() => sealer.open(sealed, "signing_key")).toThrow();
    const asOther = sealer.seal(sealer.open(sealed, "device_proof"), "signing_key").toString("base64url");
    expect(fits(asOther, "maren@harbour.example", NOW)).toBe(false);
  });

  it("of an earlier program, which names no password, fits nothing", () => {
    const sealer = createSealer([oldKey], systemRandom);
    const opened = sealer.open(Buffer.from(proof, "base64url"), "device_proof");
    const former = sealer.seal(Buffer.concat([opened.subarray(0, 8), opened.subarray(16)]), "device_proof");
    expect(proofs.passwordSetAt(former.toString("base64url"), "maren@harbour.example", NOW)).toBeUndefined();
  });

  it("reveals nothing to its holder", () => {
    expect(Buffer.from(proof, "base64url").includes("maren")).toBe(false);
    expect(proofs.issue("maren@harbour.example", NOW, SET_AT)).not.toBe(proof);
  });
});
