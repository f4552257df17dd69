import { Readable, Writable } from "node:stream";
import { confirmed, openQuestions } from "../../../src/cli/input/questions.ts";

/** A terminal of 40 columns at which this is typed before the input ends. */
function terminal(typed: string) {
  const written = { text: "" };
  const stderr = Object.assign(
    new Writable({
      write(chunk, _encoding, done) {
        written.text += String(chunk);
        done();
      },
    }),
    { isTTY: true, columns: 40 },
  );
  const stdin = Object.assign(Readable.from(typed === "" ? [] : [typed]), { isTTY: true });
  return { written, streams: { stdin, stderr } };
}

const SAYS = "This ends Marigold for good: sign-ins with it, its codes, its tokens and its secret.";

describe("questions at a terminal", () => {
  it("end their line when the input ends, so that what is said then begins on its own", async () => {
    const { written, streams } = terminal("");
    const questions = openQuestions(streams);
    await expect(questions.ask("Kind of application", "web")).rejects.toThrow("Nothing was changed.");
    questions.close();
    expect(written.text).toBe("Kind of application [web]: \n");
  });

  it("say what cannot be undone within the columns of the terminal", async () => {
    const { written, streams } = terminal("y\n");
    await confirmed(streams, {}, { says: SAYS, question: "Delete it?" });
    expect(written.text.split("\n").filter((line) => line.length > 40)).toEqual([]);
    expect(written.text.replaceAll("\n", " ")).toBe(`${SAYS} Delete it? [y/N]: `);
  });
});
