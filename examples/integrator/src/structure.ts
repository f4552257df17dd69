import type { PlatformEvent } from "./platform-event.ts";

/** The organization structure's list for each kind of entity that has no address of its own. */
const LISTS: Readonly<Record<string, string>> = {
  organizationUnitType: "unitsTypes",
  organizationUnit: "units",
  organizationLocation: "locations",
};

/**
 * Whether a structure lists the event's entity; undefined when the event is of another kind, or the answer is not a
 * structure.
 */
export function listedIn(structure: unknown, entity: PlatformEvent["entity"] | undefined): boolean | undefined {
  const list = (structure as Readonly<Record<string, unknown>> | null)?.[LISTS[entity?.type ?? ""] ?? ""];
  if (!Array.isArray(list)) return undefined;
  return list.some((one: { readonly id?: unknown } | null) => one?.id === entity?.id);
}
