import type { Command } from "commander";
import type { Instance } from "#generated/proto/gatehouse/workforce/v1/workforce.ts";
import { present } from "../../connection/answers.ts";
import type { Verb } from "../../connection/verb.ts";
import { allInstances } from "../../connection/whole-lists.ts";
import { newNameOption, requestIdOption } from "../../input/flags.ts";
import { INSTANCE } from "../../input/subjects.ts";
import { verbOfOne } from "../../input/verb-of-one.ts";
import { run } from "../../output/advice.ts";
import { toJsonInstant, toShownInstant } from "../../output/instant.ts";
import { many, one } from "../../output/outcome.ts";

/** `gatehouse instances …` */
export function addInstances(program: Command, verb: Verb): void {
  const noun = program.command("instances").summary("deployments of the platform");

  noun
    .command("create")
    .summary("create an instance")
    .requiredOption("--name <text>", "its name")
    .addOption(requestIdOption())
    .action(
      verb<{ name: string }>(async ({ platform, requestId, call }, { name }) => {
        const instance = present((await platform.createInstance({ requestId, name }, call)).instance);
        return one(toInstanceJson(instance), instanceFacts(instance), {
          said: "The instance is created.",
          next: run`gatehouse tenants create --instance ${instance.id} --name …`,
        });
      }),
    );

  verbOfOne(noun, verb, INSTANCE)<{ name: string }>(
    "rename",
    "rename an instance",
    async ({ platform, requestId, call }, instanceId, { name }) => {
      const request = { requestId, instanceId, updateMask: ["name"], name };
      const instance = present((await platform.updateInstance(request, call)).instance);
      return one(toInstanceJson(instance), instanceFacts(instance), {
        said: "The instance is renamed; integrations see the new name in their lists.",
        next: run`gatehouse instances list`,
      });
    },
    newNameOption(),
    requestIdOption(),
  );

  noun
    .command("list")
    .summary("list the instances, oldest first")
    .action(
      verb(async (asked) => {
        const instances = await allInstances(asked);
        const columns = [
          { heading: "name", cell: ({ name }: Instance) => name },
          { heading: "id", cell: ({ id }: Instance) => id },
          { heading: "created", cell: ({ createdAt }: Instance) => toShownInstant(createdAt) },
        ];
        return many({ instances: instances.map(toInstanceJson) }, instances, columns, {
          ifNone: { said: "There are no instances yet.", next: run`gatehouse instances create --name …` },
        });
      }),
    );
}

export const toInstanceJson = ({ id, name, createdAt }: Instance) => ({
  id,
  name,
  createdAt: toJsonInstant(createdAt),
});

const instanceFacts = ({ id, name, createdAt }: Instance) =>
  [
    ["id", id],
    ["name", name],
    ["created", toShownInstant(createdAt)],
  ] as const;
