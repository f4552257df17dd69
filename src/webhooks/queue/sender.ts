import type { KeyObject } from "node:crypto";

/** A subscription that can be sent to right now. */
export interface Sender {
  readonly kind: "sends";
  readonly label: string;
  readonly endpointUrl: string;
  /** Newest first. */
  readonly secrets: readonly KeyObject[];
}
