import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { Readable } from "node:stream";
import { SAMPLE_TYPES } from "../../desk/src/sample-events.ts";
import { newFolder } from "../support/folder.ts";
import { desk } from "./support/desk.ts";
import { API_KEY, type FeedStandIn, feedStandIn } from "./support/gateway.ts";

describe("trigger (R-X323)", () => {
  let gateway: FeedStandIn;
  beforeEach(async () => {
    gateway = await feedStandIn();
  });
  afterEach(() => gateway.close());

  it.each(SAMPLE_TYPES)("makes a %s and says its id and how to see it", async (type) => {
    const { exitCode, out } = await desk(["trigger", type, "--gateway", gateway.url], { API_KEY });
    expect([exitCode, gateway.triggered]).toEqual([0, [type]]);
    expect(out).toMatch(/^event_1\nIt is being sent to marigold, as delivery_1, and is in the feed\.\n/);
    expect(out).toContain("GET /v1/webhooks/deliveries/delivery_1");
    expect(out).toContain(
      `\nSee it at your desk: desk listen --gateway ${gateway.url} --forward-to http://localhost:3000/webhooks\n`,
    );
  });

  it("names the gateway, the file of the key and the subscription again in the command that comes next", async () => {
    const folder = newFolder("gh trigger-");
    const file = join(folder, "key");
    await writeFile(file, API_KEY);
    const given = ["--gateway", gateway.url, "--key-file", file, "--subscription", "marigold"];
    const { out } = await desk(["trigger", "user.updated", ...given]);
    expect(out).toContain(
      `: desk listen --gateway ${gateway.url} --key-file '${file}' --subscription marigold --forward-to http`,
    );
    const known = await desk(["trigger", "user.updated"], { API_KEY, GATEWAY_URL: gateway.url });
    expect(known.out).toContain("\nSee it at your desk: desk listen --forward-to http://localhost:3000/webhooks\n");
  });

  it("takes a variable that is set to nothing as one that is not set", async () => {
    const terminal = Object.assign(Readable.from([`${API_KEY}\n`]), { isTTY: true });
    const variables = { API_KEY: "", GATEWAY_URL: gateway.url };
    const asked = await desk(["trigger", "user.updated"], variables, undefined, terminal);
    expect([asked.exitCode, asked.err]).toEqual([0, "API key: \n"]);
    const { exitCode, err } = await desk(["trigger", "user.updated"], { API_KEY, GATEWAY_URL: " " });
    expect([exitCode, err.split("\n")[0]]).toEqual([2, "desk: --gateway (or GATEWAY_URL) is missing."]);
  });

  it("prints a document for programs", async () => {
    const { out } = await desk(["trigger", "user.updated", "--json"], { API_KEY, GATEWAY_URL: gateway.url });
    expect(JSON.parse(out)).toEqual({
      eventId: "event_1",
      deliveryId: "delivery_1",
      type: "user.updated",
      subscription: { id: "subscription_0", label: "marigold" },
    });

    const described = await feedStandIn(["api-hnpsgbecxhirhp9m"]);
    const other = await desk(["trigger", "user.updated", "--json"], { API_KEY, GATEWAY_URL: described.url });
    await described.close();
    expect(JSON.parse(other.out).subscription).toEqual({ id: "subscription_0", label: "api-hnpsgbecxhirhp9m" });
  });

  it.each([["user.deleted"], []])("lists the types for %j", async (...types) => {
    const { exitCode, err } = await desk(["trigger", ...types], { API_KEY });
    expect([exitCode, err]).toEqual([2, expect.stringContaining(`Types: ${SAMPLE_TYPES.join(", ")}`)]);
  });

  it.each([
    [["trigger", "user.udpated"], "There is no event type user.udpated. Did you mean user.updated?"],
    [["lisen"], "there is no lisen. Did you mean listen?"],
    [["trigger", "salary.paid"], "There is no event type salary.paid.\n"],
  ])("asks whether another word was meant: %j", async (words, said) => {
    const { exitCode, err } = await desk(words, { API_KEY });
    expect([exitCode, err]).toEqual([2, expect.stringContaining(said)]);
  });

  it("says what the gateway refuses", async () => {
    gateway.script({ status: 409, body: { code: "event_type_not_subscribed", detail: "It asks for user.* alone." } });
    const { exitCode, err } = await desk(["trigger", "user.updated", "--gateway", gateway.url], { API_KEY });
    expect([exitCode, err]).toEqual([
      1,
      "desk: Gatehouse refused: It asks for user.* alone. (409, event_type_not_subscribed)\nAdd the type to the subscription's eventTypes, or choose another subscription.\n",
    ]);
  });

  it("asks again once the key is below its limit, and not where an event may have been made already", async () => {
    gateway.script({ status: 429, headers: { "retry-after": "0" } });
    const limited = await desk(["trigger", "user.updated", "--gateway", gateway.url], { API_KEY });
    expect([limited.exitCode, gateway.triggered]).toEqual([0, ["user.updated"]]);

    for (const status of [500, 502, 503, 504]) {
      gateway.script({ status, headers: { "retry-after": "0" } });
      const { exitCode, err } = await desk(["trigger", "user.created", "--gateway", gateway.url], { API_KEY });
      expect([exitCode, err]).toEqual([
        1,
        `desk: Gatehouse refused: Problem ${status}. (${status}, code_${status})\nIt may have been done all the same: look before you ask again.\n`,
      ]);
    }
    expect(gateway.triggered).toEqual(["user.updated"]);
  });

  it("says that an event may have been made where no answer came", async () => {
    gateway.script({ status: 0 });
    const { exitCode, err } = await desk(["trigger", "user.updated", "--gateway", gateway.url], { API_KEY });
    expect([exitCode, err]).toEqual([
      3,
      expect.stringMatching(/does not answer: .+\n.*may have been done all the same/),
    ]);
  });

  it("does not wait in silence for long: it says when to ask again", async () => {
    gateway.script({ status: 429, headers: { "retry-after": "3600" } });
    const { exitCode, err } = await desk(["trigger", "user.updated", "--gateway", gateway.url], { API_KEY });
    expect([exitCode, err]).toEqual([
      1,
      "desk: Gatehouse refused: Problem 429. (429, code_429)\nAsk again in 3600 s.\n",
    ]);
  });

  it("shows a code that is the name of something else", async () => {
    gateway.script({ status: 409, body: { code: "constructor", detail: "No." } });
    const { exitCode, err } = await desk(["trigger", "user.updated", "--gateway", gateway.url], { API_KEY });
    expect([exitCode, err]).toEqual([1, "desk: Gatehouse refused: No. (409, constructor)\n"]);
  });

  it("refuses in a document for programs, as every command of gatehouse does", async () => {
    gateway.script({ status: 409, body: { code: "event_type_not_subscribed", detail: "It asks for user.* alone." } });
    const refused = await desk(["trigger", "user.updated", "--gateway", gateway.url, "--json"], { API_KEY });
    expect([refused.exitCode, JSON.parse(refused.err)]).toEqual([
      1,
      {
        error: {
          code: "REFUSED",
          reason: "event_type_not_subscribed",
          message: "Gatehouse refused: It asks for user.* alone. (409, event_type_not_subscribed)",
          fix: "Add the type to the subscription's eventTypes, or choose another subscription.",
          violations: [],
        },
      },
    ]);

    const misspelt = await desk(["trigger", "user.deleted", "--json"], { API_KEY });
    expect([misspelt.exitCode, JSON.parse(misspelt.err).error]).toEqual([
      2,
      expect.objectContaining({ code: "USAGE", reason: "usage", message: "There is no event type user.deleted." }),
    ]);
  });

  it("does not let what was typed control the terminal", async () => {
    const { err } = await desk(["trigger", "user\u001b[31m.updated\u202e"], { API_KEY });
    expect(err.replaceAll("\n", "")).not.toMatch(/[\p{Cc}\p{Cf}]/u);
  });
});
