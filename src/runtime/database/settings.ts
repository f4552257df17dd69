import { z } from "zod";
import { wholeNumber } from "../basis/setting-schemas.ts";
import { defineSettings, setting } from "../basis/settings.ts";

export const databaseSettings = defineSettings({
  "store-url": setting<string | undefined>({
    schema: z.string().refine((text) => URL.canParse(text) && /^postgres(ql)?:$/.test(new URL(text).protocol), {
      error: "must be a postgresql:// URL",
    }),
    fallback: undefined,
    meaning:
      "PostgreSQL store, postgresql://user:password@host/database. Without it the embedded store in the data directory is used.",
    neededBy: ["services"],
    secret: true,
  }),
  "store-connections": setting({
    schema: wholeNumber(2, 200),
    fallback: 10,
    meaning: "Most connections to PostgreSQL that one services process opens.",
    neededBy: ["services"],
  }),
});
