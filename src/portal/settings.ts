import { z } from "zod";
import { defineSettings, setting } from "#runtime/process/settings.ts";

export const portalSettings = defineSettings({
  "sample-url": setting<string | undefined>({
    schema: z.url({ error: "must be a URL" }).refine((text) => !URL.canParse(text) || new URL(text).port !== "0", {
      error: "must name a port that can be opened",
    }),
    fallback: undefined,
    meaning: "Address of a sample integrator to link to on the front page.",
    neededBy: ["edge"],
  }),
});
