import type { Weather } from "./run.ts";

/** The result of one run as Markdown, for a terminal and for docs/reliability.md. */
export function reportOf({ shape, seed, seconds, ledger, faults, readyMs }: Weather): string {
  const { writes, families, answers, counts, incidents } = ledger;
  const lines = [
    `#### ${shape.charAt(0).toUpperCase()}${shape.slice(1)}`,
    "",
    `Seed \`${seed}\`, ${seconds} seconds with the comparison, longest time to readiness ${Math.max(0, ...readyMs)} ms` +
      ` (${readyMs.length} spells). **${incidents.length === 0 ? "No incident." : `${incidents.length} incidents.`}**`,
    "",
    "| fault | times |",
    "| --- | ---: |",
    ...rows(faults),
    "",
    "| request | answers |",
    "| --- | --- |",
    ...[...answers]
      .toSorted(([one], [other]) => one.localeCompare(other))
      .map(([kind, row]) => `| ${kind} | ${shown(row)} |`),
    "",
    "| count | |",
    "| --- | ---: |",
    `| writes acknowledged, of ${writes.length} begun | ${writes.filter(({ id }) => id !== undefined).length} |`,
    `| codes redeemed | ${families.length} |`,
    ...rows(counts),
    "",
    ...(incidents.length === 0 ? [] : ["Incidents:", "", ...incidents.map((text) => `- ${text}`), ""]),
  ];
  return lines.join("\n");
}

const rows = (table: ReadonlyMap<string, number>): readonly string[] =>
  [...table].toSorted(([one], [other]) => one.localeCompare(other)).map(([what, times]) => `| ${what} | ${times} |`);

const shown = (row: ReadonlyMap<string, number>): string =>
  [...row]
    .toSorted(([one], [other]) => one.localeCompare(other))
    .map(([answer, times]) => `${answer}: ${times}`)
    .join(", ");
