import {
  CreateIntegrationRequest,
  CreateIntegrationResponse,
} from "#generated/proto/gatehouse/workforce/v1/operator.ts";
import { newId } from "#runtime/basis/ids.ts";
import type { Random } from "#runtime/basis/random.ts";
import type { Changes } from "#runtime/changes/change.ts";
import type { Call } from "#runtime/rpc/call.ts";
import { repeatable } from "../repeatable.ts";
import { LENGTHS, readWrite } from "../request-fields.ts";
import type { WorkforceTables } from "../tables.ts";
import { type Integration, integrationRepository } from "./integration-repository.ts";

export interface IntegrationsDeps {
  readonly changes: Changes<WorkforceTables>;
  readonly random: Random;
}

export const createIntegration =
  ({ changes, random }: IntegrationsDeps) =>
  async (request: CreateIntegrationRequest, call: Call): Promise<CreateIntegrationResponse> => {
    const { name } = readWrite(request, (fields) => ({
      name: fields.text("name", request.name, LENGTHS.name),
    }));
    return changes.run(
      async ({ db, at, audit }) => {
        const integration: Integration = { id: newId("integration", random), name, createdAt: at };
        await integrationRepository(db).create(integration);
        await audit({ actor: call.peer, action: "integration.create", object: integration.id });
        return { integration };
      },
      repeatable(request, call, CreateIntegrationRequest, CreateIntegrationResponse),
    );
  };
