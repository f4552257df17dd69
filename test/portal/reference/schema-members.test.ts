import { gatewayContract } from "../../../src/portal/reference/bundles.ts";
import type { Schema } from "../../../src/portal/reference/contract.ts";
import { type OperationEntry, operationGroups } from "../../../src/portal/reference/outline.ts";
import { schemaMembers } from "../../../src/portal/reference/schema-members.ts";

describe("the members of a body", () => {
  const changes: Schema = { type: "object", minProperties: 1, properties: { name: { type: "string" } } };
  const occurrences = (schema: Schema) => String(schemaMembers(schema, "sent")).split("at least ").slice(1);

  it("say how many of them there must be, once, of the body and of an object in it", () => {
    const nested: Schema = { type: "object", properties: { changes: { ...changes, minProperties: 2 } } };
    expect(occurrences(changes).map((rest) => rest.slice(0, 9))).toEqual(["1 member<"]);
    expect(occurrences(nested).map((rest) => rest.slice(0, 10))).toEqual(["2 members<"]);
  });

  it("say of a list's limits which are those of each entry", () => {
    const numbers: Schema = { type: "array", items: { type: "integer", minimum: -5, maximum: 9 }, maxItems: 3 };
    const body: Schema = { type: "object", properties: { numbers } };
    expect(String(schemaMembers(body, "sent"))).toContain(
      '<p class="limits">each from -5; each up to 9; at most 3 entries</p>',
    );
  });

  it("say it of the changes of a subscription", () => {
    const groups = operationGroups(gatewayContract("https://gateway.example"));
    const operations = groups.flatMap(({ entries }) => entries as readonly OperationEntry[]);
    const change = operations.find(({ operation }) => operation.operationId === "updateSubscription");
    const schema = change?.operation.requestBody?.content["application/json"]?.schema ?? {};
    expect(String(schemaMembers(schema, "sent"))).toContain(`<p class="limits">at least 1 member</p>`);
  });
});
