import { text, wholeNumber } from "../basis/setting-schemas.ts";
import { defineSettings, setting } from "../basis/settings.ts";

export const httpSettings = defineSettings({
  "public-host": setting({
    schema: text,
    fallback: "127.0.0.1",
    meaning: "Address that the public listener binds to; :: or 0.0.0.0 for all.",
    neededBy: ["edge"],
  }),
  "public-port": setting({
    schema: wholeNumber(0, 65_535),
    fallback: 8080,
    meaning: "Port of the public listener: sign-on, gateway, contracts and front page.",
    neededBy: ["edge"],
  }),
  "drain-milliseconds": setting({
    schema: wholeNumber(0, 60_000),
    fallback: 500,
    unit: "ms",
    meaning:
      "How long the edge goes on answering, not ready any more, before it stops listening; give a load balancer time to notice.",
    neededBy: ["edge"],
  }),
});
