// Preloaded by a test: the port that a program gives to another one on its command line, behind `--port`, is taken by the time that one starts.
import childProcess from "node:child_process";
import { syncBuiltinESMExports } from "node:module";
import { createServer } from "node:net";

const { spawn } = childProcess;
childProcess.spawn = (command, words, options) => {
  const port = Number(words[words.indexOf("--port") + 1]);
  createServer((socket) => socket.destroy())
    .listen(port, "127.0.0.1")
    .unref();
  return spawn(command, words, options);
};
syncBuiltinESMExports();
