import { randomInt } from "node:crypto";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describeWith } from "../support/optional-part.ts";
import { withScope } from "../support/scope.ts";
import { reportOf } from "./weather/report.ts";
import { runWeather } from "./weather/run.ts";
import { SHAPES } from "./weather/shapes.ts";

/** `make weather` sets them; otherwise each fault strikes once, for a moment. */
const MINUTES = process.env.GATEHOUSE_WEATHER_MINUTES;
const SEED = process.env.GATEHOUSE_WEATHER_SEED ?? String(randomInt(2 ** 31));
const READY_SECONDS = Number(process.env.GATEHOUSE_WEATHER_READY_SECONDS ?? 10);
const RESULTS = join(import.meta.dirname, "..", "..", ".cache", "weather");

for (const [index, shape] of SHAPES.entries()) {
  const title = `the product under faults and load (F15, F16, F21, I1, I3, I15): ${shape.name}`;
  const missing = shape.missing();
  describeWith({ name: `weather on ${shape.name}`, missing }, title, () => {
    withScope((closeLater) => {
      it(
        "keeps what it acknowledged, doubles nothing, answers by contract and is ready again",
        async () => {
          const minutes = MINUTES === undefined ? undefined : Number(MINUTES);
          process.stderr.write(`Weather on ${shape.name}: seed ${SEED}\n`);
          const weather = await runWeather(closeLater, shape, { seed: SEED, minutes, readySeconds: READY_SECONDS });
          mkdirSync(RESULTS, { recursive: true });
          writeFileSync(join(RESULTS, `${index + 1}.md`), reportOf(weather));
          if (minutes !== undefined) process.stderr.write(`\n${reportOf(weather)}\n`);
          expect({ seed: SEED, incidents: weather.ledger.incidents }).toEqual({ seed: SEED, incidents: [] });
          expect(weather.ledger.writes.length).toBeGreaterThan(10);
        },
        Number(MINUTES ?? 1) * 120_000 + 300_000,
      );
    });
  });
}
