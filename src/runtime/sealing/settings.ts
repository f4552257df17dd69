import { text } from "../process/setting-schemas.ts";
import { defineSettings, setting } from "../process/settings.ts";
import { isMasterKeyList } from "./master-key.ts";

export const sealingSettings = defineSettings({
  "master-keys": setting<string | undefined>({
    schema: text.refine(isMasterKeyList, { error: "must hold base64 of 32 bytes each, separated by commas" }),
    fallback: undefined,
    meaning:
      "Master keys: base64 of 32 bytes each, separated by commas; the first seals, all open. Without them a key file in the data directory is used, made at the first start (embedded store only).",
    neededBy: ["services"],
    secret: true,
  }),
});
