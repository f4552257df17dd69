import type { Command } from "commander";
import type { Instance } from "#generated/proto/gatehouse/workforce/v1/workforce.ts";
import { present } from "../../connection/answers.ts";
import type { Verb } from "../../connection/verb.ts";
import { allInstances } from "../../connection/whole-lists.ts";
import { requestIdOption } from "../../input/flags.ts";
import { instanceId } from "../../input/references.ts";
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

  noun
    .command("rename")
    .summary("rename an instance")
    .argument("<instance>", "its id or name")
    .requiredOption("--name <text>", "its new name")
    .addOption(requestIdOption())
    .action(
      verb<{ name: string }>(
        async (asked, { name }, given = "") => {
          const request = {
            requestId: asked.requestId,
            instanceId: await instanceId(asked, given),
            updateMask: ["name"],
            name,
          };
          const instance = present((await asked.platform.updateInstance(request, asked.call)).instance);
          return one(toInstanceJson(instance), instanceFacts(instance), {
            said: "The instance is renamed; integrations see the new name in their lists.",
            next: run`gatehouse instances list`,
          });
        },
        { instance_id: "<instance>", name: "--name" },
      ),
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
