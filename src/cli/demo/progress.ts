import { type Tenant, type User, UserStatus } from "#generated/proto/gatehouse/workforce/v1/workforce.ts";
import { Failure } from "#runtime/basis/errors.ts";
import { type Connection, connectTo } from "../connection/connection.ts";
import { allPages, allTenantsOf } from "../connection/whole-lists.ts";
import { INSTANCE_IDS, INVITED } from "./workforce.ts";

/** What somebody has done with the demonstration so far, as far as its page depends on it. */
export interface DemoProgress {
  /** The invited person has signed in, or is no longer invited for another reason. */
  readonly hasSignedIn: boolean;
  /** Name for a new client: one that no client of Europe has. */
  readonly newClientName: string;
}

/** Asks the running Gatehouse. */
export async function readDemoProgress(socketDirectory: string): Promise<DemoProgress> {
  const { platform, close } = connectTo(socketDirectory);
  try {
    const users = await usersOf(platform, INVITED.tenantId);
    const tenants = await allTenantsOf({ platform }, INSTANCE_IDS.europe);
    const invited = users.find(({ person }) => person?.id === INVITED.personId);
    return { hasSignedIn: invited?.status !== UserStatus.INVITED, newClientName: unusedName(tenants) };
  } finally {
    await close();
  }
}

/** The users of a tenant; none of one that was erased. */
async function usersOf(platform: Connection["platform"], tenantId: string): Promise<readonly User[]> {
  try {
    return await allPages(
      (after) => platform.listUsersOfTenant({ tenantId, limit: null, after, includeDeleted: true }),
      (page) => page.users,
    );
  } catch (error) {
    if (error instanceof Failure && error.reason === "tenant_not_found") return [];
    throw error;
  }
}

const NEW_CLIENT = "Harbour Bakery";

/** `Harbour Bakery`, then `Harbour Bakery 2`, and so on. */
function unusedName(tenants: readonly Tenant[]): string {
  const names = new Set(tenants.map(({ name }) => name));
  for (let number = 1; ; number += 1) {
    const name = number === 1 ? NEW_CLIENT : `${NEW_CLIENT} ${number}`;
    if (!names.has(name)) return name;
  }
}
