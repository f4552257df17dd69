import { cpSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { contractBreaks, protoBreaks } from "../../tools/contracts/breaking-changes.ts";
import { newFolder } from "../support/folder.ts";
import { type ContractName, contract } from "./contracts.ts";

const FOLDER = newFolder("gh-baseline-");

type Change = (document: never) => void;

const CLIENTS = "/v1/instance-integrations/{instanceIntegrationId}/clients";

// biome-ignore lint/suspicious/noExplicitAny: a document of any shape, changed on purpose
const edit = (change: (document: any) => void): Change => change as Change;

/** What today's contract, changed so, would break of itself. */
function breaksOf(name: ContractName, change: Change): readonly string[] {
  const base = join("generated", "contracts", `${name}.json`);
  const revision = join(FOLDER, `${name}.json`);
  const document = structuredClone(contract(name));
  change(document as never);
  writeFileSync(revision, JSON.stringify(document, null, 2));
  return contractBreaks(base, revision).map(({ place, element, sentence }) => `${place} ${element} ${sentence}`);
}

const BREAKING: readonly (readonly [string, ContractName, Change])[] = [
  ["a path that is gone", "gateway", edit(({ paths }) => delete paths[CLIENTS])],
  ["another operationId", "gateway", edit(({ paths }) => (paths[CLIENTS].get.operationId = "listTenants"))],
  ["an answer that is gone", "gateway", edit(({ paths }) => delete paths[CLIENTS].get.responses["404"])],
  ["a member that is gone", "gateway", edit(({ components }) => delete components.schemas.Worker.properties.email)],
  [
    "a member of another type",
    "gateway",
    edit(({ components }) => (components.schemas.Worker.properties.email.type = "integer")),
  ],
  [
    "a member that may be missing by now",
    "gateway",
    edit(({ components }) => components.schemas.Worker.required.shift()),
  ],
  [
    "another header for the key",
    "gateway",
    edit(({ components }) => (components.securitySchemes.apiKey.name = "x-key")),
  ],
  [
    "a query parameter that must be given by now",
    "gateway",
    edit(({ paths }) =>
      paths[CLIENTS].get.parameters.push({ name: "since", in: "query", required: true, schema: { type: "string" } }),
    ),
  ],
  ["a webhook that is gone", "gateway", edit(({ webhooks }) => delete webhooks["user.updated"])],
  [
    "a media type that is gone",
    "sign-on",
    edit(({ paths }) => delete paths["/auth/token"].post.requestBody.content["application/json"]),
  ],
  [
    "an event type that is gone",
    "webhooks.asyncapi",
    edit(({ channels }) => delete channels.endpoint.messages.UserUpdated),
  ],
  [
    "another type in an event",
    "webhooks.asyncapi",
    edit(({ components }) => (components.schemas.UserUpdatedEvent.properties.type.const = "user.changed")),
  ],
  [
    "a member of an event that is gone",
    "webhooks.asyncapi",
    edit(({ components }) => delete components.schemas.UserUpdatedEvent.properties.occurredAt),
  ],
  [
    "another header of deliveries",
    "webhooks.asyncapi",
    edit(({ components }) => delete components.schemas.DeliveryHeaders.properties["webhook-id"]),
  ],
];

const HARMLESS: readonly (readonly [string, ContractName, Change])[] = [
  ["nothing", "gateway", edit(() => undefined)],
  [
    "a new member",
    "gateway",
    edit(({ components }) => (components.schemas.Worker.properties.nickname = { type: "string" })),
  ],
  [
    "a new code of problems",
    "gateway",
    edit(({ components }) => components.schemas.Problem.properties.code["x-extensible-enum"].push("new")),
  ],
  [
    "a new operation",
    "gateway",
    edit(
      ({ paths }) => (paths["/v3/all"] = { get: { ...paths[CLIENTS].get, operationId: "listAll", parameters: [] } }),
    ),
  ],
  [
    "a new member of an event",
    "webhooks.asyncapi",
    edit(({ components }) => (components.schemas.UserUpdatedEvent.properties.note = { type: "string" })),
  ],
];

describe("the gate of breaking changes (spec §9.2)", () => {
  it.each(BREAKING)("refuses %s (%s)", (_, name, change) => {
    const found = breaksOf(name, change);
    expect(found.join("\n")).toContain(`${name}.json`);
    expect(found.join("\n")).toContain("#/");
  });

  it.each(HARMLESS)("allows %s (%s)", (_, name, change) => {
    expect(breaksOf(name, change)).toEqual([]);
  });

  it("reports what it cannot read", () => {
    const broken = join(FOLDER, "broken.yaml");
    writeFileSync(broken, "openapi: 3.1.0\n info: [");
    expect(() => contractBreaks(broken, broken)).toThrow(/cannot be compared with .*broken\.yaml/);
  });
});

describe("the gate of breaking changes of proto/", () => {
  const folder = join(FOLDER, "proto");
  const file = join(folder, "gatehouse", "workforce", "v1", "gateway.proto");

  beforeAll(() => {
    cpSync("proto", folder, { recursive: true });
  });

  it("allows the present files", () => {
    expect(protoBreaks("proto/baseline.binpb", folder)).toEqual([]);
  });

  it("refuses another number for a field, and names file and line", () => {
    const text = readFileSync(file, "utf8");
    writeFileSync(file, text.replace(/(string instance_integration_id) = 1;/, "$1 = 15;"));
    const found = protoBreaks("proto/baseline.binpb", folder);
    writeFileSync(file, text);
    expect(found.map(({ place, sentence }) => `${place} ${sentence}`).join("\n")).toMatch(/gateway\.proto:\d+ .*FIELD/);
  });
});
