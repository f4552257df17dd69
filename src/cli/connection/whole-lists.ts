import type { ApiKey, IntegrationWithConnections } from "#generated/proto/gatehouse/workforce/v1/operator.ts";
import type { Instance, PageStart, Tenant } from "#generated/proto/gatehouse/workforce/v1/workforce.ts";
import type { Asked } from "./verb.ts";

interface Page<S> {
  /** Where the next page begins; none on the last one. */
  readonly next?: S | null | undefined;
}

/** All entries of a list, read page by page. */
export async function allPages<P extends Page<S>, T, S = PageStart>(
  read: (after: S | null) => Promise<P>,
  entriesOf: (page: P) => readonly T[],
): Promise<readonly T[]> {
  const entries: T[] = [];
  for (let after: S | null = null; ; ) {
    const page: P = await read(after);
    entries.push(...entriesOf(page));
    if (page.next === null || page.next === undefined) return entries;
    after = page.next;
  }
}

/** The peers to ask; the demonstration asks without the call of a command. */
type Asking<Peer extends keyof Asked> = Pick<Asked, Peer> & Partial<Pick<Asked, "call">>;

/** The instances, oldest first. */
export const allInstances = ({ platform, call }: Asking<"platform">): Promise<readonly Instance[]> =>
  allPages(
    (after) => platform.listInstances({ after }, call),
    ({ instances }) => instances,
  );

/** The tenants of an instance, oldest first. */
export const allTenantsOf = ({ platform, call }: Asking<"platform">, instanceId: string): Promise<readonly Tenant[]> =>
  allPages(
    (after) => platform.listTenantsOfInstance({ instanceId, after }, call),
    ({ tenants }) => tenants,
  );

/** The integrations with their connections, oldest first. */
export const allIntegrations = ({
  workforce,
  call,
}: Asking<"workforce">): Promise<readonly IntegrationWithConnections[]> =>
  allPages(
    (after) => workforce.listIntegrations({ after }, call),
    ({ integrations }) => integrations,
  );

/** Which keys; all of the installation without it. */
interface KeyFilter {
  readonly integrationId?: string | undefined;
  /** Those that are accepted now, and not any more at that instant. */
  readonly expiresBefore?: Date | undefined;
}

/** The API keys, oldest first. */
export const allApiKeys = (
  { workforce, call }: Asking<"workforce">,
  { integrationId = "", expiresBefore }: KeyFilter,
): Promise<readonly ApiKey[]> =>
  allPages(
    (after) => workforce.listApiKeys({ integrationId, expiresBefore, after }, call),
    ({ apiKeys }) => apiKeys,
  );
