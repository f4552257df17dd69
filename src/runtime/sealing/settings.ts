import { z } from "zod";
import { defineSettings, setting } from "../basis/settings.ts";

export const sealingSettings = defineSettings({
  "master-keys": setting<string | undefined>({
    schema: z.string().min(1, "must not be empty"),
    fallback: undefined,
    meaning:
      "Master keys: base64 of 32 bytes each, separated by commas; the first seals, all open. Without them a key file in the data directory is used, made at the first start (embedded store only).",
    neededBy: ["services"],
    secret: true,
  }),
});
