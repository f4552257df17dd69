import {
  CreateIntegrationRequest,
  CreateIntegrationResponse,
  UpdateIntegrationRequest,
  UpdateIntegrationResponse,
} from "#generated/proto/gatehouse/workforce/v1/operator.ts";
import { newId } from "#runtime/basis/ids.ts";
import type { Random } from "#runtime/basis/random.ts";
import type { Call } from "#runtime/rpc/call.ts";
import { unknownReference } from "../failures.ts";
import { LENGTHS, readWrite } from "../request-fields.ts";
import { repeatable, type WorkforceChanges } from "../writes-service.ts";
import { type Integration, integrationRepository } from "./integration-repository.ts";

interface IntegrationsDeps {
  readonly changes: WorkforceChanges;
  readonly random: Random;
}

export const createIntegration =
  ({ changes, random }: IntegrationsDeps) =>
  async (request: CreateIntegrationRequest, call: Call): Promise<CreateIntegrationResponse> => {
    const { name } = readWrite(request, (fields) => ({
      name: fields.text("name", request.name, LENGTHS.name),
    }));
    return changes.run(
      async ({ db, at, wrote }) => {
        const integration: Integration = { id: newId("integration", random), name, createdAt: at };
        await integrationRepository(db).create(integration);
        return wrote("integration.create", { actor: call.actor, object: integration.id }, { integration });
      },
      repeatable(request, call, CreateIntegrationRequest, CreateIntegrationResponse),
    );
  };

/**
 * Renames an integration. Nothing public shows its name, so no entity tag changes.
 * @throws NOT_FOUND (integration_not_found).
 */
export const updateIntegration =
  ({ changes }: IntegrationsDeps) =>
  async (request: UpdateIntegrationRequest, call: Call): Promise<UpdateIntegrationResponse> => {
    const { id, name } = readWrite(request, (fields) => {
      const named = fields.mask(request.updateMask, ["name"]);
      return {
        id: fields.id("integration_id", "integration", request.integrationId),
        name: named.has("name") ? fields.text("name", request.name, LENGTHS.name) : undefined,
      };
    });
    return changes.run(
      async ({ db, unchanged, wrote }) => {
        const integrations = integrationRepository(db);
        const present = await integrations.lock(id);
        if (present === undefined) throw unknownReference("integration", "integration_id", id);
        if (name === undefined || name === present.name) return unchanged({ integration: present });
        await integrations.rename(id, name);
        const integration = { ...present, name };
        return wrote("integration.update", { actor: call.actor, object: id }, { integration });
      },
      repeatable(request, call, UpdateIntegrationRequest, UpdateIntegrationResponse),
    );
  };
