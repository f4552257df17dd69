import { z } from "zod";
import type { LogLevel } from "./log.ts";
import { ROLES } from "./roles.ts";
import { switchSchema, text, wholeNumber } from "./setting-schemas.ts";
import { defineSettings, setting } from "./settings.ts";

/** Settings of every process, for all roles. */
export const processSettings = defineSettings({
  "management-host": setting({
    schema: text,
    fallback: "127.0.0.1",
    meaning: "Address that the management listener binds to.",
    neededBy: ROLES,
  }),
  "management-port": setting({
    schema: wholeNumber(0, 65_535),
    fallback: 8081,
    meaning: "Port of the management listener: health and metrics. Never open it to the public.",
    neededBy: ROLES,
  }),
  "log-level": setting<LogLevel>({
    schema: z.enum(["debug", "info", "warn", "error", "silent"], {
      error: "must be debug, info, warn, error or silent",
    }),
    fallback: "info",
    meaning: "Lowest level that is logged.",
    neededBy: ROLES,
  }),
  "log-destination": setting({
    schema: text,
    fallback: "stdout",
    meaning:
      "Where JSON log lines go: stdout, `file` for gatehouse.log in the data directory, or the path of a file to append to. A file that is moved away, as by logrotate, gets a successor within seconds.",
    neededBy: ROLES,
  }),
  "data-directory": setting({
    schema: text,
    fallback: ".gatehouse",
    meaning: "Directory of the embedded store, the master key file and the sockets.",
    neededBy: ROLES,
  }),
  development: setting({
    schema: switchSchema,
    fallback: false,
    meaning:
      "Development switch: allows an http issuer and http://localhost redirect URIs. Never set it where strangers can reach the server.",
    neededBy: ROLES,
  }),
});
