import { Ajv2020, type AnySchema } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import { EVENT_TYPES } from "../../../generated/event-types.ts";
import { contract } from "../../contract/contracts.ts";
import { eachStore } from "../../support/stores.ts";
import { type IntegratorApi, openIntegratorApi } from "./integrator-kit.ts";

interface EventType {
  readonly type: string;
  readonly schema: AnySchema;
  readonly example: object;
}

interface Message {
  readonly name: string;
  readonly examples: readonly { readonly payload: object }[];
}

const { messages } = contract("webhooks.asyncapi").components as {
  readonly messages: Readonly<Record<string, Message>>;
};
/** The first example of each type, by the published contract. */
const PUBLISHED = new Map(Object.values(messages).map(({ name, examples }) => [name, examples[0]?.payload]));

const ajv = new Ajv2020({ strict: false });
addFormats.default(ajv);

eachStore((_, open) => {
  describe("the list of event types (R-X299)", () => {
    let api: IntegratorApi;
    let data: readonly EventType[];
    beforeAll(async () => {
      api = await openIntegratorApi(open);
      ({ data } = await api.mineOf<{ data: readonly EventType[] }>("GET", "/v1/webhooks/event-types"));
    });
    afterAll(() => api.gateway.stop());

    it("has those of the contract, each with its example there", () => {
      expect(data.map(({ type, example }) => [type, example])).toEqual(
        EVENT_TYPES.map((type) => [type, PUBLISHED.get(type)]),
      );
    });

    it("has a schema of each, without references, that its example keeps and no other type's does", () => {
      expect(JSON.stringify(data)).not.toContain("$ref");
      const kept = data.map(({ type, schema }) => {
        const keeps = ajv.compile(schema);
        return [type, data.filter(({ example }) => keeps(example)).map((one) => one.type)];
      });
      expect(kept).toEqual(EVENT_TYPES.map((type) => [type, [type]]));
    });
  });
});
