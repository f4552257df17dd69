import { InstanceIntegrationState } from "#generated/proto/gatehouse/workforce/v1/connections.ts";
import {
  ConfigureInstanceIntegrationRequest,
  ConfigureInstanceIntegrationResponse,
  RevokeInstanceIntegrationRequest,
  RevokeInstanceIntegrationResponse,
} from "#generated/proto/gatehouse/workforce/v1/operator.ts";
import type { InstanceIntegrationId } from "#runtime/basis/ids.ts";
import type { Change, Changes } from "#runtime/changes/change.ts";
import type { Call } from "#runtime/rpc/call.ts";
import { integrationRepository } from "../integrations/integration-repository.ts";
import { unknownReference } from "../refusals.ts";
import { repeatable } from "../repeatable.ts";
import { readWrite } from "../request-fields.ts";
import type { WorkforceTables } from "../tables.ts";
import { type InstanceIntegration, instanceIntegrationRepository } from "./instance-integration-repository.ts";
import { standingEntry } from "./standing-entry.ts";

export interface ConnectionStateDeps {
  readonly changes: Changes<WorkforceTables>;
}

/**
 * Marks an instance integration as configured or not (R-G5), and has its subscriptions told (R-E14). What is so already stays as it is.
 * @throws NOT_FOUND (instance_integration_not_found).
 */
export const configureInstanceIntegration =
  ({ changes }: ConnectionStateDeps) =>
  async (request: ConfigureInstanceIntegrationRequest, call: Call): Promise<ConfigureInstanceIntegrationResponse> => {
    const id = readId(request);
    return changes.run(
      async (change) => {
        const present = await enterConnection(change, id);
        return { instanceIntegration: await setConfigured(change, call, present, request.configured) };
      },
      repeatable(request, call, ConfigureInstanceIntegrationRequest, ConfigureInstanceIntegrationResponse),
    );
  };

/**
 * Ends an instance integration for good: nothing finds it any more, its subscriptions are told (R-E14), and a new one of the same two gets
 * another id. Answers with what it was.
 * @throws NOT_FOUND (instance_integration_not_found), also when it is revoked already.
 */
export const revokeInstanceIntegration =
  ({ changes }: ConnectionStateDeps) =>
  async (request: RevokeInstanceIntegrationRequest, call: Call): Promise<RevokeInstanceIntegrationResponse> => {
    const id = readId(request);
    return changes.run(
      async (change) => {
        const present = await enterConnection(change, id);
        const { integrationId, instance } = present;
        await instanceIntegrationRepository(change.db).delete(id);
        await tell(change, present, InstanceIntegrationState.INSTANCE_INTEGRATION_STATE_REVOKED);
        await change.audit({
          actor: call.peer,
          action: "instanceIntegration.revoke",
          object: id,
          facts: { integrationId, instanceId: instance.id },
        });
        return { instanceIntegration: present };
      },
      repeatable(request, call, RevokeInstanceIntegrationRequest, RevokeInstanceIntegrationResponse),
    );
  };

/** Within a change that has locked the integration. */
export async function setConfigured(
  change: Change<WorkforceTables>,
  call: Call,
  present: InstanceIntegration,
  configured: boolean,
): Promise<InstanceIntegration> {
  if (present.configured === configured) return present;
  const { db, at, audit } = change;
  await instanceIntegrationRepository(db).setConfigured(present.id, configured, at);
  const { INSTANCE_INTEGRATION_STATE_CONFIGURED, INSTANCE_INTEGRATION_STATE_UNCONFIGURED } = InstanceIntegrationState;
  const state = configured ? INSTANCE_INTEGRATION_STATE_CONFIGURED : INSTANCE_INTEGRATION_STATE_UNCONFIGURED;
  await tell(change, present, state);
  const action = configured ? "instanceIntegration.configure" : "instanceIntegration.unconfigure";
  await audit({ actor: call.peer, action, object: present.id });
  return { ...present, configured, updatedAt: at };
}

const readId = (request: { readonly requestId: string; readonly instanceIntegrationId: string }) =>
  readWrite(request, (fields) =>
    fields.id("instance_integration_id", "instanceIntegration", request.instanceIntegrationId),
  );

/** The instance integration as it is now that its integration is locked: such writes take turns. */
async function enterConnection(
  { db }: Change<WorkforceTables>,
  id: InstanceIntegrationId,
): Promise<InstanceIntegration> {
  const connections = instanceIntegrationRepository(db);
  const seen = await connections.find(id);
  const locked = seen && (await integrationRepository(db).lock(seen.integrationId));
  const present = locked && (await connections.find(id));
  if (!present) throw unknownReference("instance_integration", "instance_integration_id", id);
  return present;
}

/** The revision that goes along rises with each such entry of an integration, in the order of the commits. */
async function tell(
  { db, emit }: Change<WorkforceTables>,
  connection: InstanceIntegration,
  state: InstanceIntegrationState,
): Promise<void> {
  const integrations = integrationRepository(db);
  await integrations.raiseRevision(connection.integrationId);
  const revision = await integrations.findRevision(connection.integrationId);
  if (revision === undefined) throw new Error("A connection's integration is not there.");
  await emit(standingEntry(connection, state, revision));
}
