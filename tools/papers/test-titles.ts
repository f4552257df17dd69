import { globSync, readFileSync } from "node:fs";
import ts from "typescript";

/** What a test or a suite with tests is called, and where it is. */
export interface TestTitle {
  readonly file: string;
  readonly title: string;
}

/** The titles of tests that can fail, in files of a glob from the root. A title from a table is given once for each of its rows. */
export const titlesIn = (files: string): readonly TestTitle[] =>
  globSync(files).flatMap((file) => titlesOf(readFileSync(file, "utf8")).map((title) => ({ file, title })));

/**
 * The titles of a test file: the first text that `it`, `describe` or a function named after them is given (`describeWith` has what is needed
 * before it), if there is an expectation inside. What is skipped or still to be written is none. Rows of a table stand in the place of the first `%`, as far as they are written out there.
 */
export function titlesOf(source: string): readonly string[] {
  const titles: string[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isCallExpression(node)) titles.push(...titlesOfCall(node));
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile("test.ts", source, ts.ScriptTarget.Latest, true));
  return titles;
}

function titlesOfCall({ expression, arguments: given }: ts.CallExpression): readonly string[] {
  const [first, ...rest] = textOf(given[0]) === undefined ? given.slice(1) : given;
  const table = ts.isCallExpression(expression) ? expression : undefined;
  const callee = (table?.expression ?? expression).getText().replace(/<[\s\S]*$/, "");
  if (!/^(it|test|describe\w*)(\.each)?$/.test(callee) || callee.endsWith(".each") !== (table !== undefined)) return [];
  const title = first === undefined ? undefined : textOf(first);
  if (title === undefined || !rest.some((argument) => /expect/i.test(argument.getText()))) return [];
  const rows = table?.arguments[0];
  if (!title.includes("%") || rows === undefined || !ts.isArrayLiteralExpression(rows)) return [title];
  const named = rows.elements.map((row) => textOf(ts.isArrayLiteralExpression(row) ? row.elements[0] : row));
  return named.map((name) => (name === undefined ? title : title.replace(/%\w/, () => name)));
}

/** A text as it is written; what is computed in it is left out. */
function textOf(node: ts.Node | undefined): string | undefined {
  if (node === undefined) return undefined;
  if (ts.isStringLiteral(node) || ts.isNoSubstitutionTemplateLiteral(node)) return node.text;
  if (ts.isTemplateExpression(node))
    return `${node.head.text}${node.templateSpans.map(({ literal }) => literal.text).join("")}`;
  return undefined;
}
