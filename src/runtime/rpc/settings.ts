import { join } from "node:path";
import { z } from "zod";
import { text } from "../process/setting-schemas.ts";
import { defineSettings, type Mistake, mistake, setting } from "../process/settings.ts";
import type { Peer } from "./call.ts";

export const rpcSettings = defineSettings({
  rpc: setting({
    schema: z.enum(["in-process", "socket"], { error: "must be in-process or socket" }),
    fallback: "in-process",
    meaning: "How roles that share a process call each other.",
    neededBy: ["edge", "services", "worker"],
  }),
  "socket-directory": setting<string | undefined>({
    schema: text,
    fallback: undefined,
    meaning:
      "Directory of the private sockets; without it, `sockets` in the data directory. The same for one services process and the edges and worker beside it; another services process needs another.",
    neededBy: ["edge", "services", "worker"],
  }),
});

/** The longest path that a Unix socket can have on every platform (Linux 107, macOS 103). */
const SOCKET_PATH_LENGTH_MAX = 103;
/** The name of the longest socket: where it fits, all do. */
const LONGEST_SOCKET: `${Peer}.sock` = "operator.sock";

/** What is wrong with the path of a socket: a sentence that says what to set; `undefined` when it is short enough. */
export const socketPathProblem = (path: string): string | undefined =>
  Buffer.byteLength(path) <= SOCKET_PATH_LENGTH_MAX
    ? undefined
    : `The socket path ${path} is longer than ${SOCKET_PATH_LENGTH_MAX} bytes. Set socket-directory to a shorter one.`;

/** What is wrong with the directory of the sockets: so that a start finds it before it has made anything. */
export const socketMistakes = (directory: string): readonly Mistake[] => {
  const problem = socketPathProblem(join(directory, LONGEST_SOCKET));
  return problem === undefined ? [] : [mistake(problem, "socket-directory")];
};
