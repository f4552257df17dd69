// Preloaded with --import: the process kills itself right after its rename number KILL_AT.
import fs from "node:fs";
import { syncBuiltinESMExports } from "node:module";

let left = Number(process.env.KILL_AT);
const { renameSync } = fs;
fs.renameSync = (from, to) => {
  renameSync(from, to);
  left -= 1;
  if (left === 0) process.kill(process.pid, "SIGKILL");
};
syncBuiltinESMExports();
