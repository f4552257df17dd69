import { globSync, readFileSync } from "node:fs";
import ts from "typescript";

/** Fields that some command has a flag for. */
const FLAGGED = new Set(
  globSync("src/cli/**/*.ts").flatMap((file) =>
    [...readFileSync(file, "utf8").matchAll(/\b([a-z_]+)"?: "--/g)].map(([, field = ""]) => field),
  ),
).add("next_cursor");

/** Sentences of a source for people which name such a field, and the fields that are not in a `named` list beside them. */
function undeclared(source: string): string[] {
  const found: string[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isTaggedTemplateExpression(node)) return;
    const text = ts.isStringLiteralLike(node) || ts.isTemplateExpression(node) ? node.getText().slice(1, -1) : "";
    if (/^(must|is|are|has|cannot) |^[A-Z$].* .*\.$/.test(text)) {
      // The call or object that the sentence is a part of.
      const around = (ts.isPropertyAssignment(node.parent) ? node.parent.parent : node.parent).getText();
      const fields = [...text.matchAll(/`([a-z]+)\\?`|\b[a-z]+(?:_[a-z]+)+\b/g)].map(([all, word = all]) => word);
      found.push(...fields.filter((field) => FLAGGED.has(field) && !around.includes(`["${field}"]`)));
    }
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile("source.ts", source, ts.ScriptTarget.Latest, true));
  return found;
}

describe("a sentence that names a field of a command", () => {
  it("declares it, so that the command line can show its flag instead", () => {
    const services = globSync("src/{runtime,sign-on,webhooks,workforce}/**/*.ts");
    const found = services.flatMap((file) =>
      undeclared(readFileSync(file, "utf8")).map((field) => `${file}: ${field}`),
    );
    expect(FLAGGED.size).toBeGreaterThan(50);
    expect(found).toEqual([]);
  });

  it.each([
    ["in a failure", `failedPrecondition("x", "It is a cycle. Choose another parent_unit_id.");`, ["parent_unit_id"]],
    ["in a reason", 'fields.check(isOne, "primary_unit_id", "must be one of unit_ids");', ["unit_ids"]],
    ["in backticks", 'violations.push({ field: "from", reason: "must be before `to`" });', ["to"]],
    ["declared", 'fields.check(isOne, "primary_unit_id", "must be one of unit_ids", ["unit_ids"]);', []],
  ])("is found where it does not (a planted defect): %s", (_, source, fields) => {
    expect(undeclared(source)).toEqual(fields);
  });
});
