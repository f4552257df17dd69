/** Ids in groups, the oldest of each first. All steps take the same time, however many there are. */
export interface Groups {
  add(group: string, id: string): void;
  remove(group: string, id: string): void;
  /** The ids of one group. */
  of(group: string): ReadonlySet<string>;
  /** The ids of the group with the most; of several, the one that has had so many for longest. */
  largest(): ReadonlySet<string>;
}

const NONE: ReadonlySet<string> = new Set();

export function groups(): Groups {
  const members = new Map<string, Set<string>>();
  /** Names of the groups with so many members, by that number; a number that no group has is removed. */
  const withSize = new Map<number, Set<string>>();
  let most = 0;

  const resized = (group: string, before: number, after: number): void => {
    const others = withSize.get(before);
    others?.delete(group);
    if (others?.size === 0) withSize.delete(before);
    if (after > 0) withSize.set(after, (withSize.get(after) ?? new Set()).add(group));
    // One step is enough: a group has one member more or less than before.
    if (after > most || !withSize.has(most)) most = after;
  };

  return {
    add(group, id) {
      const ids = members.get(group) ?? new Set();
      const before = ids.size;
      members.set(group, ids.add(id));
      resized(group, before, ids.size);
    },
    remove(group, id) {
      const ids = members.get(group);
      if (ids?.delete(id) !== true) return;
      if (ids.size === 0) members.delete(group);
      resized(group, ids.size + 1, ids.size);
    },
    of: (group) => members.get(group) ?? NONE,
    largest: () => members.get(withSize.get(most)?.values().next().value ?? "") ?? NONE,
  };
}
