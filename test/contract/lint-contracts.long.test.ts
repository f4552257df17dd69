import { spawnSync } from "node:child_process";
import { cpSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { newFolder } from "../support/folder.ts";

const FOLDER = newFolder("gh-lint-");

type Change = readonly [file: string, from: string, to: string];

/** What the lint says of the bundles when they are changed so. */
function lint(changes: readonly Change[]): { readonly status: number | null; readonly said: string } {
  cpSync("generated/contracts", FOLDER, { recursive: true });
  for (const [file, from, to] of changes) {
    const text = readFileSync(join(FOLDER, file), "utf8");
    if (!text.includes(from)) throw new Error(`${file} has no ${from}`);
    writeFileSync(join(FOLDER, file), text.replace(from, to));
  }
  const args = ["tools/lint-contracts.ts", FOLDER];
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { encoding: "utf8" });
  return { status, said: stdout + stderr };
}

/** One fault of each kind, in places that do not touch each other, and the line that must report it. */
const FAULTS: readonly (readonly [kind: string, change: Change, line: RegExp])[] = [
  [
    "an example of an answer",
    ["gateway.json", '"fullName": "Ines Okafor"', '"fullName": 7'],
    /gateway\.json: example #\/.*examples\/.*fullName must be string/,
  ],
  [
    "an example of an event (no linter checks that)",
    ["webhooks.asyncapi.json", '"type": "user.updated",\n', '"type": "user.changed",\n'],
    /asyncapi\.json: example #\/components\/messages\/UserUpdated\/examples\/0\/payload: \/type must be equal to constant/,
  ],
  [
    "a member of an example that is not declared",
    ["webhooks.asyncapi.json", '"specVersion": 1,', '"specVersion": 1, "extra": 1,'],
    /must NOT have additional properties.*extra/,
  ],
  [
    "an event type that one list lacks",
    ["gateway.json", '"user.updated": {', '"user.changed": {'],
    /openapi\/gateway\.yaml: webhooks: user\.updated is missing/,
  ],
  [
    "an event type that the other list lacks",
    ["gateway.json", '"client.created": {', '"client.changed": {'],
    /openapi\/webhooks\.asyncapi\.yaml: components\/messages: client\.changed is missing/,
  ],
  [
    "a sentence of an API that names a ruling",
    ["sign-on.json", '"description": "The person, the same for every application."', '"description": "See R-S5."'],
    /sign-on\.json: #\/.*\/description: names R-S5/,
  ],
  [
    "a sentence of the events that names a ruling",
    ["webhooks.asyncapi.json", '"description": "Unix seconds of this attempt."', '"description": "See R-E5."'],
    /asyncapi\.json: #\/.*\/description: names R-E5/,
  ],
  [
    "a signature that is not of the example's body",
    ["webhooks.asyncapi.json", '"webhook-timestamp": "1782807328"', '"webhook-timestamp": "1782807329"'],
    /openapi\/examples\/events\/message\.[a-z_.]+\.yaml: webhook-signature: must be v1,/,
  ],
  [
    "an example with another event's id in its headers",
    [
      "webhooks.asyncapi.json",
      '"webhook-id": "event_8WcHn3GvKp6YtJ1XsB4Zq"',
      '"webhook-id": "event_4DkSw9XbTm2RzL7QcN5Hv"',
    ],
    /message\.user\.updated\.yaml: webhook-id: must be event_8WcHn3GvKp6YtJ1XsB4Zq/,
  ],
  [
    "the text of an event in an answer, without a member that events of its type have",
    ["gateway.json", '\\"fullName\\":\\"Maren Dahl\\",', ""],
    /gateway\.json: event of #\/.*: \/data must have required property 'fullName'/,
  ],
  [
    "a signature that is not of the text beside it",
    ["gateway.json", '"webhook-timestamp": "1782807064"', '"webhook-timestamp": "1782807065"'],
    /gateway\.json: event of #\/.*test-messages.*: webhook-signature: must be v1,/,
  ],
  [
    "what AsyncAPI's parser finds",
    ["webhooks.asyncapi.yaml", "action: send", "action: shout"],
    /webhooks\.asyncapi\.yaml:\d+ error: .*operations/,
  ],
];

describe("lint-contracts", () => {
  it("accepts the published contracts", () => {
    const { status, said } = lint([]);
    expect([status, said.trim().split("\n").at(-1)]).toEqual([0, `${FOLDER}: valid, examples too`]);
  });

  describe("with faults planted", () => {
    let found: ReturnType<typeof lint>;
    beforeAll(() => {
      found = lint(FAULTS.map(([, change]) => change));
    });

    it("fails", () => {
      expect(found.status).toBe(1);
    });

    it.each(FAULTS)("names the place of %s", (_, __, line) => {
      expect(found.said).toMatch(line);
    });
  });
});
