import { type Gatehouse, openGatehouse } from "../support/gatehouse.ts";
import { runUntilReaderLeft } from "../support/lost-reader.ts";
import { withScope } from "../support/scope.ts";
import { gatehouse } from "./command-line.ts";

const UNREAD = "It is done, but nobody read the secret: standard output is closed, and the secret is stored nowhere.";

describe("a secret that is printed for a reader that left (`… | true`)", () => {
  withScope((closeLater) => {
    let product: Gatehouse;
    const at = () => ["--data-directory", product.dataDirectory];
    const unread = (...words: readonly string[]) => runUntilReaderLeft(["src/main.ts", ...words, ...at()]);
    const run = (...words: readonly string[]) => gatehouse([...words, ...at()]);

    beforeAll(async () => {
      product = await openGatehouse(closeLater);
      await run("instances", "create", "--name", "Europe");
      await run("onboard", "Quay", "--redirect-uri", "https://quay.example/callback", "--no-subscription");
      const tenant = await run("tenants", "create", "--instance", "Europe", "--name", "Harbour", "--json");
      const person = ["--first-name", "Ada", "--last-name", "Quay", "--email", "ada@quay.example"];
      await run("users", "invite", "--tenant", JSON.parse(tenant.stdout).id, ...person);
    });

    it.each([
      ["api-keys issue --integration Quay --label second", /issue another: gatehouse api-keys revoke \S+\n$/],
      [
        "applications create --name Dock --instance Europe --redirect-uri https://dock.example/a",
        /: gatehouse applications rotate-secret app_\S+\n$/,
      ],
      ["applications rotate-secret Quay", /: gatehouse applications rotate-secret app_\S+\n$/],
      ["people invite ada@quay.example", /: gatehouse people invite person_\S+\n$/],
      [
        "subscriptions create --instance-integration Quay --label other --pull-only",
        /: gatehouse subscriptions secrets rotate subscription_\S+ --overlap 0\n$/,
      ],
      ["onboard Mole --no-application --no-subscription", /Repeat the command: /],
    ])("fails, and says what to do: %s", async (words, fix) => {
      const { exitCode, stderr } = await unread(...words.split(" "));
      expect([exitCode, stderr.replaceAll(/\n(?=\S)/g, " ")]).toEqual([1, expect.stringContaining(UNREAD)]);
      expect(stderr.replace(` ${at().join(" ")}\n`, "\n")).toMatch(fix);
    });

    it("fails with a document for programs, whose fix ends what was made", async () => {
      const words = ["api-keys", "issue", "--integration", "Quay", "--label", "third", "--json"];
      const { exitCode, stderr } = await unread(...words);
      const { error } = JSON.parse(stderr);
      expect([exitCode, error.reason, error.message]).toEqual([1, "secret_unread", UNREAD]);
      const [, fix = ""] = /: gatehouse (.*)$/.exec(error.fix) ?? [];
      expect((await run(...fix.split(" "))).exitCode).toBe(0);
    });

    it("is no failure where nothing secret was made", async () => {
      expect((await unread("api-keys", "list", "--integration", "Quay")).exitCode).toBe(0);
    });
  });
});
