import type { PlatformEvent } from "./event-log.ts";

/** Where the organization structure lists what an event tells of; such things have no address of their own. */
const LISTS: Readonly<Record<string, string>> = {
  organizationUnitType: "unitsTypes",
  organizationUnit: "units",
  organizationLocation: "locations",
};

/** Whether a structure lists the event's entity; nothing when the event is of another kind, or the answer is no structure. */
export function listedIn(structure: unknown, entity: PlatformEvent["entity"] | undefined): boolean | undefined {
  const list = (structure as Readonly<Record<string, unknown>> | null)?.[LISTS[entity?.type ?? ""] ?? ""];
  if (!Array.isArray(list)) return undefined;
  return list.some((one: { readonly id?: unknown } | null) => one?.id === entity?.id);
}
