import { inTime, LATE } from "../basis/in-time.ts";
import { onceMeanwhileFor } from "../basis/once-meanwhile.ts";
import type { Log } from "./log.ts";
import { Gauge, type Metrics } from "./metrics.ts";

const name = "gatehouse_metrics_missing";
/** For one metric: less than any scraper waits for all of them. */
const GATHER_MS = 2_000;

/**
 * Gathers the text of a scrape. A metric that has no value now, for example since it asks a store that is away, is left
 * out and counted; the others are what tells operators about the trouble. The log says so once, until all are there again.
 */
export function createScrape(metrics: Metrics, log: Log): () => Promise<string> {
  const missing = new Gauge({
    name,
    help: "Metrics that this answer lacks, since they could not be gathered.",
    registers: [metrics],
  });
  let isWhole = true;
  // What waits for the store has one of its connections: the next scrape waits for the same answer.
  const textOf = onceMeanwhileFor((metric: string) => metrics.getSingleMetricAsString(metric));
  return async () => {
    const failures: { readonly metric: string; readonly error: unknown }[] = [];
    const gather = async (metric: string): Promise<string | undefined> => {
      try {
        const text = await inTime(textOf(metric), GATHER_MS);
        if (text === LATE) throw new Error(`No value within ${GATHER_MS} ms.`);
        return text;
      } catch (error) {
        failures.push({ metric, error });
        return undefined;
      }
    };
    const others = metrics.getMetricsAsArray().filter((metric) => metric.name !== name);
    const texts = await Promise.all(others.map((metric) => gather(metric.name)));
    missing.set(failures.length);
    const [first] = failures;
    if (first !== undefined && isWhole) {
      const names = failures.map(({ metric }) => metric).join(", ");
      log.warn("Some metrics cannot be gathered.", { detail: names, error: first.error });
    }
    isWhole = first === undefined;
    return `${[...texts, await metrics.getSingleMetricAsString(name)].filter(Boolean).join("\n\n")}\n`;
  };
}
