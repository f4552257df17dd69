import { BulkService } from "#generated/proto/gatehouse/workforce/v1/bulk.ts";
import { ConnectionsService } from "#generated/proto/gatehouse/workforce/v1/connections.ts";
import { GatewayService } from "#generated/proto/gatehouse/workforce/v1/gateway.ts";
import { OperatorService } from "#generated/proto/gatehouse/workforce/v1/operator.ts";
import { PlatformService } from "#generated/proto/gatehouse/workforce/v1/platform.ts";
import { SignInService } from "#generated/proto/gatehouse/workforce/v1/sign_in.ts";
import type { Clock } from "#runtime/basis/clock.ts";
import type { Loop } from "#runtime/basis/loop.ts";
import type { Random } from "#runtime/basis/random.ts";
import { createChanges } from "#runtime/changes/change.ts";
import type { Store } from "#runtime/database/database.ts";
import { type Registration, registration } from "#runtime/rpc/call.ts";
import type { Wake } from "#runtime/wake/wake.ts";
import { exportWorkforce } from "./bulk/export-service.ts";
import { importRepository } from "./bulk/import-repository.ts";
import { getImport, importWorkforce } from "./bulk/import-service.ts";
import {
  configureInstanceIntegration,
  revokeInstanceIntegration,
} from "./instance-integrations/connection-state-service.ts";
import { instanceIntegrationRepository } from "./instance-integrations/instance-integration-repository.ts";
import {
  connectIntegration,
  getInstanceIntegration,
  listInstanceIntegrations,
  listIntegrations,
} from "./instance-integrations/instance-integrations-service.ts";
import { instanceRepository } from "./instances/instance-repository.ts";
import { createInstance, getInstance, listInstances, updateInstance } from "./instances/instances-service.ts";
import { apiKeyRepository } from "./integrations/api-key-repository.ts";
import { issueApiKey, listApiKeys, revokeApiKey } from "./integrations/api-keys-service.ts";
import { provingCaller } from "./integrations/caller.ts";
import { integrationRepository } from "./integrations/integration-repository.ts";
import { createIntegration, updateIntegration } from "./integrations/integrations-service.ts";
import { keyUses, keyUsesLoop } from "./integrations/key-uses.ts";
import { createLocation, deleteLocation } from "./organization/locations-service.ts";
import { organizationRepository } from "./organization/organization-repository.ts";
import { getOrganizationStructure, readStructure } from "./organization/organization-service.ts";
import { createUnitType, updateUnitType } from "./organization/unit-types-service.ts";
import { createUnit, updateUnit } from "./organization/units-service.ts";
import { emittingPersonChanged } from "./people/changed-person-service.ts";
import { disablePerson, enablePerson } from "./people/disabling-service.ts";
import { getIdentity } from "./people/identity-service.ts";
import { setLastLoginContext } from "./people/last-login-service.ts";
import { confirmEmail, findPerson, getPerson, readPerson } from "./people/people-service.ts";
import { personRepository } from "./people/person-repository.ts";
import { updatePerson } from "./people/person-update-service.ts";
import { seatRepository } from "./people/seat-repository.ts";
import { leasingRateLimiter } from "./rate-limits/leasing-rate-limiter.ts";
import { memoryRateLimiter } from "./rate-limits/memory-rate-limiter.ts";
import { rateBucketRepository } from "./rate-limits/rate-bucket-repository.ts";
import type { WorkforceSettings } from "./settings.ts";
import type { WorkforceTables } from "./tables.ts";
import { accessRoleRepository } from "./tenants/access-role-repository.ts";
import { createAccessRole, listAccessRolesOfTenant, updateAccessRole } from "./tenants/access-roles-service.ts";
import { tenantRepository } from "./tenants/tenant-repository.ts";
import {
  createTenant,
  getTenant,
  listTenants,
  listTenantsOfInstance,
  readTenant,
  updateTenant,
} from "./tenants/tenants-service.ts";
import { assignManager, assignRole } from "./users/assignments-service.ts";
import { recordSignIn, recordSignInEverywhere } from "./users/first-sign-in-service.ts";
import { emitUsersChanged } from "./users/user-change-service.ts";
import { editUserPermissions } from "./users/user-permissions-service.ts";
import { userRepository } from "./users/user-repository.ts";
import { deleteUser, disableUser, enableUser } from "./users/user-status-service.ts";
import { listUsersOfTenant, readUser } from "./users/users-of-tenant-service.ts";
import { getUser, inviteUser, listUsers } from "./users/users-service.ts";
import { onboardWorker } from "./workers/onboarding-service.ts";
import { detachWorkers, emitWorkersChanged, endWorker, updateWorker } from "./workers/worker-change-service.ts";
import { workerRepository } from "./workers/worker-repository.ts";
import { listWorkersOfTenant, readWorker } from "./workers/workers-of-tenant-service.ts";
import { getPlacedWorker, listJobTitles, listPlacedWorkers, listWorkers } from "./workers/workers-service.ts";
import { workforceChanges } from "./writes-service.ts";

export { workforceMigrations } from "./migrations/index.ts";

export interface WorkforceServicesDeps {
  readonly store: Store;
  readonly clock: Clock;
  readonly random: Random;
  readonly wake: Wake;
  readonly settings: WorkforceSettings;
}

/** Everything that workforce answers: to the edge, to sign-on and webhooks, to the platform and to operators. */
export function workforceServices({ store, clock, random, wake, settings }: WorkforceServicesDeps): {
  readonly registrations: readonly Registration[];
  readonly loops: readonly Loop[];
} {
  const db = store.view<WorkforceTables>();
  const apiKeys = apiKeyRepository(db);
  const uses = keyUses(apiKeys);
  const deps = {
    changes: workforceChanges(createChanges<WorkforceTables>({ store, clock, random, wake })),
    store,
    clock,
    random,
    accessRoles: accessRoleRepository(db),
    apiKeys,
    keyUses: uses,
    rateLimit: { perSecond: settings["gateway-rate-per-second"], burst: settings["gateway-rate-burst"] },
    // An embedded store has one process (R-D3), whose memory is as good; several share their budgets through the store.
    limiter:
      store.dialect === "sqlite" ? memoryRateLimiter(clock) : leasingRateLimiter(rateBucketRepository(db), clock),
    connections: instanceIntegrationRepository(db),
    imports: importRepository(db),
    instances: instanceRepository(db),
    integrations: integrationRepository(db),
    organization: organizationRepository(db),
    people: personRepository(db),
    seats: seatRepository(db),
    tenants: tenantRepository(db),
    users: userRepository(db),
    workers: workerRepository(db),
    // Users and workers show a person: each emits events of its own.
    emitPersonChanged: emittingPersonChanged(emitUsersChanged, emitWorkersChanged),
    detachWorkers,
  };
  const gateway = provingCaller(deps, GatewayService, {
    checkCaller: async () => ({}),
    listInstanceIntegrations: listInstanceIntegrations(deps),
    listTenants: listTenants(deps),
    getTenant: getTenant(deps),
    getUser: getUser(deps),
    listUsers: listUsers(deps),
    listJobTitles: listJobTitles(deps),
    getOrganizationStructure: getOrganizationStructure(deps),
    listWorkers: listWorkers(deps),
    listPlacedWorkers: listPlacedWorkers(deps),
    getPlacedWorker: getPlacedWorker(deps),
  });
  return {
    registrations: [
      registration(GatewayService, gateway),
      registration(SignInService, {
        findPerson: findPerson(deps),
        getPerson: getPerson(deps),
        confirmEmail: confirmEmail(deps),
        recordSignIn: recordSignIn(deps),
        recordSignInEverywhere: recordSignInEverywhere(deps),
        getIdentity: getIdentity(deps),
        getInstance: getInstance(deps),
      }),
      registration(ConnectionsService, { getInstanceIntegration: getInstanceIntegration(deps) }),
      registration(PlatformService, {
        createInstance: createInstance(deps),
        updateInstance: updateInstance(deps),
        createTenant: createTenant(deps),
        updateTenant: updateTenant(deps),
        readTenant: readTenant(deps),
        updatePerson: updatePerson(deps),
        disablePerson: disablePerson(deps),
        enablePerson: enablePerson(deps),
        readPerson: readPerson(deps),
        inviteUser: inviteUser(deps),
        enableUser: enableUser(deps),
        disableUser: disableUser(deps),
        deleteUser: deleteUser(deps),
        assignManager: assignManager(deps),
        assignRole: assignRole(deps),
        editUserPermissions: editUserPermissions(deps),
        readUser: readUser(deps),
        listUsersOfTenant: listUsersOfTenant(deps),
        createAccessRole: createAccessRole(deps),
        updateAccessRole: updateAccessRole(deps),
        listAccessRolesOfTenant: listAccessRolesOfTenant(deps),
        onboardWorker: onboardWorker(deps),
        updateWorker: updateWorker(deps),
        endWorker: endWorker(deps),
        readWorker: readWorker(deps),
        listWorkersOfTenant: listWorkersOfTenant(deps),
        createUnitType: createUnitType(deps),
        updateUnitType: updateUnitType(deps),
        createUnit: createUnit(deps),
        updateUnit: updateUnit(deps),
        createLocation: createLocation(deps),
        deleteLocation: deleteLocation(deps),
        readStructure: readStructure(deps),
        setLastLoginContext: setLastLoginContext(deps),
        listInstances: listInstances(deps),
        listTenantsOfInstance: listTenantsOfInstance(deps),
      }),
      registration(BulkService, {
        importWorkforce: importWorkforce(deps),
        getImport: getImport(deps),
        exportWorkforce: exportWorkforce(deps),
      }),
      registration(OperatorService, {
        createIntegration: createIntegration(deps),
        updateIntegration: updateIntegration(deps),
        listIntegrations: listIntegrations(deps),
        connectIntegration: connectIntegration(deps),
        configureInstanceIntegration: configureInstanceIntegration(deps),
        revokeInstanceIntegration: revokeInstanceIntegration(deps),
        issueApiKey: issueApiKey(deps),
        revokeApiKey: revokeApiKey(deps),
        listApiKeys: listApiKeys(deps),
      }),
    ],
    loops: [keyUsesLoop(uses)],
  };
}
