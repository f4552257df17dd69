import type { UnderWay } from "../../../src/webhooks/queue/places.ts";
import { createWorkerPlaces } from "../../../src/webhooks/queue/worker-places.ts";

const ofIntegration = (integrationId: string, count: number, more: Partial<UnderWay> = {}): UnderWay => ({
  origin: `https://${integrationId}.example`,
  subscriptionId: `s-${integrationId}`,
  integrationId,
  count,
  slow: false,
  ...more,
});

/** Of a worker with 512 places: how many an integration gets when it takes all that it may. */
function grabbed(
  integrationId: string,
  underWay: readonly UnderWay[],
  { unproven = false, elsewhere = 0 }: { unproven?: boolean; elsewhere?: number } = {},
): number {
  const taken = underWay.reduce((sum, { count, retries = 0 }) => sum + count - retries, 0) - elsewhere;
  const takenUnproven = underWay.reduce((sum, { count, slow }) => sum + (slow ? count : 0), 0);
  const free = { all: 512 - taken, unproven: Math.min(512 - taken, 256 - takenUnproven) };
  const own = createWorkerPlaces(underWay, { free, isProven: ({ slow }) => !slow }).of({ integrationId, unproven });
  let got = 0;
  for (; own.isFree; got++) own.take();
  return got;
}

describe("places of a worker (R-X387)", () => {
  it.each([
    ["alone: all but a sixteenth", [], 480],
    ["with what is under way", [ofIntegration("a", 400)], 80],
    ["beside another that has all it may", [ofIntegration("b", 480)], 30],
    ["beside two that have all they may", [ofIntegration("b", 248), ofIntegration("c", 247)], 16],
    ["when it has more already", [ofIntegration("a", 500)], 0],
    ["the last place goes to an integration with few", [ofIntegration("b", 511)], 1],
    [
      "retries of an engine outside the store have places of their own",
      [ofIntegration("a", 400, { retries: 100 })],
      180,
    ],
  ])("%s", (_, underWay, expected) => {
    expect(grabbed("a", underWay)).toBe(expected);
  });

  it.each([
    ["alone: four fifths of the half", [], 205],
    ["with what is under way", [ofIntegration("a", 100, { slow: true })], 105],
    ["beside another whose endpoint is silent, not one more", [ofIntegration("b", 1, { slow: true })], 204],
    ["beside another whose endpoints are silent", [ofIntegration("b", 205, { slow: true })], 41],
    ["beside many that answer: four fifths of what they leave", [ofIntegration("b", 480)], 26],
  ])("for what is unproven, %s", (_, underWay, expected) => {
    expect(grabbed("a", underWay, { unproven: true })).toBe(expected);
  });

  it.each([
    ["alone: all but a sixteenth", 0, 94],
    ["beside new attempts, which have other places", 0, 94, { count: 500 }],
    ["with what is under way", 90, 4],
    ["when it has all it may", 94, 0],
  ])(
    "for retries of an engine outside the store, which has 100, %s",
    (_, retries, expected, { count } = { count: 0 }) => {
      const underWay = [ofIntegration("a", count + retries, { retries })];
      const free = { all: 100 - retries, unproven: 50 };
      const own = createWorkerPlaces(underWay, { free, isProven: () => true, ofRetries: true }).of({
        integrationId: "a",
        unproven: false,
      });
      let got = 0;
      for (; own.isFree; got++) own.take();
      expect(got).toBe(expected);
    },
  );

  it("counts what is under way in other workers", () => {
    expect(grabbed("a", [ofIntegration("a", 1_000)], { elsewhere: 1_000 })).toBe(418);
  });
});
