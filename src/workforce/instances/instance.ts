import type { InstanceId } from "#runtime/basis/ids.ts";

/** One deployment of the platform. */
export interface Instance {
  readonly id: InstanceId;
  readonly name: string;
  readonly createdAt: Date;
}
