import { globSync, readFileSync } from "node:fs";
import {
  adviceLine,
  adviceText,
  atSameGatehouse,
  helpOf,
  leadingTo,
  run,
  runWords,
  withAside,
} from "../../../src/cli/output/advice.ts";

const FLAGS = " --data-directory '/srv/a b'";
const NARROW = { isTTY: true, columns: 24 };

describe("an advised command", () => {
  it("has each value as one word of a shell, and a sign for an unknown one", () => {
    const unknown: string | undefined = undefined;
    expect(run`gatehouse tenants create --instance ${"North America"} --name …`.command).toBe(
      "gatehouse tenants create --instance 'North America' --name …",
    );
    expect(run`gatehouse people show ${unknown} --json`.command).toBe("gatehouse people show … --json");
    expect(runWords(["gatehouse", "import", "a b"]).command).toBe("gatehouse import 'a b'");
  });

  it.each([
    ["behind a sentence", leadingTo("See:", run`gatehouse units list`), `See: gatehouse units list${FLAGS}`],
    [
      "in brackets",
      withAside("There are: A", run`gatehouse units list`),
      `There are: A (gatehouse units list${FLAGS})`,
    ],
    ["alone", run`gatehouse units list`, `gatehouse units list${FLAGS}`],
    ["a help, which is the same everywhere", helpOf("gatehouse units"), "gatehouse units --help"],
    ["not in a sentence that mentions one", "Or: gatehouse units list", "Or: gatehouse units list"],
  ])("gets the flags that find the same Gatehouse: %s", (_, advice, shown) => {
    expect(adviceText(atSameGatehouse(advice, FLAGS))).toBe(shown);
  });

  it("is never folded; a sentence is, and controls no terminal", () => {
    expect(adviceLine(leadingTo("See what there is:", run`gatehouse units list`), NARROW)).toBe(
      "See what there is:\n  gatehouse units list",
    );
    expect(adviceLine("It is a: gatehouse by\u0007 the\nriver", NARROW)).toBe("It is a: gatehouse by\nthe\nriver");
  });

  it.each(globSync("src/cli/**/*.ts"))("is never a mere text as what to do: %s", (path) => {
    expect(readFileSync(path, "utf8")).not.toMatch(/\b(?:next|fix|ifUnread|goOn): (?:"|`)(?:[^"`\n]*: )?gatehouse /);
  });
});
