import { z } from "zod";
import { defineSettings, setting } from "#runtime/basis/settings.ts";

/** The text as an origin: scheme, host and port, without a path. */
const origin = z
  .string()
  .refine((text) => /^https?:$/.test(protocolOf(text)) && new URL(text).href === `${new URL(text).origin}/`, {
    message: "must be an http or https address without a path, for example https://gateway.example.com",
  })
  .transform((text) => new URL(text).origin);

const protocolOf = (text: string): string => (URL.canParse(text) ? new URL(text).protocol : "");

export const workforceSettings = defineSettings({
  "gateway-url": setting<string | undefined>({
    schema: origin,
    fallback: undefined,
    meaning: "The public origin of the gateway API; without it, the issuer's.",
    neededBy: ["edge"],
  }),
});
