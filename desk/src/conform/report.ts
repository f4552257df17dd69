import { type painter, WIDTH, wrap } from "../terminal.ts";
import { conforms, type Exchange, type Finding } from "./finding.ts";

const MARKS = {
  passed: ["ok", "green"],
  failed: ["FAIL", "red"],
  "not visible": ["?", "yellow"],
  "not judged": ["-", "dim"],
} as const;

const MARK_WIDTH = 5;
const INDENT = " ".repeat(MARK_WIDTH + 1);
const LABEL_WIDTH = 9;

type Paint = ReturnType<typeof painter>;

/** A finding on a few lines of at most 80 columns. */
export function shownFinding({ name, title, result, exchanges, advice, note }: Finding, paint: Paint): string {
  const [mark, colour] = MARKS[result];
  const lines = [
    `${paint(colour, mark.padStart(MARK_WIDTH))} ${paint("bold", name)}`,
    ...wrap(title, WIDTH - INDENT.length).map((line) => INDENT + line),
  ];
  if (result === "failed") {
    for (const exchange of exchanges.filter(({ isAsExpected }) => !isAsExpected))
      lines.push(...shownExchange(exchange, paint));
    lines.push(...labelled("advice", advice, paint));
  }
  if (result === "not visible") lines.push(...labelled("advice", advice, paint));
  if (note !== undefined) lines.push(...labelled("note", note, paint));
  return `${lines.join("\n")}\n`;
}

const shownExchange = ({ sent, expected, got }: Exchange, paint: Paint): readonly string[] => [
  ...labelled("sent", sent, paint),
  ...labelled("expected", expected, paint),
  ...labelled("got", got, paint),
];

function labelled(label: string, text: string, paint: Paint): readonly string[] {
  const [first = "", ...rest] = wrap(text, WIDTH - INDENT.length - LABEL_WIDTH);
  const further = rest.map((line) => INDENT + " ".repeat(LABEL_WIDTH) + line);
  return [`${INDENT}${paint("dim", label.padEnd(LABEL_WIDTH))}${first}`, ...further];
}

const NOT_JUDGED = "A receiver that acknowledges no genuine event refuses forged ones too: begin with that.\n";

/** The last lines: how many checks had which result. */
export function summary(findings: readonly Finding[], paint: Paint): string {
  const counts = (["passed", "failed", "not visible", "not judged"] as const)
    .map((result) => [findings.filter((finding) => finding.result === result).length, result] as const)
    .filter(([count]) => count > 0)
    .map(([count, result]) => `${count} ${result}`);
  const reason = findings.some(({ result }) => result === "not judged") ? NOT_JUDGED : "";
  const line = `${findings.length} checks: ${counts.join(", ")}.`;
  return `${paint(conforms(findings) ? "green" : "red", line)}\n${reason}`;
}
