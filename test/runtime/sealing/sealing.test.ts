import { spawnSync } from "node:child_process";
import { chmodSync, readdirSync, readFileSync, renameSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { CannotStart } from "../../../src/runtime/basis/errors.ts";
import { systemRandom } from "../../../src/runtime/basis/random.ts";
import { masterKeyFile, parseMasterKeys } from "../../../src/runtime/sealing/master-key.ts";
import { createSealer } from "../../../src/runtime/sealing/sealing.ts";
import { newFolder } from "../../support/folder.ts";

const [oldKey, newKey, foreignKey] = [1, 2, 3].map((fill) => Buffer.alloc(32, fill)) as [Buffer, Buffer, Buffer];
const ROW = "signing_key/es256-1";
const secret = Buffer.from("the private half of a signing key");

describe("sealing (R-D6, S27)", () => {
  const sealer = createSealer([oldKey], systemRandom);

  it("opens what it sealed, and shows nothing of it", () => {
    const sealed = sealer.seal(secret, ROW);
    expect(sealer.open(sealed, ROW)).toEqual(secret);
    expect(sealed.includes("private half")).toBe(false);
    expect(sealer.open(sealer.seal(Buffer.alloc(0), ROW), ROW)).toEqual(Buffer.alloc(0));
  });

  it("seals the same secret differently each time", () => {
    expect(sealer.seal(secret, ROW)).not.toEqual(sealer.seal(secret, ROW));
  });

  it("opens for its own row only", () => {
    expect(() => sealer.open(sealer.seal(secret, ROW), "signing_key/es256-2")).toThrow();
  });

  it("opens nothing that was changed, whichever byte", () => {
    const sealed = sealer.seal(secret, ROW);
    const opened = [...sealed.keys()].filter((index) => {
      const changed = Buffer.from(sealed);
      changed[index] = (changed[index] ?? 0) ^ 1;
      try {
        return sealer.open(changed, ROW).length >= 0;
      } catch {
        return false;
      }
    });
    expect(opened).toEqual([]);
  });

  it("opens nothing that was cut, wherever", () => {
    const sealed = sealer.seal(secret, ROW);
    for (let length = 0; length < sealed.length; length++)
      expect(() => sealer.open(sealed.subarray(0, length), ROW)).toThrow();
    expect(sealed.length).toBeGreaterThan(secret.length);
  });

  it("reads a value that is part of a larger buffer, as drivers return them", () => {
    const sealed = sealer.seal(secret, ROW);
    const larger = new Uint8Array(sealed.length + 10);
    larger.set(sealed, 7);
    expect(sealer.open(larger.subarray(7, 7 + sealed.length), ROW)).toEqual(secret);
  });

  it("makes digests by key and purpose: without the key, a guessable text cannot be confirmed", () => {
    const digests = [
      sealer.digest("maren@example.com", "throttle/email"),
      sealer.digest("maren@example.com", "throttle/device"),
      sealer.digest("maren@example.co", "throttle/email"),
      createSealer([foreignKey], systemRandom).digest("maren@example.com", "throttle/email"),
    ];
    expect(new Set(digests.map((digest) => digest.toString("hex"))).size).toBe(4);
    expect(digests.map(({ length }) => length)).toEqual([32, 32, 32, 32]);
    expect(createSealer([oldKey, newKey], systemRandom).digest("maren@example.com", "throttle/email")).toEqual(
      digests[0],
    );
  });

  it("enciphers blocks by key and purpose, the same block the same way each time, and deciphers them (R-X225)", () => {
    const block = Buffer.from("00112233445566778899aabbccddeeff", "hex");
    const enciphered = [
      sealer.encipher(block, "authorization_code/number"),
      sealer.encipher(block, "refresh_token/number"),
      sealer.encipher(block, "token_family/id"),
      createSealer([foreignKey], systemRandom).encipher(block, "token_family/id"),
      block,
    ];
    expect(new Set(enciphered.map((bytes) => bytes.toString("hex"))).size).toBe(5);
    const [asCode = block, asToken = block] = enciphered;
    expect(sealer.encipher(block, "authorization_code/number")).toEqual(asCode);
    expect(sealer.decipher(asCode, "authorization_code/number")).toEqual([block]);
    expect(sealer.decipher(asToken, "authorization_code/number")).not.toEqual([block]);
    const both = createSealer([newKey, oldKey], systemRandom);
    expect(both.decipher(asCode, "authorization_code/number")).toEqual([expect.any(Buffer), block]);
    expect(both.encipherUnderEach(block, "authorization_code/number")).toEqual([
      both.encipher(block, "authorization_code/number"),
      asCode,
    ]);
    expect(() => sealer.encipher(Buffer.alloc(15), "token_family/id")).toThrow("A block has 16 bytes, not 15.");
    expect(() => sealer.decipher(Buffer.alloc(32), "token_family/id")).toThrow("A block has 16 bytes, not 32.");
  });

  describe("while the master key is rotated", () => {
    const rotating = createSealer([newKey, oldKey], systemRandom);
    const rotated = createSealer([newKey], systemRandom);

    it("opens what the old key sealed, and seals with the new one", () => {
      expect(rotating.open(sealer.seal(secret, ROW), ROW)).toEqual(secret);
      expect(rotated.open(rotating.seal(secret, ROW), ROW)).toEqual(secret);
    });

    it("names the row that cannot be opened once the old key is gone", () => {
      const sealed = sealer.seal(secret, ROW);
      expect(() => rotated.open(sealed, ROW)).toThrow(`No master key opens ${ROW}`);
      expect(() => createSealer([foreignKey], systemRandom).open(sealed, ROW)).toThrow(`No master key opens ${ROW}`);
    });
  });

  it("needs a key", () => {
    expect(() => createSealer([], systemRandom)).toThrow("At least one master key");
  });
});

describe("master keys as a setting", () => {
  it("are base64 of 32 bytes each, by commas or white space, in order", () => {
    const text = ` ${newKey.toString("base64")},\n${oldKey.toString("base64")}\n`;
    expect(parseMasterKeys(text)).toEqual([newKey, oldKey]);
  });

  it.each([
    ["nothing", ""],
    ["a short one", Buffer.alloc(31).toString("base64")],
    ["a long one", Buffer.alloc(33).toString("base64")],
  ])("are refused when there is %s, without the value, with exit code 78", (_, text) => {
    const parsing = () => parseMasterKeys(`${oldKey.toString("base64")} ${text}`.slice(text === "" ? 100 : 0));
    expect(parsing).toThrow(CannotStart);
    expect(parsing).toThrow(/^master-keys must hold base64 of 32 bytes each, .* openssl rand -base64 32$/);
    expect(parsing).toThrow(expect.objectContaining({ exitCode: 78 }));
  });
});

/** Where there is no store yet. */
const FIRST = { mayMake: true };

describe("the master key file of the embedded default", () => {
  let folder: string;
  let path: string;

  beforeEach(() => {
    folder = newFolder("gh-key-");
    path = join(folder, "data", "master-key");
  });

  it("is made once, with mode 0600 in a directory of mode 0700, and alone", () => {
    const first = masterKeyFile(path, systemRandom, FIRST);
    const second = masterKeyFile(path, systemRandom, FIRST);
    expect(second).toEqual(first);
    expect(first[0]?.length).toBe(32);
    expect([statSync(path).mode & 0o777, statSync(join(folder, "data")).mode & 0o777]).toEqual([0o600, 0o700]);
    expect(readdirSync(join(folder, "data"))).toEqual(["master-key"]);
  });

  it("keeps the key of the process that was first", () => {
    let made = false;
    const slow = {
      bytes(length: number) {
        // Between looking for the file and linking its own, this process is overtaken by another.
        if (length === 32 && !made) {
          made = true;
          masterKeyFile(path, systemRandom, FIRST);
        }
        return systemRandom.bytes(length);
      },
    };
    const second = masterKeyFile(path, slow, FIRST);
    expect(made).toBe(true);
    expect(second).toEqual(masterKeyFile(path, systemRandom, FIRST));
    expect(readdirSync(join(folder, "data"))).toEqual(["master-key"]);
  });

  it("is not made beside a store that needs another one, and the refusal says what to do", () => {
    expect(() => masterKeyFile(path, systemRandom, { mayMake: false })).toThrow(
      `The master key ${path} is missing, and the store beside it is sealed with it. Put the file back from a backup, or give the key by master-keys.`,
    );
    expect(readdirSync(join(folder, "data"))).toEqual([]);
  });

  it("is not to be made again where a damaged file leaves a store that was sealed with it", () => {
    const path = join(folder, "emptied.key");
    writeFileSync(path, "", { mode: 0o600 });
    expect(() => masterKeyFile(path, systemRandom, { mayMake: false })).toThrow(
      `The master key ${path} must hold base64 of 32 bytes each, separated by commas, and the store beside it is sealed with it. Put the file back from a backup, or give the key by master-keys.`,
    );
    expect(() => masterKeyFile(path, systemRandom, FIRST)).toThrow(/separated by commas\. Make one with: openssl/);
  });

  it("is not made for a backup, whose key was kept apart from it; a directory without a store has none beside it", () => {
    expect(() => masterKeyFile(path, systemRandom, { mayMake: false, sealed: "backup" })).toThrow(
      `The master key ${path} is missing, and the backup is sealed with it. Put the copy there that was kept apart from the backup, or give the key by master-keys.`,
    );
  });

  it("may hold several keys", () => {
    masterKeyFile(path, systemRandom, FIRST);
    writeFileSync(path, `${newKey.toString("base64")}\n${readFileSync(path, "utf8")}`);
    expect(masterKeyFile(path, systemRandom, FIRST).length).toBe(2);
  });

  it("is refused when others can read it, in one line with the command that mends it", () => {
    masterKeyFile(path, systemRandom, FIRST);
    chmodSync(path, 0o640);
    expect(() => masterKeyFile(path, systemRandom, FIRST)).toThrow(
      `The master key ${path} can be read by others. Run: chmod 600 ${path}`,
    );
    const spaced = `${path} of May`;
    renameSync(path, spaced);
    expect(() => masterKeyFile(spaced, systemRandom, FIRST)).toThrow(`Run: chmod 600 '${spaced}'`);
  });

  it("leaves no draft where the disk takes no byte of it", () => {
    const module = join(import.meta.dirname, "../../../src/runtime/sealing/master-key.ts");
    const program = `import { masterKeyFile } from ${JSON.stringify(module)};
      import { randomBytes } from "node:crypto";
      try { masterKeyFile(${JSON.stringify(path)}, { bytes: randomBytes }, { mayMake: true }); }
      catch (error) { console.log(error.message); }`;
    const command = 'ulimit -f 0; exec "$0" --input-type=module -e "$1"';
    const { stdout } = spawnSync("sh", ["-c", command, process.execPath, program], { encoding: "utf8" });
    expect(stdout).toContain(`The master key ${path} cannot be read or made (EFBIG)`);
    expect(readdirSync(join(folder, "data"))).toEqual([]);
  });

  it("is refused when it cannot be made, in one line", () => {
    writeFileSync(join(folder, "data"), "a file where the directory should be");
    expect(() => masterKeyFile(path, systemRandom, FIRST)).toThrow(
      /^The master key .* cannot be read or made \(EEXIST\)\. Make the directory/,
    );
  });

  it("is refused when it has no key, with the file's name", () => {
    masterKeyFile(path, systemRandom, FIRST);
    writeFileSync(path, "");
    expect(() => masterKeyFile(path, systemRandom, FIRST)).toThrow(path);
  });
});
