/** Collects a flag that may be given several times. */
export const repeated = (value: string, before: readonly string[] | undefined): readonly string[] => [
  ...(before ?? []),
  value,
];

/** The texts of such a flag; one that is given once and empty says that there are none. */
export const texts = (given: readonly string[] | undefined): string[] => (given ?? []).filter((text) => text !== "");
