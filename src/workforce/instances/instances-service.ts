import {
  CreateInstanceRequest,
  CreateInstanceResponse,
  type ListInstancesRequest,
  type ListInstancesResponse,
  UpdateInstanceRequest,
  UpdateInstanceResponse,
} from "#generated/proto/gatehouse/workforce/v1/platform.ts";
import type { GetInstanceRequest, GetInstanceResponse } from "#generated/proto/gatehouse/workforce/v1/sign_in.ts";
import { newId, parseId } from "#runtime/basis/ids.ts";
import { cutPage } from "#runtime/basis/paged-list.ts";
import type { Random } from "#runtime/basis/random.ts";
import type { Call } from "#runtime/rpc/call.ts";
import { unknownReference } from "../failures.ts";
import { readBoundedPage } from "../page.ts";
import { LENGTHS, readWrite } from "../request-fields.ts";
import { repeatable, type WorkforceChanges } from "../writes-service.ts";
import type { Instance } from "./instance.ts";
import { type InstanceRepository, instanceRepository } from "./instance-repository.ts";

interface InstancesDeps {
  readonly instances: InstanceRepository;
  readonly changes: WorkforceChanges;
  readonly random: Random;
}

export const createInstance =
  ({ changes, random }: InstancesDeps) =>
  async (request: CreateInstanceRequest, call: Call): Promise<CreateInstanceResponse> => {
    const { name } = readWrite(request, (fields) => ({
      name: fields.text("name", request.name, LENGTHS.name),
    }));
    return changes.run(
      async ({ db, at, wrote }) => {
        const instance: Instance = { id: newId("instance", random), name, createdAt: at };
        await instanceRepository(db).create(instance);
        return wrote("instance.create", { actor: call.actor, object: instance.id }, { instance });
      },
      repeatable(request, call, CreateInstanceRequest, CreateInstanceResponse),
    );
  };

/**
 * Renames an instance. Its integrations' lists of connections show the name, so their revisions rise too (R-G10).
 * @throws NOT_FOUND (instance_not_found).
 */
export const updateInstance =
  ({ changes }: InstancesDeps) =>
  async (request: UpdateInstanceRequest, call: Call): Promise<UpdateInstanceResponse> => {
    const { instanceId, name } = readWrite(request, (fields) => {
      fields.mask(request.updateMask, ["name"]);
      return {
        instanceId: fields.id("instance_id", "instance", request.instanceId),
        name: fields.text("name", request.name, LENGTHS.name),
      };
    });
    return changes.run(
      async ({ db, unchanged, wrote }) => {
        const instances = instanceRepository(db);
        const before = await instances.lock(instanceId);
        if (!before) throw unknownReference("instance", "instance_id", instanceId);
        if (before.name === name) return unchanged({ instance: before });
        await instances.replaceName(instanceId, name);
        const shownBy = { instances: [instanceId], integrationsOf: instanceId };
        const written = { actor: call.actor, object: instanceId, facts: { fields: "name" }, ...shownBy };
        return wrote("instance.update", written, { instance: { ...before, name } });
      },
      repeatable(request, call, UpdateInstanceRequest, UpdateInstanceResponse),
    );
  };

/** Lists the instances by creation time, then id, a page at a time. */
export const listInstances =
  ({ instances }: InstancesDeps) =>
  async (request: ListInstancesRequest): Promise<ListInstancesResponse> => {
    const page = readBoundedPage(request, "instance");
    const { entries, next } = cutPage(await instances.listPage(page), page, (instance) => instance);
    return { instances: entries, next };
  };

/** @throws NOT_FOUND (instance_not_found). */
export const getInstance =
  ({ instances }: InstancesDeps) =>
  async ({ instanceId }: GetInstanceRequest): Promise<GetInstanceResponse> => {
    const id = parseId("instance", instanceId);
    const instance = id && (await instances.find(id));
    if (!instance) throw unknownReference("instance", "instance_id", instanceId);
    return { instanceId: instance.id, name: instance.name };
  };
