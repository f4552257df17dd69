import { readFileSync } from "node:fs";
import { gatehouse as command } from "../cli/command-line.ts";
import { eventually } from "../support/eventually.ts";
import { type Gatehouse, openGatehouse } from "../support/gatehouse.ts";
import { onPostgres } from "../support/stores.ts";
import { startWebhookReceiver } from "../support/webhook-receiver.ts";
import { makeWorld } from "../support/world.ts";

interface Panel {
  readonly title: string;
  readonly description: string;
  readonly targets: readonly { readonly expr: string; readonly legendFormat: string }[];
}

const { panels } = JSON.parse(readFileSync("examples/operator/grafana-dashboard.json", "utf8")) as {
  readonly panels: readonly Panel[];
};
const asked = panels.flatMap(({ title, targets }) => targets.map((target) => ({ title, ...target })));

/** What Prometheus adds to each series. */
const OF_PROMETHEUS = { job: "gatehouse", instance: "127.0.0.1:8081" };

type Series = Readonly<Record<string, string>>;

/** The series of each metric, by its name. */
function seriesIn(page: string): ReadonlyMap<string, readonly Series[]> {
  const found = new Map<string, Series[]>();
  for (const [, name = "", labels = ""] of page.matchAll(/^(\w+)(?:\{(.*)\})? \S+$/gm)) {
    const pairs = [...labels.matchAll(/(\w+)="((?:[^"\\]|\\.)*)"/g)].map(([, label = "", value = ""]) => [
      label,
      value,
    ]);
    found.set(name, [...(found.get(name) ?? []), { ...Object.fromEntries(pairs), ...OF_PROMETHEUS }]);
  }
  return found;
}

/** Each `name{label="value"}` of an expression that one of its metrics has no series for, and each label that none has. */
function missingOf(expr: string, legend: string, series: ReadonlyMap<string, readonly Series[]>): readonly string[] {
  const selected = [...expr.matchAll(/\b(gatehouse_\w+|up)(?:\{([^}]*)\})?/g)].map(
    ([text, name = "", selector = ""]) => {
      const wanted = [...selector.matchAll(/(\w+)(=~?)"([^"]*)"/g)].map(([, label = "", how, value = ""]) => ({
        label,
        fits:
          how === "="
            ? (given?: string) => given === value
            : (given?: string) => RegExp(`^(?:${value})$`).test(given ?? ""),
      }));
      const fitting = series.get(name)?.filter((one) => wanted.every(({ label, fits }) => fits(one[label])));
      return { text, fitting: fitting ?? [] };
    },
  );
  const grouped = [...expr.matchAll(/\bby \(([^)]*)\)/g)].flatMap(([, labels = ""]) => labels.split(/, */));
  const shown = [...legend.matchAll(/\{\{(\w+)\}\}/g)].map(([, label = ""]) => label);
  const labels = [...grouped, ...shown].filter(
    (label) => !selected.every((one) => one.fitting.some((of) => label in of)),
  );
  return [...selected.filter(({ fitting }) => fitting.length === 0).map(({ text }) => text), ...labels];
}

/** One request that is answered, one that is refused, a delivery, and a look at the store, which measures its tables. */
async function used(gatehouse: Gatehouse, receiver: string): Promise<string> {
  const { instanceIntegrationId, tenantId } = await makeWorld(gatehouse);
  const to = { label: "watched", instanceIntegrationId, endpointUrl: receiver, eventTypes: ["*"], tenantIds: [] };
  await gatehouse.webhooks.createSubscription(to);
  await gatehouse.platform.createLocation({ requestId: "", tenantId, name: "Harbour" });
  expect((await fetch(`${gatehouse.url}/.well-known/openid-configuration`)).status).toBe(200);
  expect((await fetch(`${gatehouse.url}/v1/webhooks/event-types`)).status).toBe(401);
  expect((await command(["store", "status", "--data-directory", gatehouse.dataDirectory])).exitCode).toBe(0);
  const read = async () => (await fetch(`${gatehouse.managementUrl}/metrics`)).text();
  // That a loop does not fail is known once it has run well for ten seconds.
  const awaited = [/^gatehouse_webhook_attempts_total\{.* 1$/m, /^gatehouse_loop_failing\{.* 0$/m];
  return eventually(read, (page) => awaited.every((line) => line.test(page)));
}

onPostgres((open, closeLater) => {
  it("a dashboard of at most twelve panels asks for metrics and labels that are served, on one of the two stores", async () => {
    const receiver = await startWebhookReceiver();
    closeLater(() => receiver.stop());
    const { location } = await open();
    const products = [await openGatehouse(closeLater), await openGatehouse(closeLater, { storeUrl: location })];
    const pages = await Promise.all(products.map((product) => used(product, receiver.url)));
    const series = seriesIn(["up 1", ...pages].join("\n"));
    expect(asked.map(({ expr, legendFormat }) => [expr, missingOf(expr, legendFormat, series)])).toEqual(
      asked.map(({ expr }) => [expr, []]),
    );
    expect(panels.length).toBeLessThanOrEqual(12);
  });
});

it("every metric of the dashboard has its row among the metrics", () => {
  const page = readFileSync("docs/operations/metrics.md", "utf8");
  const names = asked.flatMap(({ expr }) => expr.match(/\bgatehouse_\w+?(?=_bucket\b|_count\b|\b)/g) ?? []);
  const usual = /^gatehouse_(?:process|nodejs)_/;
  expect(names.filter((name) => !usual.test(name) && !page.includes(`\`${name}`))).toEqual([]);
  expect(names.length).toBeGreaterThan(15);
});

it.each(panels.map((panel) => [panel.title, panel] as const))("the panel “%s” says how to read it", (_, panel) => {
  expect(panel.description).toMatch(/^[A-Z0-9].*\.$/);
});

it.each([
  ["a metric that there is not", "gatehouse_store_flash_seconds", "", ["gatehouse_store_flash_seconds"]],
  ["a value", 'gatehouse_store_file_bytes{file="wal"}', "", ['gatehouse_store_file_bytes{file="wal"}']],
  ["a pattern", 'gatehouse_store_file_bytes{file=~"l."}', "", ['gatehouse_store_file_bytes{file=~"l."}']],
  ["a label of a group", "sum by (files) (gatehouse_store_file_bytes)", "", ["files"]],
  ["a label of a legend", "gatehouse_store_file_bytes", "{{files}}", ["files"]],
  ["nothing", 'sum by (file, instance) (gatehouse_store_file_bytes{file=~"l.*"})', "{{file}}", []],
])("the check finds %s", (_, expr, legend, missing) => {
  const series = seriesIn('gatehouse_store_file_bytes{file="main"} 4096\ngatehouse_store_file_bytes{file="log"} 0\n');
  expect(missingOf(expr, legend, series)).toEqual(missing);
});
