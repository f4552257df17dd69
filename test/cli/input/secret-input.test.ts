import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { Readable, Writable } from "node:stream";
import { readPassword, readToken } from "../../../src/cli/input/secret-input.ts";
import { newFolder } from "../../support/folder.ts";

const stderr = new Writable({ write: (_chunk, _encoding, done) => done() });
const given = (...chunks: readonly string[]) => ({ stdin: Readable.from(chunks), stderr });
const refused = (reason: string, message: string, fix: string | null = null) => ({
  name: "CommandError",
  exitCode: 2,
  json: { code: "USAGE", reason, message, fix, violations: [] },
});

describe("a secret from standard input or a file", () => {
  let folder: string;
  beforeAll(() => {
    folder = newFolder("gh-secret-");
    writeFileSync(join(folder, "secret"), " of a file\r\n");
  });

  it("a password without the line break at its end, a token without white space around it", async () => {
    expect(await readPassword(undefined, given("in two ", "chunks \n"))).toBe("in two chunks ");
    expect(await readPassword("-", given("one\n\n"))).toBe("one\n");
    // A pipe may end a piece within a character.
    const bytes = Buffer.from("süß 東京\n");
    const pieces = Array.from(bytes, (byte) => Buffer.of(byte));
    expect(await readPassword(undefined, { stdin: Readable.from(pieces), stderr })).toBe("süß 東京");
    expect(await readPassword(join(folder, "secret"), given())).toBe(" of a file");
    expect(await readToken(undefined, undefined, given(" in two ", "chunks \n"))).toBe("in two chunks");
    expect(await readToken("-", undefined, given("a.b.c"))).toBe("a.b.c");
    expect(await readToken(" a.b.c ", undefined, given())).toBe("a.b.c");
    expect(await readToken(undefined, join(folder, "secret"), given())).toBe("of a file");
  });

  it("a password is read twice at a terminal, where both lines may arrive together", async () => {
    const typed = (...lines: readonly string[]) =>
      readPassword(undefined, { stdin: Object.assign(Readable.from(lines), { isTTY: true }), stderr });
    expect(await typed("in two words\nin two words\n")).toBe("in two words");
    await expect(typed("one\nanother\n")).rejects.toMatchObject({ json: { reason: "passwords_differ" } });
    await expect(typed("one\n")).rejects.toMatchObject(refused("interrupted", "Nothing was changed."));
  });

  it.each(["token", "key"] as const)(
    "a %s is asked for at a terminal, which would wait without a word",
    async (kind) => {
      const asked: string[] = [];
      const questions = new Writable({
        write(chunk, _encoding, done) {
          asked.push(String(chunk));
          done();
        },
      });
      const stdin = Object.assign(Readable.from([" a.b.c \n"]), { isTTY: true });
      expect(await readToken(undefined, undefined, { stdin, stderr: questions }, kind)).toBe("a.b.c");
      expect(asked).toEqual([`The ${kind}, which is not shown: `, "\n"]);
    },
  );

  it("a password or token that is too long is refused", async () => {
    await expect(readPassword(undefined, given("x".repeat(64 * 1024 + 1)))).rejects.toMatchObject(
      refused("password_too_long", "That is too long for a password."),
    );
    await expect(readToken(undefined, undefined, given("x".repeat(16 * 1024 + 1)))).rejects.toMatchObject(
      refused("token_too_long", "That is too long for a token."),
    );
    expect(await readToken(undefined, undefined, given("x".repeat(16 * 1024)))).toHaveLength(16 * 1024);
  });

  it("no password is refused, by where it was looked for", async () => {
    const fix = "Give it on standard input, or name a file that has it with --password-file.";
    await expect(readPassword(undefined, given("\n"))).rejects.toMatchObject(
      refused("password_missing", "There was no password on standard input.", fix),
    );
    const empty = join(folder, "empty");
    writeFileSync(empty, "");
    await expect(readPassword(empty, given("a password\n"))).rejects.toMatchObject(
      refused("password_missing", `${empty} has no password.`, fix),
    );
  });

  it("a password that is not UTF-8 is refused: what would be set is not what a person types", async () => {
    const latin1 = Buffer.from("Grüße aus der Bäckerei", "latin1");
    const file = join(folder, "latin1");
    writeFileSync(file, latin1);
    const refusal = {
      exitCode: 2,
      json: { reason: "not_utf8", message: "The password is not UTF-8. Nothing was changed." },
    };
    await expect(readPassword(file, given())).rejects.toMatchObject(refusal);
    await expect(readPassword(undefined, { stdin: Readable.from([latin1]), stderr })).rejects.toMatchObject(refusal);
  });

  it("an unreadable file is refused by its name", async () => {
    const missing = join(folder, "missing");
    await expect(readPassword(missing, given())).rejects.toMatchObject(
      refused(
        "password_file_unreadable",
        `${missing} cannot be read (ENOENT).`,
        "Correct --password-file, or omit it and give the password on standard input.",
      ),
    );
    await expect(readToken(undefined, missing, given())).rejects.toMatchObject(
      refused("token_file_unreadable", `${missing} cannot be read (ENOENT).`),
    );
  });

  it.each(["ghk_", "ghs_", "ghr_", "whsec_", "whsk_"])(
    "a secret %s… that is given in place of its file is not repeated",
    async (prefix) => {
      await expect(readToken(undefined, `${prefix}Vn7Qx2`, given())).rejects.toMatchObject(
        refused(
          "token_file_unreadable",
          "A key or a secret was given where the path of a file belongs.",
          "Put it into a file that you alone can read, and name that.",
        ),
      );
    },
  );

  it("no token, and two tokens, are refused", async () => {
    await expect(readToken(undefined, undefined, given(" \n"))).rejects.toMatchObject(
      refused(
        "token_missing",
        "There was no token to read.",
        "Give it on standard input, or name a file that has it with --file.",
      ),
    );
    await expect(readToken("a.b.c", "file", given())).rejects.toMatchObject(
      refused("one_of_two_flags", "Give the token or --file, not both."),
    );
  });
});
