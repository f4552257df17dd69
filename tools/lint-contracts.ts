import { readFileSync } from "node:fs";
import { type Diagnostic, DiagnosticSeverity, Parser } from "@asyncapi/parser";

/**
 * Checks the contract of the events with AsyncAPI's own parser, which finds what a general linter lets pass. It reads the bundle, which
 * is what subscribers get. Errors fail, anything less is printed. Usage: node tools/lint-contracts.ts [bundle]
 */

const path = process.argv[2] ?? "generated/contracts/webhooks.asyncapi.yaml";

const line = ({ severity, message, path: where, range }: Diagnostic): string =>
  `${path}:${range.start.line + 1} ${DiagnosticSeverity[severity]?.toLowerCase()}: ${message} (${where.join(".")})`;

const diagnostics = await new Parser().validate(readFileSync(path, "utf8"));
for (const diagnostic of diagnostics) console.log(line(diagnostic));
const errors = diagnostics.filter(({ severity }) => severity === DiagnosticSeverity.Error).length;
console.log(`${path}: ${errors === 0 ? "valid" : `${errors} error${errors === 1 ? "" : "s"}`}`);
if (errors > 0) process.exitCode = 1;
