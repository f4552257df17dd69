import { exampleDepartures, examplesOf } from "../../tools/contracts/examples.ts";
import { eventDepartures } from "../support/event-contract.ts";
import { contract, type Node, nodesOf, REST_CONTRACTS } from "./contracts.ts";

/** A document whose form this contract does not know: another contract. */
const isAnyObject = (schema: unknown): boolean => JSON.stringify(schema) === '{"type":"object"}';

describe.each(REST_CONTRACTS)("the examples of %s.yaml", (name) => {
  const examples = examplesOf(contract(name));

  it("are many", () => {
    expect(examples.length).toBeGreaterThan(10);
  });

  it("keep their schemas", () => {
    expect(exampleDepartures(contract(name))).toEqual([]);
  });

  it("show a value of each header of an answer, which the mock sends", () => {
    const bare = [...nodesOf(contract(name))].filter(
      ([pointer, { example, schema }]) =>
        /\/headers\/[^/]+$/.test(pointer) && schema !== undefined && example === undefined,
    );
    expect(bare.map(([pointer]) => pointer)).toEqual([]);
  });

  it("exist for every JSON answer and every body", () => {
    const bare = [...nodesOf(contract(name))].filter(
      ([pointer, { examples, schema }]) =>
        /\/content\/application~1[a-z+]*json$/.test(pointer) && examples === undefined && !isAnyObject(schema),
    );
    expect(bare.map(([pointer]) => pointer)).toEqual([]);
  });

  it("have the same text in message and detail of a problem (R-G1)", () => {
    const values = examples.map(({ value }) => value as Node | undefined);
    const problems = values.filter(
      (value) => typeof value === "object" && value !== null && "requestId" in value && "type" in value,
    );
    expect(problems.filter((problem) => problem?.message !== problem?.detail)).toEqual([]);
  });
});

describe("the gateway's examples of subscriptions", () => {
  it("have labels as the API gives them (R-X301)", () => {
    const labels = examplesOf(contract("gateway")).flatMap(({ value }) => [
      ...JSON.stringify(value ?? null).matchAll(/"id":"subscription_\w+","label":"([^"]*)"/g),
    ]);
    expect(labels.length).toBeGreaterThan(3);
    expect(labels.filter(([, label = ""]) => !/^api-[a-z0-9]{16}$/.test(label))).toEqual([]);
  });
});

describe("the examples of webhooks.asyncapi.yaml", () => {
  const { messages } = contract("webhooks.asyncapi").components as {
    readonly messages: Readonly<Record<string, Node>>;
  };

  it.each(Object.entries(messages))("keep payload and headers of %s (no linter checks that)", (_, message) => {
    const examples = message.examples as readonly {
      readonly headers: Record<string, string>;
      readonly payload: Node;
    }[];
    const departures = examples.map(({ headers, payload }) =>
      eventDepartures({ headers, body: Buffer.from(JSON.stringify(payload)) }),
    );
    expect(departures.flat()).toEqual([]);
    expect(departures.length).toBeGreaterThan(0);
    expect(examples.map(({ payload }) => payload.type)).toEqual(examples.map(() => message.name));
  });
});
