#!/usr/bin/env node
import { readFileSync } from "node:fs";

// Before anything that an older one does not have: it could not even load a file that imports that by its name.
const { node: version } = process.versions;
if (Number.parseInt(version, 10) < 24) {
  process.stderr.write(
    `gatehouse-webhooks: It needs Node.js 24; this is ${version}.\nPut a newer one first on PATH: in Gatehouse's repository, sh tools/node.sh prints the folder of one.\n`,
  );
  process.exit(69);
}

// Node.js runs TypeScript, but none below a node_modules, where npm puts a copy of this package: there its own files
// lose their types here.
const own = new URL("../src/", import.meta.url).href;
if (own.includes("/node_modules/")) {
  const { registerHooks, stripTypeScriptTypes } = await import("node:module");
  const { emitWarning } = process;
  process.emitWarning = () => {};
  stripTypeScriptTypes("");
  process.emitWarning = emitWarning;
  registerHooks({
    load: (url, context, next) =>
      url.startsWith(own) && url.endsWith(".ts")
        ? { format: "module", source: stripTypeScriptTypes(readFileSync(new URL(url), "utf8")), shortCircuit: true }
        : next(url, context),
  });
}

// A reader that left (`… | head`) is no error; a full disk (`… > file`) is one.
for (const stream of [process.stdout, process.stderr])
  stream.on("error", (error) => {
    if (error.code === "EPIPE") return;
    if (stream === process.stdout)
      process.stderr.write(
        `gatehouse-webhooks: Standard output is not whole: ${error.message}.\nMake room, or print elsewhere.\n`,
      );
    process.exit(1);
  });

const { runDesk } = await import("../src/program.ts");
const { stdin, stdout, stderr, env } = process;
process.exitCode = await runDesk(process.argv.slice(2), { command: "gatehouse-webhooks", stdin, stdout, stderr, env });
