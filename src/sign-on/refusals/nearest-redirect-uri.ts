import { editDistance, firstDifference } from "#runtime/basis/edit-distance.ts";
import { REDIRECT_URI_LENGTH_MAX } from "./asked.ts";

/** The registered redirect URI that is most like one that was sent. */
export interface Nearest {
  readonly uri: string;
  /** Position of the first character that differs, from 0. */
  readonly differsAt: number;
  /** Characters to change, add or remove to turn one into the other. */
  readonly distance: number;
}

/** The nearest of the registered ones by edit distance, the first of several; `undefined` when there is none. */
export function nearestRedirectUri(registered: readonly string[], sent: string): Nearest | undefined {
  let nearest: Nearest | undefined;
  for (const uri of registered) {
    const distance = editDistance(uri.slice(0, REDIRECT_URI_LENGTH_MAX), sent.slice(0, REDIRECT_URI_LENGTH_MAX));
    if (nearest === undefined || distance < nearest.distance)
      nearest = { uri, distance, differsAt: firstDifference(uri, sent) };
  }
  return nearest;
}
