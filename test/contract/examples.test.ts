import { Ajv2020 } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import { closed } from "../../tools/contracts/closed-schema.ts";
import { violationsOf } from "../support/contract.ts";
import { eventDepartures } from "../support/event-contract.ts";
import { type ContractName, contract, type Node, nodesOf, REST_CONTRACTS, resolve } from "./contracts.ts";

interface Example {
  readonly place: string;
  /** JSON pointer of the schema that it must keep. */
  readonly schema: string;
  readonly value: unknown;
}

/** Every example that stands beside a schema: of media types, parameters and headers. */
function examplesOf(document: Node): readonly Example[] {
  return [...nodesOf(document)].flatMap(([pointer, node]) => {
    if (typeof node.schema !== "object") return [];
    const schema = `${pointer}/schema`;
    const single = "example" in node ? [{ place: `${pointer}/example`, schema, value: node.example }] : [];
    const named = Object.entries((node.examples ?? {}) as Node).map(([name, example]) => ({
      place: `${pointer}/examples/${name}`,
      schema,
      value: resolve(document, example).value,
    }));
    return [...single, ...named];
  });
}

/** A document whose form this contract does not know: another contract. */
const isAnyObject = (schema: unknown): boolean => JSON.stringify(schema) === '{"type":"object"}';

/** Compiles against one document. Objects are closed: an example shows nothing that is not declared. */
function judge(name: ContractName) {
  const ajv = new Ajv2020({ strict: false, allErrors: true });
  addFormats.default(ajv);
  ajv.addSchema(closed(contract(name)) as Node, name);
  return ({ place, schema, value }: Example): readonly string[] => {
    const validate = ajv.compile({
      $ref: `${name}${schema.split("/").map(encodeURIComponent).join("/").replace("%23", "#")}`,
    });
    return validate(value) ? [] : violationsOf(validate).map((text) => `${place}: ${text}`);
  };
}

describe.each(REST_CONTRACTS)("the examples of %s.yaml", (name) => {
  const examples = examplesOf(contract(name));

  it("are many", () => {
    expect(examples.length).toBeGreaterThan(10);
  });

  it("keep their schemas", () => {
    const departures = examples.flatMap(judge(name));
    expect(departures).toEqual([]);
  });

  it("would not, if one said something else", () => {
    const [first] = examples.filter(({ place }) => place.includes("/content/application"));
    const departures = judge(name)({ ...(first as Example), value: 7 });
    expect(departures.join()).toContain("must be");
  });

  it("stand at every JSON answer and every body", () => {
    const bare = [...nodesOf(contract(name))].filter(
      ([pointer, { examples, schema }]) =>
        /\/content\/application~1[a-z+]*json$/.test(pointer) && examples === undefined && !isAnyObject(schema),
    );
    expect(bare.map(([pointer]) => pointer)).toEqual([]);
  });

  it("say the same in message and detail of a problem (R-G1)", () => {
    const values = examples.map(({ value }) => value as Node | undefined);
    const problems = values.filter(
      (value) => typeof value === "object" && value !== null && "requestId" in value && "type" in value,
    );
    expect(problems.filter((problem) => problem?.message !== problem?.detail)).toEqual([]);
  });
});

describe("the examples of webhooks.asyncapi.yaml", () => {
  const { messages } = contract("webhooks.asyncapi").components as {
    readonly messages: Readonly<Record<string, Node>>;
  };

  it.each(Object.entries(messages))(
    "keep payload and headers of %s (toolchain §0.7: no linter looks)",
    (_, message) => {
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
    },
  );
});
