import { z } from "zod";
import { switchSchema, text } from "../basis/setting-schemas.ts";
import { defineSettings, setting, type Values } from "../basis/settings.ts";

const serverAddress = z.string({ error: "must be text" }).regex(/^(\[[0-9A-Fa-f:.]+\]|[A-Za-z0-9.-]+):\d{1,5}$/, {
  error: "must be a host and a port, like 127.0.0.1:7233",
});

const webAddress = z
  .string({ error: "must be text" })
  .refine((given) => /^https?:\/\//.test(given) && URL.canParse(given), {
    error: "must be an address, like http://127.0.0.1:8233",
  });

/** A Temporal server that retries and code expiry are given to. Without an address none is used, and none of its packages is loaded. */
export const temporalSettings = defineSettings({
  "temporal-address": setting<string | undefined>({
    schema: serverAddress,
    fallback: undefined,
    meaning:
      "Host and port of a Temporal server. With it, webhook retries and the expiry of authorization codes are workflows that can be watched there; without it, the store does both. Services and worker must be given the same.",
    neededBy: ["services", "worker"],
  }),
  "temporal-namespace": setting({
    schema: text,
    fallback: "default",
    meaning: "The namespace there; one installation each.",
    neededBy: ["worker"],
  }),
  "temporal-tls": setting({
    schema: switchSchema,
    fallback: false,
    meaning: "The Temporal server is spoken to by TLS.",
    neededBy: ["worker"],
  }),
  "temporal-api-key": setting<string | undefined>({
    schema: text,
    fallback: undefined,
    secret: true,
    meaning: "The API key that the Temporal server asks for; sent only with temporal-tls.",
    neededBy: ["worker"],
  }),
  "temporal-ui-url": setting<string | undefined>({
    schema: webAddress,
    fallback: undefined,
    meaning: "Where operators open the Temporal UI; `make run` prints it.",
    neededBy: ["worker"],
  }),
});

/** What settings that are right each for itself get wrong together. */
export const temporalMistakes = (settings: Values<typeof temporalSettings>): readonly string[] =>
  settings["temporal-api-key"] !== undefined && !settings["temporal-tls"]
    ? ["temporal-api-key would travel in the clear: set temporal-tls, or leave the key out."]
    : [];
