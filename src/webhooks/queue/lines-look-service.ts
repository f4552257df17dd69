import type { Transaction } from "#runtime/database/database.ts";
import { UNPROVEN_LANES } from "../deliveries/lane.ts";
import type { WebhooksTables } from "../tables.ts";
import type { LinePosition, LinesRepository } from "./lines-repository.ts";
import type { Paces } from "./paces.ts";
import type { UnderWay } from "./places.ts";
import type { Line } from "./turns.ts";

/** Lines that are looked at together, of proven subscriptions and of others. */
const LINES_MAX = 100;

const FIRST: LinePosition = { lane: "", subscriptionId: "" };
const FIRST_UNPROVEN: LinePosition = { lane: UNPROVEN_LANES, subscriptionId: "" };

/** Some of the lines in which something is ready. */
interface Look {
  readonly lines: readonly Line[];
  /** Of the same moment, where it may differ from what a claim began with. */
  readonly underWay: readonly UnderWay[] | undefined;
  /** True when there may be others, which the next look finds. */
  readonly isMore: boolean;
}

/** Looks at the lines in turn: each look begins behind the lines of the one before, and at the end starts again. */
interface LinesLook {
  next(
    tx: Transaction<WebhooksTables>,
    wanted: {
      /** Origins of which no line is wanted. */
      readonly full: readonly string[];
      /** False leaves out the lines of those who were not proven when their deliveries became ready. */
      readonly unprovenToo: boolean;
    },
  ): Promise<Look>;
}

export function createLinesLook({
  lines,
  paces,
}: {
  readonly lines: Pick<LinesRepository, "listLines">;
  readonly paces: Pick<Paces, "isProven">;
}): LinesLook {
  let after = FIRST;
  let unprovenAfter = FIRST_UNPROVEN;
  return {
    async next(tx, { full, unprovenToo }) {
      const begunInside = after !== FIRST || (unprovenToo && unprovenAfter !== FIRST_UNPROVEN);
      const { lines: found, underWay } = await lines.listLines(tx, {
        after,
        unprovenAfter: unprovenToo ? unprovenAfter : undefined,
        full,
        limit: LINES_MAX,
      });
      const isUnprovenLane = ({ lane }: LinePosition) => lane.startsWith(UNPROVEN_LANES);
      after = endOf(found.filter((line) => !isUnprovenLane(line))) ?? FIRST;
      if (unprovenToo) unprovenAfter = endOf(found.filter(isUnprovenLane)) ?? FIRST_UNPROVEN;
      return {
        lines: found.map((line) => ({ ...line, unproven: !paces.isProven(line) })),
        underWay,
        isMore: begunInside || after !== FIRST || (unprovenToo && unprovenAfter !== FIRST_UNPROVEN),
      };
    },
  };
}

/** Where the next look begins; `undefined` when this one reached the end. */
const endOf = (found: readonly LinePosition[]): LinePosition | undefined =>
  found.length < LINES_MAX ? undefined : found.at(-1);
