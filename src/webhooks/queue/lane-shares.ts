/** A lane in which something is ready. */
export interface Lane {
  readonly origin: string;
  /** Attempts that are under way to it. */
  readonly underWay: number;
}

/**
 * Shares `places` among the lanes: each goes to the lane that has the fewest under way by then, and none gets more than `most` under way.
 * So endpoints that answer slowly keep no places that others could use. Lanes that get nothing are left out.
 */
export function laneShares(lanes: readonly Lane[], places: number, most: number): ReadonlyMap<string, number> {
  const levels = lanes.map(({ underWay }) => underWay);
  const shares = new Map<string, number>();
  for (let left = places; left > 0; left--) {
    let lowest = 0;
    for (const [index, level] of levels.entries()) if (level < (levels[lowest] ?? 0)) lowest = index;
    const lane = lanes[lowest];
    const level = levels[lowest] ?? most;
    if (lane === undefined || level >= most) break;
    levels[lowest] = level + 1;
    shares.set(lane.origin, (shares.get(lane.origin) ?? 0) + 1);
  }
  return shares;
}
