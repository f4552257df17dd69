import { z } from "zod";
import { text } from "../process/setting-schemas.ts";
import { defineSettings, setting } from "../process/settings.ts";

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
