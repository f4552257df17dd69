import { globSync, readFileSync } from "node:fs";
import { AUDIT_ACTIONS } from "../../../../src/cli/commands/inspection/audit-actions.ts";
import { RAISED_BY } from "../../../../src/workforce/revisions.ts";

describe("the actions that gatehouse audit list takes", () => {
  it("are those that the sources write, one by one", () => {
    const written = globSync("src/**/*.ts")
      .filter((path) => !path.startsWith("src/cli/"))
      .flatMap((path) => [
        ...readFileSync(path, "utf8").matchAll(/\baction(?:: | = )(?:\w+ \? )?"(\w+\.\w+)"(?: : "(\w+\.\w+)")?/g),
      ])
      .flatMap(([, one = "", other]) => (other === undefined ? [one] : [one, other]));
    expect(AUDIT_ACTIONS).toEqual([...new Set([...written, ...Object.keys(RAISED_BY)])].toSorted());
  });
});
