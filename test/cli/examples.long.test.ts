import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { prepareDemonstration } from "../../src/cli/demo/demonstration.ts";
import { EXAMPLES } from "../../src/cli/examples.ts";
import { systemRandom } from "../../src/runtime/basis/random.ts";
import { eventually } from "../support/eventually.ts";
import { newFolder } from "../support/folder.ts";
import { type Gatehouse, openGatehouse } from "../support/gatehouse.ts";
import { withScope } from "../support/scope.ts";
import { startWebhookReceiver } from "../support/webhook-receiver.ts";
import { gatehouse, type Ran } from "./command-line.ts";

/** What runs or describes Gatehouse itself: the first two are run by demo.test.ts and many others, the third below. */
const PROGRAMS: ReadonlySet<string> = new Set([
  "serve",
  "demo",
  "config",
  "store restore",
  "store restored",
  "store migrate",
  "store copy",
  // Tools of desk/, run by test/desk.
  "listen",
  "trigger",
  "conform",
]);

/** The words of an example, as a POSIX shell reads them. */
const wordsOf = (example: string): readonly string[] =>
  [...example.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain ?? "").slice(1);

describe("the examples of --help, one after another, beside a new demonstration", () => {
  withScope((closeLater) => {
    let product: Gatehouse;
    let run: (words: readonly string[], stdin?: string) => Promise<Ran>;
    /** What a reader fills in for a word that ends in `…`. */
    const filled = new Map<string, () => Promise<string>>();

    beforeAll(async () => {
      product = await openGatehouse(closeLater);
      const folder = newFolder("gh-examples-");
      const { dataDirectory, url } = product;
      // In the sample integrator's place: it acknowledges whatever is sent.
      const sample = await startWebhookReceiver();
      closeLater(() => sample.stop());
      await prepareDemonstration({
        dataDirectory,
        socketDirectory: join(dataDirectory, "sockets"),
        issuer: url,
        gatewayUrl: url,
        sampleUrl: `http://localhost:${new URL(sample.url).port}`,
        random: systemRandom,
        now: new Date(),
        onFirstStart: () => undefined,
      });
      await writeFile(join(folder, "token"), "rt_unknown");
      run = (words, stdin = "") => gatehouse([...words, "--data-directory", dataDirectory], { stdin });
      const json = async (...words: readonly string[]) => JSON.parse((await run([...words, "--json"])).stdout);
      filled.set("delivery_…", async () => {
        const { deliveries } = await eventually<{ readonly deliveries: readonly { readonly id: string }[] }>(
          () => json("deliveries", "list"),
          (list) => list.deliveries.length > 0,
        );
        return deliveries[0]?.id ?? "";
      });
      filled.set("settled-delivery…", async () => {
        const receiver = await startWebhookReceiver();
        closeLater(() => receiver.stop());
        const connection = ["--label", "examples", "--instance-integration", "Marigold on Europe"];
        await run(["subscriptions", "create", ...connection, "--endpoint-url", receiver.url]);
        await run(["locations", "create", "--tenant", "Nordlicht Logistik", "--name", "Quay Street"]);
        const { deliveries } = await eventually<{ readonly deliveries: readonly { readonly id: string }[] }>(
          () => json("deliveries", "list", "--subscription", "examples", "--state", "delivered"),
          (list) => list.deliveries.length > 0,
        );
        return deliveries[0]?.id ?? "";
      });
      filled.set("recovery_…", async () => (await json("recoveries", "list")).recoveries[0].id);
      filled.set("event_…", async () => {
        const { events } = await eventually<{ readonly events: readonly { readonly id: string }[] }>(
          () => json("events", "list"),
          (list) => list.events.length > 0,
        );
        return events[0]?.id ?? "";
      });
      filled.set("req_…", async () => {
        const refused = await fetch(`${url}/auth/authorize?client_id=app_unknown&response_type=code`);
        const id = refused.headers.get("x-request-id") ?? "";
        await eventually(
          () => run(["explain", id]),
          ({ exitCode }) => exitCode === 0,
        );
        return id;
      });
      filled.set("backup…", async () => join(folder, "backup.sqlite"));
      filled.set("key-file…", async () => {
        const { secret } = await json("api-keys", "issue", "--integration", "Marigold", "--label", "found");
        await writeFile(join(folder, "key"), secret);
        return join(folder, "key");
      });
      filled.set("token-file…", async () => join(folder, "token"));
      filled.set("key-id…", async () => (await json("signing-keys", "list")).signingKeys.at(-1).keyId);
      filled.set("handover.env", async () => join(folder, "handover.env"));
      filled.set("new-file…", async () => join(folder, "workforce.jsonl"));
      filled.set("file…", async () => join(folder, "workforce.jsonl"));
    });

    const fill = (word: string): Promise<string> | string => filled.get(word)?.() ?? word;

    it.each(Object.entries(EXAMPLES).filter(([name]) => !PROGRAMS.has(name)))("%s: %s", async (_, example) => {
      const words = await Promise.all(wordsOf(example).map(fill));
      const { exitCode, stderr } = await run(words, "a long and winding password\n");
      expect({ exitCode, refused: stderr.includes("gatehouse: ") }).toEqual({ exitCode: 0, refused: false });
    });
  });
});
