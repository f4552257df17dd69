import { EVENT_TYPES } from "../../../generated/event-types.ts";
import { desk } from "../support/desk.ts";
import { API_KEY, type FeedStandIn, feedStandIn } from "../support/gateway.ts";
import { good, type RunningReceiver, runReceiver, SECRET } from "../support/receiver.ts";
import { RULES } from "../support/score.ts";

const OTHER_SECRET = `whsec_${Buffer.alloc(32, 7).toString("base64")}`;

describe("conform, signed by the gateway (R-X363)", () => {
  let gateway: FeedStandIn;
  let receiver: RunningReceiver;
  beforeEach(async () => {
    gateway = await feedStandIn();
    receiver = await runReceiver(good);
  });
  afterEach(async () => {
    await gateway.close();
    await receiver.close();
  });

  const conform = (flags: readonly string[], env: Readonly<Record<string, string>>) =>
    desk(["conform", receiver.url, "--count-url", receiver.countUrl, ...flags], env);

  it("asks for messages, several at once where a check has several", async () => {
    const { exitCode, out } = await conform(["--json"], { GATEWAY_URL: gateway.url, API_KEY });
    const { checks } = JSON.parse(out) as { readonly checks: readonly { name: string; result: string }[] };
    expect([exitCode, checks.map(({ name, result }) => [name, result]).toSorted()]).toEqual([
      0,
      RULES.map((name) => [name, "passed"]).toSorted(),
    ]);
    expect(gateway.signed).toContain(EVENT_TYPES.length);
  });

  it.each<[string, readonly string[], Readonly<Record<string, string>>, boolean]>([
    ["a key and an address in the environment", [], { API_KEY: "key" }, true],
    ["a key and an address by flags", ["--key", "key"], {}, true],
    [
      "a subscription by a flag, before a secret in the environment",
      ["--subscription", "marigold"],
      { API_KEY: "key", WEBHOOK_SECRET: OTHER_SECRET },
      true,
    ],
    [
      "a scheme by a flag, before a secret in the environment",
      ["--scheme", "v1"],
      { API_KEY: "key", WEBHOOK_SECRET: OTHER_SECRET },
      true,
    ],
    ["a secret and a key in the environment: the secret", [], { API_KEY: "key", WEBHOOK_SECRET: SECRET }, false],
    ["an empty secret in the environment: the gateway", [], { API_KEY: "key", WEBHOOK_SECRET: " " }, true],
    [
      "a secret by a flag, before a key in the environment",
      ["--secret", SECRET],
      { API_KEY: "key", WEBHOOK_SECRET: OTHER_SECRET },
      false,
    ],
  ])("chooses what signs: %s", async (_, flags, env, isByGateway) => {
    const own = (text: string) => (text === "key" ? API_KEY : text);
    const all = Object.fromEntries(Object.entries(env).map(([name, text]) => [name, own(text)]));
    const { exitCode } = await conform(flags.map(own), { ...all, GATEWAY_URL: gateway.url });
    expect([exitCode, gateway.signed.length > 0]).toEqual([0, isByGateway]);
  });

  it.each<[string, readonly string[], string]>([
    ["a scheme that there is not", ["--scheme", "v2"], "--scheme is v1 or v1a."],
    [
      "a scheme beside a secret",
      ["--scheme", "v1", "--secret", SECRET],
      "The requests are signed here or by the gateway, not by both.",
    ],
    ["an unknown subscription", ["--subscription", "rose"], "There is no subscription rose.\nThere are: marigold"],
  ])("says what is wrong: %s", async (_, flags, sentence) => {
    const { exitCode, err } = await conform(flags, { GATEWAY_URL: gateway.url, API_KEY });
    expect([exitCode, err]).toEqual([2, expect.stringContaining(sentence)]);
  });

  it("wants the address where a key is named alone", async () => {
    const { exitCode, err } = await conform(["--key", API_KEY], {});
    expect([exitCode, err]).toEqual([2, expect.stringContaining("--gateway (or GATEWAY_URL) is missing.")]);
  });

  it.each<[string, Readonly<Record<string, string>>, string]>([
    ["a gateway without a key", { GATEWAY_URL: "http://127.0.0.1:4/" }, "There is no API key."],
    [
      "nothing at all",
      {},
      "There is no signing secret.\nSet WEBHOOK_SECRET, or name a file with --secret-file. Or have the gateway sign: set GATEWAY_URL and API_KEY.",
    ],
  ])("says what is missing: %s", async (_, env, sentence) => {
    const { exitCode, err } = await conform([], env);
    expect([exitCode, err]).toEqual([2, expect.stringContaining(sentence)]);
  });

  it("wants one subscription", async () => {
    const several = await feedStandIn(["marigold", "tulip"]);
    const all = ["--subscription", "marigold", "--subscription", "tulip"];
    const refused = [
      await conform([], { GATEWAY_URL: several.url, API_KEY }),
      await conform(all, { GATEWAY_URL: several.url, API_KEY }),
    ];
    await several.close();
    expect(refused.map(({ err }) => err.split("\n")[0])).toEqual([
      "desk: There are 2 subscriptions.",
      "desk: A receiver is scored for one subscription.",
    ]);
    expect(refused[1]?.err).toContain("Give one --subscription.");
  });

  it("asks again after what passes, since nothing is changed by it", async () => {
    gateway.scriptSigning(
      { status: 503, headers: { "retry-after": "0" } },
      { status: 429, headers: { "retry-after": "0" } },
    );
    const { exitCode } = await conform([], { GATEWAY_URL: gateway.url, API_KEY });
    expect(exitCode).toBe(0);
  });

  it.each<[string, number, object, string]>([
    [
      "is too old to know test messages",
      404,
      { code: "not_found" },
      "This Gatehouse is older and signs no test messages: update it, or give the signing secret",
    ],
    ["refuses the key", 403, { code: "scope_missing" }, "needs the scope webhooks"],
  ])("ends with 1 and a sentence when the gateway %s", async (_, status, body, sentence) => {
    gateway.scriptSigning({ status, body });
    const { exitCode, err } = await conform([], { GATEWAY_URL: gateway.url, API_KEY });
    expect([exitCode, err]).toEqual([1, expect.stringContaining(sentence)]);
  });
});
