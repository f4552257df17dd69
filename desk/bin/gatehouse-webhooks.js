#!/usr/bin/env node
import { readFileSync } from "node:fs";
import { isAbsolute, relative } from "node:path";
import { fileURLToPath } from "node:url";

// Before anything that an older one does not have: it could not even load a file that imports that by its name.
const { node: version } = process.versions;
const own = new URL("../src/", import.meta.url).href;
const isInstalled = own.includes("/node_modules/");
if (Number.parseInt(version, 10) < 24) {
  const where = isInstalled ? "" : ": in Gatehouse's repository, sh tools/node.sh prints the folder of one";
  process.stderr.write(
    `gatehouse-webhooks: It needs Node.js 24; this is ${version}.\nPut a newer one first on PATH${where}.\n`,
  );
  process.exit(69);
}

// Node.js runs TypeScript, but none below a node_modules, where npm puts a copy of this package: there its own files
// lose their types here.
if (isInstalled) {
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
// Installed, it is a command of its own name; in the repository npx runs its folder, and the guides say so.
const folder = fileURLToPath(new URL("..", import.meta.url)).replace(/[\\/]$/, "");
const within = relative(process.cwd(), folder);
const path = within.startsWith("..") || isAbsolute(within) ? folder : `./${within}`;
const command = isInstalled ? "gatehouse-webhooks" : `npx ${path}`;
const name = "gatehouse-webhooks";
process.exitCode = await runDesk(process.argv.slice(2), { command, name, stdin, stdout, stderr, env });
