import type { Command } from "commander";
import type { IntegrationWithConnections } from "#generated/proto/gatehouse/workforce/v1/operator.ts";
import type { InstanceIntegration, Integration } from "#generated/proto/gatehouse/workforce/v1/workforce.ts";
import { present } from "../../connection/answers.ts";
import { type Names, namesOf } from "../../connection/names.ts";
import type { Asked, Verb } from "../../connection/verb.ts";
import { allIntegrations } from "../../connection/whole-lists.ts";
import { newNameOption, requestIdOption, yesOption } from "../../input/flags.ts";
import { type ConsentOptions, confirmed } from "../../input/questions.ts";
import { instanceId, integrationId } from "../../input/references.ts";
import { INSTANCE_INTEGRATION, INTEGRATION } from "../../input/subjects.ts";
import { verbOfOne } from "../../input/verb-of-one.ts";
import { run } from "../../output/advice.ts";
import { toJsonInstant, toShownInstant } from "../../output/instant.ts";
import { many, type OutcomeWords, one } from "../../output/outcome.ts";
import { plain } from "../../output/terminal-text.ts";
import { toInstanceJson } from "../tenants/instances.ts";

/** `gatehouse integrations …` */
export function addIntegrations(program: Command, verb: Verb): void {
  const noun = program
    .command("integrations")
    .summary("external parties that own API keys, and their instance integrations");

  noun
    .command("create")
    .summary("create an integration")
    .requiredOption("--name <text>", "its name")
    .addOption(requestIdOption())
    .action(
      verb<{ name: string }>(async ({ workforce, requestId, call }, { name }) => {
        const integration = present((await workforce.createIntegration({ requestId, name }, call)).integration);
        return one(toIntegrationJson(integration), integrationFacts(integration), {
          said: "The integration is created.",
          next: run`gatehouse integrations connect --integration ${integration.id} --instance … --configured`,
        });
      }),
    );

  noun
    .command("list")
    .summary("list the integrations with their instance integrations, oldest first")
    .action(
      verb(async (asked) => {
        const integrations = await allIntegrations(asked);
        return many({ integrations: integrations.map(toListedJson) }, integrations.flatMap(toRows), LIST_COLUMNS, {
          ifNone: { said: "There are no integrations yet.", next: run`gatehouse integrations create --name …` },
        });
      }),
    );

  noun
    .command("connect")
    .summary("connect an integration with an instance: makes an instance integration")
    .requiredOption("--integration <id or name>", "the integration")
    .requiredOption("--instance <id or name>", "the instance")
    .option(
      "--configured",
      "the set-up is finished; until then the gateway answers “Instance integration not configured”",
    )
    .addOption(requestIdOption())
    .action(
      verb<{ integration: string; instance: string; configured?: boolean }>(
        async (asked, options) => {
          const { workforce, requestId, call } = asked;
          const request = {
            requestId,
            integrationId: await integrationId(asked, options.integration),
            instanceId: await instanceId(asked, options.instance),
            configured: options.configured ?? false,
          };
          const made = present((await workforce.connectIntegration(request, call)).instanceIntegration);
          return shownInstanceIntegration(asked, made, {
            said: "The integration is connected.",
            next: made.configured
              ? run`gatehouse api-keys issue --integration ${made.integrationId} --label …`
              : run`gatehouse integrations configure ${made.id}`,
          });
        },
        { integration_id: "--integration", instance_id: "--instance" },
      ),
    );

  verbOfOne(noun, verb, INTEGRATION)<{ name: string }>(
    "rename",
    "rename an integration",
    async ({ workforce, requestId, call }, id, { name }) => {
      const request = { requestId, integrationId: id, updateMask: ["name"], name };
      const integration = present((await workforce.updateIntegration(request, call)).integration);
      return one(toIntegrationJson(integration), integrationFacts(integration), {
        said: "The integration is renamed.",
        next: run`gatehouse integrations list`,
      });
    },
    newNameOption(),
    requestIdOption(),
  );

  const ofConnection = verbOfOne(noun, verb, INSTANCE_INTEGRATION);
  ofConnection(
    "configure",
    "mark an instance integration as set up: the gateway answers, its subscriptions work",
    async (asked, id) => {
      const made = await configure(asked, id, true);
      return shownInstanceIntegration(asked, made, {
        said: "The instance integration is configured.",
        next: run`gatehouse api-keys issue --integration ${made.integrationId} --label …`,
      });
    },
    requestIdOption(),
  );
  ofConnection(
    "unconfigure",
    "take an instance integration out of service until it is configured again",
    async (asked, id) => {
      const made = await configure(asked, id, false);
      return shownInstanceIntegration(asked, made, {
        said: "The instance integration is no longer configured: the gateway answers 404 below it, and its events are skipped.",
        next: run`gatehouse integrations configure ${made.id}`,
      });
    },
    requestIdOption(),
  );
  ofConnection<ConsentOptions>(
    "revoke",
    "end an instance integration for good; asks first, and cannot be undone",
    async (asked, id, options) => {
      const { workforce, requestId, call } = asked;
      const called = plain((await namesOf({ ...asked, shows: "names and ids" }, [id])).of(id) ?? id);
      await confirmed(asked, options, {
        says: `This ends ${called} for good: the gateway answers 404 below it, and its subscriptions' deliveries that wait are cancelled when their turn comes. API keys stay.`,
        question: "Revoke it?",
      });
      const request = { requestId, instanceIntegrationId: id };
      const was = present((await workforce.revokeInstanceIntegration(request, call)).instanceIntegration);
      return shownInstanceIntegration(asked, was, {
        said: "The instance integration is revoked: the gateway answers 404, and no events are sent for it. Its integration's API keys stay; revoke those that are needed no more.",
        next: run`gatehouse api-keys list --integration ${was.integrationId}`,
      });
    },
    yesOption(),
    requestIdOption(),
  );
}

async function configure({ workforce, requestId, call }: Asked, id: string, configured: boolean) {
  const request = { requestId, instanceIntegrationId: id, configured };
  return present((await workforce.configureInstanceIntegration(request, call)).instanceIntegration);
}

interface Row {
  readonly integration: Integration;
  readonly installed: InstanceIntegration | undefined;
}

/** One row per instance integration; an integration without one gets a row too. */
const toRows = ({ integration, instanceIntegrations }: IntegrationWithConnections): readonly Row[] => {
  const each = instanceIntegrations.length === 0 ? [undefined] : instanceIntegrations;
  return each.map((installed) => ({ integration: present(integration), installed }));
};

const LIST_COLUMNS = [
  { heading: "integration", cell: ({ integration }: Row) => integration.name },
  { heading: "id", cell: ({ integration }: Row) => integration.id },
  { heading: "instance", cell: ({ installed }: Row) => installed?.instance?.name },
  { heading: "instance integration", cell: ({ installed }: Row) => installed?.id },
  { heading: "configured", cell: ({ installed }: Row) => installed && (installed.configured ? "yes" : "no") },
];

const toListedJson = ({ integration, instanceIntegrations }: IntegrationWithConnections) => ({
  ...toIntegrationJson(present(integration)),
  instanceIntegrations: instanceIntegrations.map(toInstanceIntegrationJson),
});

const toIntegrationJson = ({ id, name, createdAt }: Integration) => ({ id, name, createdAt: toJsonInstant(createdAt) });

const toInstanceIntegrationJson = (installed: InstanceIntegration) => ({
  id: installed.id,
  integrationId: installed.integrationId,
  instance: toInstanceJson(present(installed.instance)),
  configured: installed.configured,
  createdAt: toJsonInstant(installed.createdAt),
  updatedAt: toJsonInstant(installed.updatedAt),
});

const integrationFacts = ({ id, name, createdAt }: Integration) =>
  [
    ["id", id],
    ["name", name],
    ["created", toShownInstant(createdAt)],
  ] as const;

const shownInstanceIntegration = async (asked: Asked, installed: InstanceIntegration, words: OutcomeWords) =>
  one(
    toInstanceIntegrationJson(installed),
    instanceIntegrationFacts(installed, await namesOf(asked, [installed.integrationId, installed.instance?.id])),
    words,
  );

const instanceIntegrationFacts = (installed: InstanceIntegration, names: Names) =>
  [
    ["id", installed.id],
    ["integration", names.of(installed.integrationId)],
    ["instance", names.of(installed.instance?.id)],
    ["configured", installed.configured ? "yes" : "no"],
    ["created", toShownInstant(installed.createdAt)],
  ] as const;
