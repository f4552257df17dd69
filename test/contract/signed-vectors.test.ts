import { Webhook } from "standardwebhooks";
import vectorsFile from "#generated/contracts/webhooks.vectors.json" with { type: "json" };
import { EVENT_TYPES } from "#generated/event-types.ts";
import { eventDepartures } from "../support/event-contract.ts";

const { vectors, toleranceSeconds } = vectorsFile;

/** What the scheme's own library says, asked at the vector's time. */
function verdictOf({ secret, body, headers, verifiedAt }: (typeof vectors)[number]): "accept" | "refuse" {
  jest.useFakeTimers({ now: verifiedAt * 1000, doNotFake: ["nextTick", "setImmediate"] });
  try {
    new Webhook(secret).verify(body, headers);
    return "accept";
  } catch {
    return "refuse";
  } finally {
    jest.useRealTimers();
  }
}

describe("the published signed deliveries (R-E5, Standard Webhooks v1)", () => {
  it("are of every event type, each with the same five cases", () => {
    const cases = ["genuine", "rotating", "tampered", "foreign", "replayed"];
    expect(vectors.map(({ name }) => name)).toEqual(
      EVENT_TYPES.flatMap((type) => cases.map((one) => `${type} ${one}`)),
    );
    expect(toleranceSeconds).toBe(300);
  });

  it.each(vectors)("$name: an independent verifier says $verdict", (vector) => {
    expect(verdictOf(vector)).toBe(vector.verdict);
  });

  it.each(vectors.filter(({ verdict }) => verdict === "accept"))("$name keeps the contract of events", (vector) => {
    expect(eventDepartures({ headers: vector.headers, body: Buffer.from(vector.body) })).toEqual([]);
  });
});
