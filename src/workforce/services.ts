import { BulkService } from "#generated/proto/gatehouse/workforce/v1/bulk.ts";
import { CallersService } from "#generated/proto/gatehouse/workforce/v1/callers.ts";
import { ConnectionsService } from "#generated/proto/gatehouse/workforce/v1/connections.ts";
import { ErasureService } from "#generated/proto/gatehouse/workforce/v1/erasure.ts";
import { GatewayService } from "#generated/proto/gatehouse/workforce/v1/gateway.ts";
import { OperatorService } from "#generated/proto/gatehouse/workforce/v1/operator.ts";
import { PlatformService } from "#generated/proto/gatehouse/workforce/v1/platform.ts";
import { SignInService } from "#generated/proto/gatehouse/workforce/v1/sign_in.ts";
import type { Clock } from "#runtime/basis/clock.ts";
import { MINUTE_MS } from "#runtime/basis/durations.ts";
import { type ChangesDeps, createChanges } from "#runtime/changes/change.ts";
import { queuedChanges } from "#runtime/changes/queued-changes.ts";
import type { Eraser } from "#runtime/erasure/erasures.ts";
import { lastUses, lastUsesLoop } from "#runtime/process/last-uses.ts";
import type { Loop } from "#runtime/process/loop.ts";
import { refusalLoop, writeRefusals } from "#runtime/refusals/refusal-loop.ts";
import { refusalNotes } from "#runtime/refusals/refusal-notes.ts";
import { type Registration, registration } from "#runtime/rpc/call.ts";
import { exportWorkforce } from "./bulk/export-service.ts";
import { importRepository } from "./bulk/import-repository.ts";
import { getImport, importWorkforce } from "./bulk/import-service.ts";
import { erase, readErasure } from "./erasure/erasure-service.ts";
import { tenantEraser } from "./erasure/tenant-erasure-service.ts";
import { kindOf } from "./gateway-refusals/gateway-refusal.ts";
import { gatewayRefusalRepository } from "./gateway-refusals/gateway-refusal-repository.ts";
import {
  explainGatewayRefusal,
  listGatewayRefusals,
  noteRefusal,
  notingAdmissions,
  notingGatewayRefusals,
} from "./gateway-refusals/gateway-refusals-service.ts";
import {
  configureInstanceIntegration,
  revokeInstanceIntegration,
} from "./instance-integrations/connection-state-service.ts";
import { instanceIntegrationRepository } from "./instance-integrations/instance-integration-repository.ts";
import {
  connectIntegration,
  getInstanceIntegration,
  listForeign,
  listInstanceIntegrations,
  listIntegrations,
} from "./instance-integrations/instance-integrations-service.ts";
import { instanceRepository } from "./instances/instance-repository.ts";
import { createInstance, getInstance, listInstances, updateInstance } from "./instances/instances-service.ts";
import { apiKeyRepository } from "./integrations/api-key-repository.ts";
import { findApiKey, issueApiKey, listApiKeys, revokeApiKey } from "./integrations/api-keys-service.ts";
import { provingCaller } from "./integrations/caller.ts";
import { admitCaller } from "./integrations/callers-service.ts";
import { callingKeyRepository } from "./integrations/calling-key-repository.ts";
import { integrationRepository } from "./integrations/integration-repository.ts";
import { createIntegration, updateIntegration } from "./integrations/integrations-service.ts";
import { nameRepository } from "./names/name-repository.ts";
import { findNamed, readNames } from "./names/names-service.ts";
import { createLocation, deleteLocation } from "./organization/locations-service.ts";
import { organizationRepository } from "./organization/organization-repository.ts";
import { getOrganizationStructure, readStructure } from "./organization/organization-service.ts";
import { createUnitType, updateUnitType } from "./organization/unit-types-service.ts";
import { createUnit, updateUnit } from "./organization/units-service.ts";
import { emittingPersonChanged } from "./people/changed-person-service.ts";
import { describePerson } from "./people/describe-person-service.ts";
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
import { inEpoch } from "./revision-epoch.ts";
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
import { getUser, inviteUser, listUsers, listUsersOfTenant, readUser } from "./users/users-service.ts";
import { onboardWorker } from "./workers/onboarding-service.ts";
import { detachWorkers, emitWorkersChanged, endWorker, updateWorker } from "./workers/worker-change-service.ts";
import { workerRepository } from "./workers/worker-repository.ts";
import {
  getPlacedWorker,
  listJobTitles,
  listPlacedWorkers,
  listWorkers,
  listWorkersOfTenant,
  readWorker,
} from "./workers/workers-service.ts";
import { workforceChanges } from "./writes-service.ts";

export { ERASABLE_TABLES } from "./erasure/erasable.ts";
export { workforceMigrations } from "./migrations/index.ts";
export { workforceUpkeep } from "./upkeep.ts";

interface WorkforceServicesDeps extends ChangesDeps {
  /** By which rows are removed for good. */
  readonly sweepClock: Clock;
  readonly settings: WorkforceSettings;
  /** The store's: revisions of an earlier one are not those of now. */
  readonly epoch: { readonly epoch: number; readonly epochBeganAt: Date };
}

/** Everything that workforce answers: to the edge, to sign-on and webhooks, to the platform and to operators. */
export function workforceServices({ store, clock, sweepClock, random, wake, settings, epoch }: WorkforceServicesDeps): {
  readonly registrations: readonly Registration[];
  readonly loops: readonly Loop[];
  readonly erasers: readonly Eraser[];
  /** Writes what calls have noted since the loops ended. To be called once no call comes any more. */
  writeNotes(): Promise<void>;
} {
  const db = store.view<WorkforceTables>();
  const apiKeys = apiKeyRepository(db);
  const uses = lastUses(apiKeys.recordUses);
  const storeChanges = createChanges<WorkforceTables>({ store, clock, random, wake });
  const changes = workforceChanges(queuedChanges(store, storeChanges));
  // A sign-in and the loop of erasures do not wait behind what the platform writes.
  const unqueued = workforceChanges(storeChanges);
  const accessRoles = accessRoleRepository(db);
  const connections = instanceIntegrationRepository(db);
  const imports = importRepository(db);
  const instances = instanceRepository(db);
  const integrations = integrationRepository(db);
  const names = nameRepository(db);
  const organization = organizationRepository(db);
  const people = personRepository(db);
  const seats = seatRepository(db);
  const tenants = tenantRepository(db);
  const users = userRepository(db);
  const workers = workerRepository(db);
  // Users and workers show a person: each emits events of its own.
  const emitPersonChanged = emittingPersonChanged(emitUsersChanged, emitWorkersChanged);
  const rateLimit = { perSecond: settings["gateway-rate-per-second"], burst: settings["gateway-rate-burst"] };
  // An embedded store has one process (R-D3), whose memory is as good; several share their budgets through the store.
  const limiter =
    store.dialect === "sqlite" ? memoryRateLimiter(clock) : leasingRateLimiter(rateBucketRepository(db), clock);

  // What the methods of one subject are given.
  const ofInstances = { instances, changes, random };
  const ofTenants = { instances, tenants, changes, random };
  const ofUsers = { users, changes, random };
  const ofConnections = { connections, integrations, changes, random };
  const ofAccessRoles = { accessRoles, tenants, changes };
  const ofApiKeys = { apiKeys, integrations, changes, clock, random };
  const ofImports = { imports, changes, clock, sweepClock, random, emitPersonChanged };
  const ofLocations = { changes, random, detachWorkers };

  const gatewayNotes = refusalNotes(clock, kindOf);
  const ofGatewayRefusals = { notes: gatewayNotes, refusals: gatewayRefusalRepository(db) };
  const ofCallers = { callingKeys: callingKeyRepository(db), clock, limiter, rateLimit, keyUses: uses };
  const noting = { notes: gatewayNotes, clock };
  const gateway = provingCaller(ofCallers, GatewayService, {
    checkCaller: async () => ({}),
    listInstanceIntegrations: listInstanceIntegrations(ofConnections),
    listTenants: listTenants(ofTenants),
    getTenant: getTenant(ofTenants),
    getUser: getUser(ofUsers),
    listUsers: listUsers(ofUsers),
    listJobTitles: listJobTitles({ workers }),
    getOrganizationStructure: getOrganizationStructure({ organization }),
    listWorkers: listWorkers({ workers }),
    listPlacedWorkers: listPlacedWorkers({ workers }),
    getPlacedWorker: getPlacedWorker({ workers }),
  });
  return {
    registrations: [
      registration(GatewayService, notingGatewayRefusals(noting, inEpoch(epoch, gateway))),
      registration(SignInService, {
        findPerson: findPerson({ people }),
        getPerson: getPerson({ people }),
        confirmEmail: confirmEmail({ changes: unqueued }),
        recordSignIn: recordSignIn({ changes: unqueued, seats }),
        recordSignInEverywhere: recordSignInEverywhere({ changes: unqueued, seats }),
        getIdentity: getIdentity({ seats }),
        describePerson: describePerson({ people, seats }),
        getInstance: getInstance(ofInstances),
      }),
      registration(CallersService, {
        admitCaller: notingAdmissions(noting, admitCaller(ofCallers)),
        noteRefusal: noteRefusal(noting),
      }),
      registration(ConnectionsService, {
        getInstanceIntegration: getInstanceIntegration({ connections, tenants }),
        listForeign: listForeign({ connections, tenants }),
      }),
      registration(PlatformService, {
        createInstance: createInstance(ofInstances),
        updateInstance: updateInstance(ofInstances),
        createTenant: createTenant(ofTenants),
        updateTenant: updateTenant(ofTenants),
        readTenant: readTenant(ofTenants),
        updatePerson: updatePerson({ changes, emitPersonChanged }),
        disablePerson: disablePerson({ changes }),
        enablePerson: enablePerson({ changes }),
        readPerson: readPerson({ people }),
        inviteUser: inviteUser(ofUsers),
        enableUser: enableUser({ changes }),
        disableUser: disableUser({ changes }),
        deleteUser: deleteUser({ changes }),
        assignManager: assignManager({ changes }),
        assignRole: assignRole({ changes }),
        editUserPermissions: editUserPermissions({ changes }),
        readUser: readUser({ tenants, users }),
        listUsersOfTenant: listUsersOfTenant({ tenants, users }),
        createAccessRole: createAccessRole(ofAccessRoles),
        updateAccessRole: updateAccessRole(ofAccessRoles),
        listAccessRolesOfTenant: listAccessRolesOfTenant(ofAccessRoles),
        onboardWorker: onboardWorker({ changes, random, emitPersonChanged }),
        updateWorker: updateWorker({ changes }),
        endWorker: endWorker({ changes }),
        readWorker: readWorker({ tenants, workers }),
        listWorkersOfTenant: listWorkersOfTenant({ tenants, workers }),
        createUnitType: createUnitType({ changes, random }),
        updateUnitType: updateUnitType({ changes, random }),
        createUnit: createUnit({ changes, random }),
        updateUnit: updateUnit({ changes, random }),
        createLocation: createLocation(ofLocations),
        deleteLocation: deleteLocation(ofLocations),
        readStructure: readStructure({ organization, tenants }),
        setLastLoginContext: setLastLoginContext({ changes }),
        listInstances: listInstances(ofInstances),
        listTenantsOfInstance: listTenantsOfInstance(ofTenants),
      }),
      registration(BulkService, {
        importWorkforce: importWorkforce(ofImports),
        getImport: getImport(ofImports),
        exportWorkforce: exportWorkforce({
          store,
          limits: {
            pauseMs: settings["export-pause-seconds"] * 1_000,
            wholeMs: settings["export-longest-minutes"] * MINUTE_MS,
          },
        }),
      }),
      registration(ErasureService, { readErasure: readErasure({ db }), erase: erase({ db, changes, random }) }),
      registration(OperatorService, {
        createIntegration: createIntegration({ changes, random }),
        updateIntegration: updateIntegration({ changes, random }),
        listIntegrations: listIntegrations(ofConnections),
        connectIntegration: connectIntegration(ofConnections),
        configureInstanceIntegration: configureInstanceIntegration({ changes }),
        revokeInstanceIntegration: revokeInstanceIntegration({ changes }),
        issueApiKey: issueApiKey(ofApiKeys),
        revokeApiKey: revokeApiKey(ofApiKeys),
        listApiKeys: listApiKeys(ofApiKeys),
        findApiKey: findApiKey(ofApiKeys),
        explainGatewayRefusal: explainGatewayRefusal({ ...ofGatewayRefusals, apiKeys, integrations }),
        listGatewayRefusals: listGatewayRefusals(ofGatewayRefusals),
        getGatewayUrl: async () => ({ gatewayUrl: settings["gateway-url"] ?? null }),
        findNamed: findNamed({ names }),
        readNames: readNames({ names }),
      }),
    ],
    loops: [
      lastUsesLoop("api-key-uses", uses),
      refusalLoop("gateway-refusals", { ...ofGatewayRefusals, clock: sweepClock }),
    ],
    erasers: [tenantEraser({ db, changes: unqueued, random })],
    async writeNotes() {
      await Promise.all([uses.flush(), writeRefusals(ofGatewayRefusals)]);
    },
  };
}
