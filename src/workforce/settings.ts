import { z } from "zod";
import { wholeNumber } from "#runtime/process/setting-schemas.ts";
import { defineSettings, setting, type Values } from "#runtime/process/settings.ts";
import { RATE_MAX } from "./rate-limits/rate-limit.ts";

/** The text as an origin: scheme, host and port, without a path. */
const origin = z
  .string({ error: "must be text" })
  .refine((text) => /^https?:$/.test(protocolOf(text)) && new URL(text).href === `${new URL(text).origin}/`, {
    message: "must be an http or https address without a path, for example https://gateway.example.com",
  })
  .transform((text) => new URL(text).origin);

const protocolOf = (text: string): string => (URL.canParse(text) ? new URL(text).protocol : "");

export const workforceSettings = defineSettings({
  "gateway-url": setting<string | undefined>({
    schema: origin,
    fallback: undefined,
    meaning: "The public https origin of the gateway API; without it, the issuer's. Services name it to operators.",
    neededBy: ["edge", "services"],
  }),
  "gateway-rate-per-second": setting({
    schema: wholeNumber(0, RATE_MAX),
    fallback: 50,
    unit: "requests",
    meaning:
      "How many requests a second an API key may make on average, unless it was issued with a limit of its own; 0 for no limit.",
    neededBy: ["services"],
  }),
  "gateway-rate-burst": setting({
    schema: wholeNumber(1, RATE_MAX),
    fallback: 100,
    unit: "requests",
    meaning: "How many requests an API key may make at once after a silence.",
    neededBy: ["services"],
  }),
  "export-pause-seconds": setting({
    schema: wholeNumber(1, 3_600),
    fallback: 60,
    unit: "seconds",
    meaning: "How long an export waits for a reader that takes nothing; then it ends.",
    neededBy: ["services"],
  }),
  "export-longest-minutes": setting({
    schema: wholeNumber(1, 1_440),
    fallback: 120,
    unit: "minutes",
    meaning: "How long an export may take in all; then it ends.",
    neededBy: ["services"],
  }),
});

export type WorkforceSettings = Omit<Values<typeof workforceSettings>, "gateway-url"> & {
  readonly "gateway-url"?: string | undefined;
};
