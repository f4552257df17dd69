import type { ApiKey } from "#generated/proto/gatehouse/workforce/v1/operator.ts";
import { allPages } from "./answers.ts";
import type { Asked } from "./verb.ts";

/** Which keys; all of the installation without it. */
interface KeyFilter {
  readonly integrationId?: string | undefined;
  /** Those that are accepted now, and not any more at that instant. */
  readonly expiresBefore?: Date | undefined;
}

/** The API keys, oldest first. */
export const allApiKeys = (
  { workforce, call }: Pick<Asked, "workforce" | "call">,
  { integrationId = "", expiresBefore }: KeyFilter,
): Promise<readonly ApiKey[]> =>
  allPages(
    (after) => workforce.listApiKeys({ integrationId, expiresBefore, after }, call),
    ({ apiKeys }) => apiKeys,
  );
