import { Readable, Writable } from "node:stream";
import { EXIT } from "../../desk/src/command-error.ts";
import { runDesk } from "../../desk/src/program.ts";
import { desk } from "./support/desk.ts";

const CONFORM = "desk conform http://localhost:3000/webhooks";

describe("a mistake on the command line of the desk tools", () => {
  it.each([
    ["conform", `For example: ${CONFORM}`],
    ["conform ftp://x", `For example: ${CONFORM}`],
    ["conform http://x http://y", `For example: ${CONFORM}`],
    ["conform http://me@x", `For example: ${CONFORM}`],
    ["conform http://:secret@x", `For example: ${CONFORM}`],
    ["conform http://x --count-url y", `For example: ${CONFORM} --count-url http://localhost:3000/count`],
    ["conform --new-key-pair a.key --timeout 3", "Make the key pair first: desk conform --new-key-pair conform.key"],
  ])("shows an example that can be typed as it is: %s", async (words, fix) => {
    const { exitCode, err } = await desk(words.split(" "));
    expect([exitCode, err.split("\n")[1]]).toEqual([2, fix]);
  });

  it("shows it with --json too", async () => {
    const { err } = await desk(["conform", "--json"]);
    expect(JSON.parse(err).error.fix).toBe(`For example: ${CONFORM}`);
  });

  it.each([
    ["listen --foward-to http://x", "Unknown option '--foward-to'. Did you mean --forward-to?"],
    ["trigger user.updated --gatway http://x", "Unknown option '--gatway'. Did you mean --gateway?"],
    ["conform http://x --secretfile x", "Unknown option '--secretfile'. Did you mean --secret-file?"],
    ["conform http://x --kye x", "Unknown option '--kye'."],
    ["conform http://x --fast", "Unknown option '--fast'."],
  ])("names the flag that was meant, and never one that would show a secret: %s", async (words, sentence) => {
    const { exitCode, err } = await desk(words.split(" "));
    expect([exitCode, err]).toEqual([2, `desk: ${sentence}\n--help lists every flag.\n`]);
  });

  it.each([
    ["trigger user.updated --gateway http://x --key-file ghk_Vn7Qx2", "--key-file"],
    ["conform http://x --secret-file whsec_Vn7Qx2", "--secret-file"],
    ["trigger user.updated --gateway http://x --key-file ghs_Vn7Qx2", "--key-file"],
    ["conform http://x --key-pair-file whsk_Vn7Qx2", "--key-pair-file"],
  ])("does not repeat a secret that is given in place of its file: %s", async (words, flag) => {
    const { exitCode, err } = await desk(words.split(" "));
    expect([exitCode, err]).toEqual([
      2,
      `desk: ${flag} takes the path of a file, and this is a key or a secret.\nPut it into a file that you alone can read, and name that.\n`,
    ]);
  });

  it("says that others can see a secret in a flag, and takes it without the spaces around it", async () => {
    const { exitCode, err } = await desk(["conform", "http://x", "--secret", " whsec_x "]);
    expect([exitCode, err.split("\n").slice(0, 2)]).toEqual([
      2,
      [
        "Other users of this machine can see what --secret says; WEBHOOK_SECRET or --secret-file keep it private.",
        "desk: A signing secret is standard base64 with padding.",
      ],
    ]);
  });

  it.each([
    ["0", "--timeout must be a whole number from 1 to 60."],
    ["1", "There is no signing secret."],
    ["60", "There is no signing secret."],
    ["61", "--timeout must be a whole number from 1 to 60."],
  ])("takes %s as a number of seconds, or says which it takes: %s", async (seconds, sentence) => {
    const { err } = await desk(["conform", "http://x", "--timeout", seconds]);
    expect(err.split("\n")[0]).toBe(`desk: ${sentence}`);
  });

  it("fits into 80 columns of a terminal", async () => {
    let text = "";
    const terminal = Object.assign(
      new Writable({
        write(chunk, _encoding, done) {
          text += String(chunk);
          done();
        },
      }),
      { isTTY: true },
    );
    const streams = { stdin: Readable.from([]), stdout: terminal, stderr: terminal, env: { NO_COLOR: "1" } };
    await runDesk(["trigger", "user.update"], { command: "desk", ...streams });
    expect(text).toContain("Did you mean user.updated?");
    expect(text.split("\n").filter((line) => line.length > 80)).toEqual([]);
    // A command is copied, so it stays on one line.
    const words = ["conform", "http://localhost:3000/webhooks", "--count-url", "localhost"];
    await runDesk(words, { command: "npx ./desk", ...streams });
    const example = "npx ./desk conform http://localhost:3000/webhooks --count-url http://localhost:3000/count";
    expect(text).toContain(`\nFor example:\n  ${example}\n`);
  });
});

describe("the help of conform", () => {
  it("names every exit code", async () => {
    const { out } = await desk(["conform", "--help"]);
    const end = out.slice(out.indexOf("\nEnds with"));
    expect(Object.values(EXIT).filter((code) => !end.includes(`with ${code} `))).toEqual([]);
  });
});
