import type { Instance } from "#generated/proto/gatehouse/workforce/v1/workforce.ts";
import { allPages } from "./answers.ts";
import type { Asked } from "./verb.ts";

/** The instances, oldest first. The demonstration asks without the call of a command. */
export const allInstances = ({
  platform,
  call,
}: Pick<Asked, "platform"> & Partial<Pick<Asked, "call">>): Promise<readonly Instance[]> =>
  allPages(
    (after) => platform.listInstances({ after }, call),
    ({ instances }) => instances,
  );
