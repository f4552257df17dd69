import { CommandError, EXIT, type ExitCode } from "../command-error.ts";
import { readFlags, readNumber, readUrl } from "../flags.ts";
import { readSigningSecret } from "../private-input.ts";
import { painter, type Surroundings } from "../terminal.ts";
import { conform } from "./conform.ts";
import { conforms, type Finding } from "./finding.ts";
import { shownFinding, summary } from "./report.ts";

export const CONFORM_HELP = `Scores a receiver: posts genuine, repeated, odd and forged events to it, and
compares its answers with the rules for receivers. The events are test events
of every type, signed with your secret. Nothing else is needed: no Gatehouse.

Usage: <command> conform <url> [flags]

  --secret-file <path>   file with the endpoint's signing secret (whsec_…);
                         otherwise WEBHOOK_SECRET, or a question
  --count-url <url>      address of yours that answers GET with the number of
                         events you have dealt with, as a number or as
                         {"count": 3}: shows whether repeated and forged events
                         have effects
  --timeout <seconds>    how long an answer may take, 1 to 60 (15, as in
                         production)
  --json                 one JSON document instead of the report

Ends with 0 when every check that can be seen is passed, otherwise with 1.`;

const EXAMPLE = "conform http://localhost:3000/webhooks";

/** `conform <url>` */
export async function conformCommand(words: readonly string[], surroundings: Surroundings): Promise<ExitCode> {
  const { values, positionals } = readFlags(words, {
    secret: { type: "string" },
    "secret-file": { type: "string" },
    "count-url": { type: "string" },
    timeout: { type: "string", default: "15" },
    json: { type: "boolean", default: false },
  });
  if (positionals.length > 1) throw new CommandError("Give one address.", { fix: `For example: ${EXAMPLE}` });
  const countUrl = values["count-url"];
  const scoring = {
    url: readUrl(positionals[0], "The address of your receiver", EXAMPLE),
    countUrl:
      countUrl === undefined
        ? undefined
        : readUrl(countUrl, "--count-url", `${EXAMPLE} --count-url http://localhost:3000/count`),
    timeoutMs: readNumber(values.timeout, "--timeout", [1, 60]) * 1000,
    key: await readSigningSecret(values, surroundings),
  };
  const { stdout } = surroundings;
  const paint = painter(stdout);
  const findings: Finding[] = [];
  for await (const finding of conform(scoring)) {
    findings.push(finding);
    if (!values.json && finding.result !== "not judged") stdout.write(shownFinding(finding, paint));
  }
  const isGood = conforms(findings);
  stdout.write(
    values.json
      ? `${JSON.stringify({ url: scoring.url.href, conforms: isGood, checks: findings })}\n`
      : `\n${summary(findings, paint)}`,
  );
  return isGood ? EXIT.ok : EXIT.refused;
}
