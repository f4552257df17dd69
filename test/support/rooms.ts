import { readFileSync } from "node:fs";
import type { ImportGraph } from "./import-graph.ts";

/** An area of `src/` whose README draws which of its rooms import which. */
export type AreaWithRooms = "runtime" | "webhooks" | "workforce";

/** `queue → subscriptions`, for each arrow that imports make between two rooms of the area, sorted. Migrations count for no room. */
export function arrowsOf(graph: ImportGraph, area: AreaWithRooms): readonly string[] {
  const room = new RegExp(`^src/${area}/([a-z-]+)/(?!\\d{4})`);
  const roomOf = (path: string): string | undefined => room.exec(path)?.[1];
  const found = graph.files
    .flatMap((file) => graph.importsOf(file).map(({ to }) => [roomOf(file), roomOf(to)] as const))
    .filter(([from, to]) => from !== undefined && to !== undefined && from !== to)
    .map(([from, to]) => `${from} → ${to}`);
  return [...new Set(found)].toSorted();
}

/** The arrows of the area's README. */
export const arrowsSaid = (area: AreaWithRooms): readonly string[] =>
  arrowsDrawn(readFileSync(`src/${area}/README.md`, "utf8"));

/** The arrows that lines such as `queue → subscriptions, deliveries` draw, each indented by four spaces; sorted. */
export function arrowsDrawn(text: string): readonly string[] {
  const lines = text.matchAll(/^ {4}([a-z-]+) +→ ([a-z-]+(?:, [a-z-]+)*)$/gm);
  return [...lines].flatMap(([, from, to = ""]) => to.split(", ").map((one) => `${from} → ${one}`)).toSorted();
}

/** Rooms that lead back to themselves, over any number of arrows. */
export function roomsInCircles(arrows: readonly string[]): readonly string[] {
  const reached = (from: string, seen = new Set<string>()): ReadonlySet<string> => {
    for (const end of importedBy(from, arrows)) if (!seen.has(end)) reached(end, seen.add(end));
    return seen;
  };
  return roomsOf(arrows).filter((room) => reached(room).has(room));
}

/** The rooms at which arrows of this one end. */
export const importedBy = (room: string, arrows: readonly string[]): readonly string[] =>
  arrows.map((arrow) => arrow.split(" → ")).flatMap(([from, to]) => (from === room && to !== undefined ? [to] : []));

/** The rooms that an arrow begins or ends at. */
export const roomsOf = (arrows: readonly string[]): readonly string[] => [
  ...new Set(arrows.flatMap((arrow) => arrow.split(" → "))),
];
