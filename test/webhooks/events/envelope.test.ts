import { readFileSync } from "node:fs";
import fc from "fast-check";
import { parse } from "yaml";
import { EVENT_TYPES } from "../../../generated/event-types.ts";
import { eventBody, type Reported, selfLink } from "../../../src/webhooks/events/envelope.ts";
import { clientCreated, entryOf, INSTANCE_INTEGRATION_ID, userUpdated } from "../webhooks-kit.ts";

const example = (type: string) => parse(readFileSync(`openapi/examples/events/${type}.yaml`, "utf8")).value;

/** The entry that a domain would have written for a published example. */
function entryBehind(event: ReturnType<typeof example>): { entry: Reported; receiver: string } {
  const { links, ...data } = event.data;
  const receiver = links.self.split("/")[3];
  const selfPath = links.self.replace(receiver, "{instanceIntegrationId}");
  const { id, type, occurredAt, sequence, entity } = event;
  return {
    entry: {
      eventId: id,
      eventType: type,
      occurredAt: new Date(occurredAt),
      sequence,
      entity,
      instanceId: "",
      tenantId: data.clientId,
      data,
      selfPath,
    },
    receiver,
  };
}

describe("the body of an event (spec §6)", () => {
  it.each(EVENT_TYPES)("of %s equals the published example, member for member in its order", (type) => {
    const published = example(type);
    const { entry, receiver } = entryBehind(published);
    expect(eventBody(entry, receiver)).toBe(JSON.stringify(published));
  });

  it("keeps whatever text the data holds", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), fc.jsonValue(), (text, value) => {
        const made = eventBody(
          { ...entryOf({ ...userUpdated(), data: { text, value } }), sequence: 1 },
          INSTANCE_INTEGRATION_ID,
        );
        const { links, ...data } = JSON.parse(Buffer.from(made).toString("utf8")).data;
        expect(data).toEqual(JSON.parse(JSON.stringify({ text, value })));
        expect(links.self).toContain(INSTANCE_INTEGRATION_ID);
      }),
    );
  });
});

describe("links.self (spec §6 rule 4, S51, W24)", () => {
  it.each([userUpdated(), clientCreated()])(
    "names the receiver's own instance integration: $eventType",
    ({ selfPath }) => {
      const link = selfLink(selfPath, INSTANCE_INTEGRATION_ID);
      expect(link).toBe(selfPath.split("{instanceIntegrationId}").join(INSTANCE_INTEGRATION_ID));
      expect(link).toMatch(/^\/v1\/instance-integrations\/installation_[A-Za-z0-9]{21}\/clients\/client_/);
    },
  );

  it("contains the id unchanged, even if it looks like a replacement pattern", () => {
    expect(selfLink("/v1/{instanceIntegrationId}/x", "$&$1$$")).toBe("/v1/$&$1$$/x");
  });
});
