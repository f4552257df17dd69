import { ConnectionsService } from "#generated/proto/gatehouse/workforce/v1/connections.ts";
import { GatewayService } from "#generated/proto/gatehouse/workforce/v1/gateway.ts";
import { OperatorService } from "#generated/proto/gatehouse/workforce/v1/operator.ts";
import { PlatformService } from "#generated/proto/gatehouse/workforce/v1/platform.ts";
import { SignInService } from "#generated/proto/gatehouse/workforce/v1/sign_in.ts";
import type { Clock } from "#runtime/basis/clock.ts";
import type { Random } from "#runtime/basis/random.ts";
import { createChanges } from "#runtime/changes/change.ts";
import type { Store } from "#runtime/database/database.ts";
import { type Registration, registration } from "#runtime/rpc/call.ts";
import type { Wake } from "#runtime/wake/wake.ts";
import { instanceIntegrationRepository } from "./instance-integrations/instance-integration-repository.ts";
import {
  connectIntegration,
  getInstanceIntegration,
  listInstanceIntegrations,
  listIntegrations,
} from "./instance-integrations/instance-integrations-service.ts";
import { instanceRepository } from "./instances/instance-repository.ts";
import { createInstance, getInstance, listInstances } from "./instances/instances-service.ts";
import { apiKeyRepository } from "./integrations/api-key-repository.ts";
import { issueApiKey, listApiKeys, revokeApiKey } from "./integrations/api-keys-service.ts";
import { provingCaller } from "./integrations/caller.ts";
import { integrationRepository } from "./integrations/integration-repository.ts";
import { createIntegration } from "./integrations/integrations-service.ts";
import { organizationRepository } from "./organization/organization-repository.ts";
import {
  createLocation,
  createUnit,
  createUnitType,
  getOrganizationStructure,
} from "./organization/organization-service.ts";
import { findPerson } from "./people/people-service.ts";
import { personRepository } from "./people/person-repository.ts";
import { getIdentity } from "./seats/identity-service.ts";
import { setLastLoginContext } from "./seats/last-login-service.ts";
import { seatRepository } from "./seats/seat-repository.ts";
import { recordSignIn } from "./seats/sign-in-service.ts";
import type { WorkforceTables } from "./tables.ts";
import { tenantRepository } from "./tenants/tenant-repository.ts";
import { createTenant, getTenant, listTenants, listTenantsOfInstance } from "./tenants/tenants-service.ts";
import { userRepository } from "./users/user-repository.ts";
import { deleteUser, disableUser, enableUser } from "./users/user-status-service.ts";
import { getUser, inviteUser, listUsers } from "./users/users-service.ts";
import { onboardWorker } from "./workers/onboarding-service.ts";
import { workerRepository } from "./workers/worker-repository.ts";
import { getPlacedWorker, listJobTitles, listPlacedWorkers, listWorkers } from "./workers/workers-service.ts";

export { workforceMigrations } from "./migrations/index.ts";

export interface WorkforceServicesDeps {
  readonly store: Store;
  readonly clock: Clock;
  readonly random: Random;
  readonly wake: Wake;
}

/** Everything that workforce answers: to the edge, to sign-on and webhooks, to the platform and to operators. */
export function workforceServices({ store, clock, random, wake }: WorkforceServicesDeps): {
  readonly registrations: readonly Registration[];
} {
  const db = store.view<WorkforceTables>();
  const deps = {
    changes: createChanges<WorkforceTables>({ store, clock, random, wake }),
    clock,
    random,
    apiKeys: apiKeyRepository(db),
    connections: instanceIntegrationRepository(db),
    instances: instanceRepository(db),
    integrations: integrationRepository(db),
    organization: organizationRepository(db),
    people: personRepository(db),
    seats: seatRepository(db),
    tenants: tenantRepository(db),
    users: userRepository(db),
    workers: workerRepository(db),
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
        recordSignIn: recordSignIn(deps),
        getIdentity: getIdentity(deps),
        getInstance: getInstance(deps),
      }),
      registration(ConnectionsService, { getInstanceIntegration: getInstanceIntegration(deps) }),
      registration(PlatformService, {
        createInstance: createInstance(deps),
        createTenant: createTenant(deps),
        inviteUser: inviteUser(deps),
        enableUser: enableUser(deps),
        disableUser: disableUser(deps),
        deleteUser: deleteUser(deps),
        createUnitType: createUnitType(deps),
        createUnit: createUnit(deps),
        createLocation: createLocation(deps),
        onboardWorker: onboardWorker(deps),
        setLastLoginContext: setLastLoginContext(deps),
        listInstances: listInstances(deps),
        listTenantsOfInstance: listTenantsOfInstance(deps),
      }),
      registration(OperatorService, {
        createIntegration: createIntegration(deps),
        listIntegrations: listIntegrations(deps),
        connectIntegration: connectIntegration(deps),
        issueApiKey: issueApiKey(deps),
        revokeApiKey: revokeApiKey(deps),
        listApiKeys: listApiKeys(deps),
      }),
    ],
  };
}
