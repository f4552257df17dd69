import type { Transaction } from "../../../src/runtime/database/database.ts";
import { UNPROVEN_LANES } from "../../../src/webhooks/deliveries/lane.ts";
import { createLinesLook } from "../../../src/webhooks/queue/lines-look-service.ts";
import type { LinePosition, LinesRepository } from "../../../src/webhooks/queue/lines-repository.ts";
import type { WebhooksTables } from "../../../src/webhooks/tables.ts";

const tx = {} as Transaction<WebhooksTables>;

/** As many lines with something ready, of subscriptions that were proven or were not. */
const linesIn = (lanes: string, count: number) =>
  Array.from({ length: count }, (_, index) => {
    const number = String(index).padStart(3, "0");
    const origin = `https://${number}.example`;
    return { lane: `${lanes}${origin}`, origin, subscriptionId: `s${number}`, integrationId: "i", slow: false };
  });

/** Looks at lines in their order, by which of them it finds. */
function looking(proven: number, unproven: number) {
  const lines = [...linesIn("", proven), ...linesIn(UNPROVEN_LANES, unproven)];
  const behind = (of: LinePosition | undefined, isUnproven: boolean, limit: number) =>
    lines
      .filter(({ lane }) => lane.startsWith(UNPROVEN_LANES) === isUnproven)
      .filter(({ lane }) => of !== undefined && lane > of.lane)
      .slice(0, limit);
  const listLines: LinesRepository["listLines"] = async (_, { after, unprovenAfter, limit }) => ({
    lines: [...behind(after, false, limit), ...behind(unprovenAfter, true, limit)],
    underWay: undefined,
  });
  const look = createLinesLook({ lines: { listLines }, paces: { isProven: () => true } });
  return async (unprovenToo: boolean) => {
    const { lines: found, isMore } = await look.next(tx, { full: [], unprovenToo });
    const isUnproven = ({ lane }: LinePosition) => lane.startsWith(UNPROVEN_LANES);
    return [found.filter((one) => !isUnproven(one)).length, found.filter(isUnproven).length, isMore];
  };
}

describe("looks at the lines in which something is ready (R-X305)", () => {
  it("find all of few, again and again, and nothing more", async () => {
    const next = looking(99, 99);
    expect([await next(true), await next(true)]).toEqual([
      [99, 99, false],
      [99, 99, false],
    ]);
  });

  it("go on behind what they found before, of either kind for itself, and begin again behind the last", async () => {
    const next = looking(250, 120);
    expect([await next(true), await next(true), await next(true), await next(true)]).toEqual([
      [100, 100, true],
      [100, 20, true],
      [50, 100, true],
      [100, 20, true],
    ]);
  });

  it("say that there may be more once they have found the last, as they have begun behind the first", async () => {
    const next = looking(150, 0);
    expect([await next(true), await next(true)]).toEqual([
      [100, 0, true],
      [50, 0, true],
    ]);
  });

  it("that are for proven ones alone leave the place among the others as it is", async () => {
    const next = looking(10, 150);
    expect([await next(true), await next(false), await next(true)]).toEqual([
      [10, 100, true],
      [10, 0, false],
      [10, 50, true],
    ]);
  });
});
