import { z } from "zod";
import { defineSettings, setting } from "../basis/settings.ts";

export const httpSettings = defineSettings({
  "public-host": setting({
    schema: z.string().min(1, "must not be empty"),
    fallback: "127.0.0.1",
    meaning: "Address that the public listener binds to; :: or 0.0.0.0 for all.",
    neededBy: ["edge"],
  }),
  "public-port": setting({
    schema: z.coerce
      .number({ error: "must be a number" })
      .int("must be whole")
      .min(0, "must be at least 0")
      .max(65_535, "must be at most 65535"),
    fallback: 8080,
    meaning: "Port of the public listener: sign-on, gateway, contracts and front page.",
    neededBy: ["edge"],
  }),
  "drain-milliseconds": setting({
    schema: z.coerce
      .number({ error: "must be a number" })
      .int("must be whole")
      .min(0, "must be at least 0")
      .max(60_000, "must be at most 60000"),
    fallback: 500,
    unit: "ms",
    meaning:
      "How long the edge goes on answering, not ready any more, before it stops listening; give a load balancer time to notice.",
    neededBy: ["edge"],
  }),
});
