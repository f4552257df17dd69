import { z } from "zod";
import type { LogLevel } from "./log.ts";
import { defineSettings, setting } from "./settings.ts";

/** A flag as text: true or false, yes or no, 1 or 0; a bare flag of the command line is true. */
export const switchSchema = z
  .union([z.boolean(), z.enum(["true", "false", "yes", "no", "1", "0", ""])], { error: "must be true or false" })
  .transform((given) => given === true || given === "true" || given === "yes" || given === "1" || given === "");

const everyRole = ["edge", "services", "worker"] as const;

/** What every process has, whatever its role. */
export const processSettings = defineSettings({
  "management-host": setting({
    schema: z.string().min(1, "must not be empty"),
    fallback: "127.0.0.1",
    meaning: "Address that the management listener binds to.",
    neededBy: everyRole,
  }),
  "management-port": setting({
    schema: z.coerce
      .number({ error: "must be a number" })
      .int("must be whole")
      .min(0, "must be at least 0")
      .max(65_535, "must be at most 65535"),
    fallback: 8081,
    meaning: "Port of the management listener: health and metrics. Never open it to the public.",
    neededBy: everyRole,
  }),
  "log-level": setting<LogLevel>({
    schema: z.enum(["debug", "info", "warn", "error", "silent"], {
      error: "must be debug, info, warn, error or silent",
    }),
    fallback: "info",
    meaning: "The least important lines that are logged.",
    neededBy: everyRole,
  }),
  "log-destination": setting({
    schema: z.string().min(1, "must not be empty"),
    fallback: "stdout",
    meaning: "Where JSON log lines go: stdout, or the path of a file to append to.",
    neededBy: everyRole,
  }),
  "data-directory": setting({
    schema: z.string().min(1, "must not be empty"),
    fallback: ".gatehouse",
    meaning: "Directory of the embedded store, the master key file and the sockets.",
    neededBy: everyRole,
  }),
  development: setting({
    schema: switchSchema,
    fallback: false,
    meaning:
      "Development switch: allows an http issuer and http://localhost redirect URIs. Never set it where strangers can reach the server.",
    neededBy: everyRole,
  }),
});
