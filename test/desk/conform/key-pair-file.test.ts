import { mkdir, readFile, stat, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { parsePrivateKey } from "../../../desk/src/key-pair.ts";
import { newFolder } from "../../support/folder.ts";
import { desk } from "../support/desk.ts";
import { PRIVATE_KEY, PUBLIC_KEY, SECRET } from "../support/receiver.ts";

let folder: string;
let keyFile: string;
beforeEach(async () => {
  folder = newFolder("gh-key-pair-");
  keyFile = join(folder, "conform.key");
  await writeFile(keyFile, `${PRIVATE_KEY}\n`);
});

describe("--key-pair-file", () => {
  it.each<[string, string, string]>([
    ["nothing", "", "A private key begins with whsk_."],
    ["no key", "-----BEGIN PRIVATE KEY-----", "A private key begins with whsk_."],
    ["a secret", SECRET, "A private key begins with whsk_; this is a signing secret, whsec_."],
    ["a public key", PUBLIC_KEY, "A private key begins with whsk_; this is a public key, whpk_."],
    ["a part of a key", PRIVATE_KEY.slice(0, 49), "A private key has 64 bytes"],
  ])("ends with 2 when there is %s in the file, and shows nothing of it", async (_, content, sentence) => {
    await writeFile(keyFile, content);
    const { exitCode, out, err } = await desk(["conform", "http://x", "--key-pair-file", keyFile]);
    expect([exitCode, out]).toEqual([2, ""]);
    expect(err).toContain(sentence);
    expect(err).toContain("--key-pair-file takes a file that conform --new-key-pair made");
    expect(err).not.toContain(content.slice(-20).padEnd(20));
  });

  it.each<[string, () => string, string]>([
    ["is missing", () => join(folder, "no.key"), "cannot be read (ENOENT).\nCorrect --key-pair-file."],
    ["is a directory", () => folder, "cannot be read (EISDIR).\nCorrect --key-pair-file."],
  ])("ends with 2 when the file %s", async (_, path, sentence) => {
    const { exitCode, out, err } = await desk(["conform", "http://x", "--key-pair-file", path()]);
    expect([exitCode, out]).toEqual([2, ""]);
    expect(err).toContain(`${path()} ${sentence}`);
  });

  it.each([
    ["--secret", SECRET],
    ["--secret-file", "/etc/hostname"],
  ])("ends with 2 beside %s", async (...secretFlag) => {
    const { exitCode, err } = await desk(["conform", "http://x", "--key-pair-file", keyFile, ...secretFlag]);
    expect(exitCode).toBe(2);
    expect(err).toContain(
      "A receiver is scored by a secret or by a key pair, not by both at once.\nGive --secret-file or --key-pair-file.",
    );
  });
});

describe("--new-key-pair", () => {
  it("writes a private key that its owner alone can read, and prints the public key alone", async () => {
    const path = join(folder, "new.key");
    const { exitCode, out, err } = await desk(["conform", "--new-key-pair", path]);
    expect(exitCode).toBe(0);
    expect((await stat(path)).mode & 0o777).toBe(0o600);
    expect(out).toBe(`${parsePrivateKey((await readFile(path, "utf8")).trimEnd()).publicText}\n`);
    expect(err).toBe(
      `Give your receiver this public key for the run with --key-pair-file ${path}; it is for tests, never Gatehouse's own.\n`,
    );
  });

  it("makes another one each time", async () => {
    const made = await Promise.all(["a", "b"].map((name) => desk(["conform", "--new-key-pair", join(folder, name)])));
    expect(new Set(made.map(({ out }) => out)).size).toBe(2);
  });

  it.each<[string, (path: string) => Promise<unknown>, string]>([
    ["a file", (path) => writeFile(path, "mine"), "it exists already"],
    ["a directory", (path) => mkdir(path), "it exists already"],
    ["a link to nothing", (path) => symlink(join(folder, "elsewhere"), path), "it exists already"],
  ])("ends with 2 and leaves what is there: %s", async (_, put, why) => {
    const path = join(folder, "taken.key");
    await put(path);
    const before = await readFile(path, "utf8").catch(String);
    const { exitCode, out, err } = await desk(["conform", "--new-key-pair", path]);
    expect([exitCode, out]).toEqual([2, ""]);
    expect(err).toContain(`${path} cannot be written: ${why}.\nName a file that does not exist yet`);
    expect(await readFile(path, "utf8").catch(String)).toBe(before);
  });

  it("ends with 2 when the directory is missing", async () => {
    const { exitCode, err } = await desk(["conform", "--new-key-pair", join(folder, "no", "new.key")]);
    expect(exitCode).toBe(2);
    expect(err).toContain("cannot be written: ENOENT.");
  });

  it.each<readonly string[]>([["http://x"], ["--timeout", "3"]])(
    "takes no address and no other flag: %s",
    async (...more) => {
      const path = join(folder, "new.key");
      const { exitCode, err } = await desk(["conform", ...more, "--new-key-pair", path]);
      expect(exitCode).toBe(2);
      expect(err).toContain("--new-key-pair takes no address and no other flag.\nMake the key pair first");
      await expect(stat(path)).rejects.toThrow("ENOENT");
    },
  );

  it("takes no address and no other flag: --json, and says so in a document", async () => {
    const path = join(folder, "new.key");
    const { exitCode, err } = await desk(["conform", "--json", "--new-key-pair", path]);
    const { error } = JSON.parse(err) as { readonly error: { readonly message: string; readonly fix: string } };
    expect([exitCode, error.message, error.fix]).toEqual([
      2,
      "--new-key-pair takes no address and no other flag.",
      expect.stringMatching(/^Make the key pair first/),
    ]);
    await expect(stat(path)).rejects.toThrow("ENOENT");
  });
});
