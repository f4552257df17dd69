import type { MigrationSet } from "#runtime/database/migrations.ts";
import { instancesAndIntegrations } from "./0001-instances-and-integrations.ts";
import { peopleTenantsUsers } from "./0002-people-tenants-users.ts";
import { organizationAndWorkers } from "./0003-organization-and-workers.ts";
import { listsInPages } from "./0004-lists-in-pages.ts";
import { rolesAndMoves } from "./0005-roles-and-moves.ts";
import { changesOfPlacesAndWorkers } from "./0006-changes-of-places-and-workers.ts";
import { keysInUse } from "./0007-keys-in-use.ts";
import { imports } from "./0008-imports.ts";
import { enabledAgain } from "./0009-enabled-again.ts";
import { tenantsByName } from "./0010-tenants-by-name.ts";
import { gatewayRefusals } from "./0011-gateway-refusals.ts";
import { peopleByName } from "./0012-people-by-name.ts";
import { erasure } from "./0013-erasure.ts";
import { keyScopes } from "./0014-key-scopes.ts";
import { structureInPages } from "./0015-structure-in-pages.ts";
import { composedAddresses } from "./0016-composed-addresses.ts";

export const workforceMigrations: MigrationSet = {
  owner: "workforce",
  migrations: [
    instancesAndIntegrations,
    peopleTenantsUsers,
    organizationAndWorkers,
    listsInPages,
    rolesAndMoves,
    changesOfPlacesAndWorkers,
    keysInUse,
    imports,
    enabledAgain,
    tenantsByName,
    gatewayRefusals,
    peopleByName,
    erasure,
    keyScopes,
    structureInPages,
    composedAddresses,
  ],
};
