import {
  type InstanceIntegrationStanding,
  InstanceIntegrationState,
} from "#generated/proto/gatehouse/workforce/v1/connections.ts";
import {
  ConfigureInstanceIntegrationRequest,
  ConfigureInstanceIntegrationResponse,
  RevokeInstanceIntegrationRequest,
  RevokeInstanceIntegrationResponse,
} from "#generated/proto/gatehouse/workforce/v1/operator.ts";
import type { InstanceIntegrationId } from "#runtime/basis/ids.ts";
import type { Call } from "#runtime/rpc/call.ts";
import { unknownReference } from "../failures.ts";
import { integrationRepository } from "../integrations/integration-repository.ts";
import { readWrite } from "../request-fields.ts";
import { type Ended, repeatable, type WorkforceChange, type WorkforceChanges } from "../writes-service.ts";
import { type InstanceIntegration, instanceIntegrationRepository } from "./instance-integration-repository.ts";

interface ConnectionStateDeps {
  readonly changes: WorkforceChanges;
}

/**
 * Marks an instance integration as configured or not (R-G5), and notifies its subscriptions through webhooks (R-E14).
 * Changes nothing if it already has that state.
 * @throws NOT_FOUND (instance_integration_not_found).
 */
export const configureInstanceIntegration =
  ({ changes }: ConnectionStateDeps) =>
  async (request: ConfigureInstanceIntegrationRequest, call: Call): Promise<ConfigureInstanceIntegrationResponse> => {
    const id = readId(request);
    return changes.run(
      async (change) => {
        const present = await lockConnection(change, id);
        return setConfigured(change, call, present, request.configured);
      },
      repeatable(request, call, ConfigureInstanceIntegrationRequest, ConfigureInstanceIntegrationResponse),
    );
  };

/**
 * Ends an instance integration for good: no look-up finds it any more, its subscriptions are notified (R-E14), and a
 * new one of the same two gets another id. Returns its last state.
 * @throws NOT_FOUND (instance_integration_not_found), also when it is revoked already.
 */
export const revokeInstanceIntegration =
  ({ changes }: ConnectionStateDeps) =>
  async (request: RevokeInstanceIntegrationRequest, call: Call): Promise<RevokeInstanceIntegrationResponse> => {
    const id = readId(request);
    return changes.run(
      async (change) => {
        const present = await lockConnection(change, id);
        const { integrationId, instance } = present;
        await instanceIntegrationRepository(change.db).delete(id);
        const facts = { integrationId, instanceId: instance.id };
        const written = { actor: call.actor, object: id, facts, integrations: [integrationId] };
        await change.note("instanceIntegration.revoke", written);
        await emitState(change, present, InstanceIntegrationState.REVOKED);
        return change.ended({ instanceIntegration: present });
      },
      repeatable(request, call, RevokeInstanceIntegrationRequest, RevokeInstanceIntegrationResponse),
    );
  };

/** Within a change that has locked the integration. */
export async function setConfigured(
  change: WorkforceChange,
  call: Call,
  present: InstanceIntegration,
  configured: boolean,
): Promise<Ended<{ instanceIntegration: InstanceIntegration }>> {
  if (present.configured === configured) return change.unchanged({ instanceIntegration: present });
  const { db, at, note, ended } = change;
  await instanceIntegrationRepository(db).setConfigured(present.id, configured, at);
  const name = configured ? "instanceIntegration.configure" : "instanceIntegration.unconfigure";
  await note(name, { actor: call.actor, object: present.id, integrations: [present.integrationId] });
  await emitState(change, present, InstanceIntegrationState[configured ? "CONFIGURED" : "UNCONFIGURED"]);
  return ended({ instanceIntegration: { ...present, configured, updatedAt: at } });
}

const readId = (request: { readonly requestId: string; readonly instanceIntegrationId: string }) =>
  readWrite(request, (fields) =>
    fields.id("instance_integration_id", "instanceIntegration", request.instanceIntegrationId),
  );

/** The instance integration as read after locking its integration, so that such writes take turns. */
async function lockConnection({ db }: WorkforceChange, id: InstanceIntegrationId): Promise<InstanceIntegration> {
  const connections = instanceIntegrationRepository(db);
  const seen = await connections.find(id);
  const locked = seen && (await integrationRepository(db).lock(seen.integrationId));
  const present = locked && (await connections.find(id));
  if (!present) throw unknownReference("instance_integration", "instance_integration_id", id);
  return present;
}

/**
 * Sends the state of a connection to webhooks, not to subscribers (R-E14). Its revision rises with each such entry of
 * an integration, in the order of the commits: the write has been recorded by now.
 */
async function emitState(
  { db, emit }: WorkforceChange,
  { id, integrationId, instance }: InstanceIntegration,
  state: InstanceIntegrationState,
): Promise<void> {
  const revision = await integrationRepository(db).findRevision(integrationId);
  if (revision === undefined) throw new Error("A connection's integration is not there.");
  const present: InstanceIntegrationStanding = { state, revision };
  await emit({
    internal: true,
    eventType: "instanceIntegration.standing",
    entity: { type: "instanceIntegration", id },
    instanceId: instance.id,
    tenantId: null,
    data: { ...present },
    selfPath: "",
  });
}
