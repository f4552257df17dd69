import type { Command } from "commander";
import type { IntegrationWithConnections } from "#generated/proto/gatehouse/workforce/v1/operator.ts";
import type { InstanceIntegration, Integration } from "#generated/proto/gatehouse/workforce/v1/workforce.ts";
import { present } from "../../connection/answers.ts";
import type { Asked, Verb } from "../../connection/verb.ts";
import { requestIdOption } from "../../input/flags.ts";
import { instanceId, integrationId } from "../../input/id-or-name.ts";
import { toJsonInstant, toShownInstant } from "../../output/instant.ts";
import { many, one } from "../../output/outcome.ts";
import { toInstanceJson } from "../tenants/instances.ts";

/** `gatehouse integrations …` */
export function addIntegrations(program: Command, verb: Verb): void {
  const noun = program.command("integrations").summary("external parties that own API keys");

  noun
    .command("create")
    .summary("make an integration")
    .requiredOption("--name <text>", "its name")
    .addOption(requestIdOption())
    .action(
      verb<{ name: string }>(async ({ workforce, requestId, call }, { name }) => {
        const integration = present((await workforce.createIntegration({ requestId, name }, call)).integration);
        return one(toIntegrationJson(integration), integrationFacts(integration), {
          said: "The integration is made.",
          next: `gatehouse integrations connect --integration ${integration.id} --instance … --configured`,
        });
      }),
    );

  noun
    .command("list")
    .summary("list the integrations and their connections, oldest first")
    .action(
      verb(async ({ workforce, call }) => {
        const { integrations } = await workforce.listIntegrations({}, call);
        return many({ integrations: integrations.map(toListedJson) }, integrations.flatMap(toRows), LIST_COLUMNS, {
          ifNone: { said: "There are no integrations yet.", next: "gatehouse integrations create --name …" },
        });
      }),
    );

  noun
    .command("connect")
    .summary("connect an integration with an instance")
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
          return one(toConnectionJson(made), connectionFacts(made), {
            said: "The integration is connected.",
            next: made.configured
              ? `gatehouse api-keys issue --integration ${made.integrationId} --label …`
              : `gatehouse integrations configure ${made.id}`,
          });
        },
        { integration_id: "--integration", instance_id: "--instance" },
      ),
    );

  noun
    .command("rename")
    .summary("rename an integration")
    .argument("<integration>", "its id or name")
    .requiredOption("--name <text>", "its new name")
    .addOption(requestIdOption())
    .action(
      verb<{ name: string }>(
        async (asked, { name }, given = "") => {
          const { workforce, requestId, call } = asked;
          const request = { requestId, integrationId: await integrationId(asked, given), updateMask: ["name"], name };
          const integration = present((await workforce.updateIntegration(request, call)).integration);
          return one(toIntegrationJson(integration), integrationFacts(integration), {
            said: "The integration is renamed.",
            next: "gatehouse integrations list",
          });
        },
        { integration_id: "<integration>" },
      ),
    );

  noun
    .command("configure")
    .summary("mark a connection as set up: the gateway answers, its subscriptions work")
    .argument("<connection-id>", "the instance integration's public id")
    .addOption(requestIdOption())
    .action(
      verb<object>(async (asked, _options, id = "") => {
        const made = await configure(asked, id, true);
        return one(toConnectionJson(made), connectionFacts(made), {
          said: "The connection is configured.",
          next: `gatehouse api-keys issue --integration ${made.integrationId} --label …`,
        });
      }, CONNECTION_FIELDS),
    );

  noun
    .command("unconfigure")
    .summary("take a connection out of service until it is configured again")
    .argument("<connection-id>", "the instance integration's public id")
    .addOption(requestIdOption())
    .action(
      verb<object>(async (asked, _options, id = "") => {
        const made = await configure(asked, id, false);
        return one(toConnectionJson(made), connectionFacts(made), {
          said: "The connection is no longer configured: the gateway answers 404 below it, and its events are skipped.",
          next: `gatehouse integrations configure ${made.id}`,
        });
      }, CONNECTION_FIELDS),
    );

  noun
    .command("revoke")
    .summary("end a connection for good; its subscriptions' pending deliveries are cancelled")
    .argument("<connection-id>", "the instance integration's public id")
    .addOption(requestIdOption())
    .action(
      verb<object>(async ({ workforce, requestId, call }, _options, instanceIntegrationId = "") => {
        const request = { requestId, instanceIntegrationId };
        const was = present((await workforce.revokeInstanceIntegration(request, call)).instanceIntegration);
        return one(toConnectionJson(was), connectionFacts(was), {
          said: "The connection is revoked: the gateway answers 404, and no events are sent for it.",
          next: "gatehouse integrations list",
        });
      }, CONNECTION_FIELDS),
    );
}

const CONNECTION_FIELDS = { instance_integration_id: "<connection-id>" } as const;

async function configure({ workforce, requestId, call }: Asked, instanceIntegrationId: string, configured: boolean) {
  const request = { requestId, instanceIntegrationId, configured };
  return present((await workforce.configureInstanceIntegration(request, call)).instanceIntegration);
}

interface Row {
  readonly integration: Integration;
  readonly connection: InstanceIntegration | undefined;
}

/** One row per connection; an integration without connections gets a row too. */
const toRows = ({ integration, instanceIntegrations }: IntegrationWithConnections): readonly Row[] => {
  const connections = instanceIntegrations.length === 0 ? [undefined] : instanceIntegrations;
  return connections.map((connection) => ({ integration: present(integration), connection }));
};

const LIST_COLUMNS = [
  { heading: "integration", cell: ({ integration }: Row) => integration.name },
  { heading: "id", cell: ({ integration }: Row) => integration.id },
  { heading: "instance", cell: ({ connection }: Row) => connection?.instance?.name },
  { heading: "connection", cell: ({ connection }: Row) => connection?.id },
  { heading: "configured", cell: ({ connection }: Row) => connection && (connection.configured ? "yes" : "no") },
];

const toListedJson = ({ integration, instanceIntegrations }: IntegrationWithConnections) => ({
  ...toIntegrationJson(present(integration)),
  instanceIntegrations: instanceIntegrations.map(toConnectionJson),
});

const toIntegrationJson = ({ id, name, createdAt }: Integration) => ({ id, name, createdAt: toJsonInstant(createdAt) });

const toConnectionJson = (connection: InstanceIntegration) => ({
  id: connection.id,
  integrationId: connection.integrationId,
  instance: toInstanceJson(present(connection.instance)),
  configured: connection.configured,
  createdAt: toJsonInstant(connection.createdAt),
  updatedAt: toJsonInstant(connection.updatedAt),
});

const integrationFacts = ({ id, name, createdAt }: Integration) =>
  [
    ["id", id],
    ["name", name],
    ["created", toShownInstant(createdAt)],
  ] as const;

const connectionFacts = (connection: InstanceIntegration) =>
  [
    ["id", connection.id],
    ["integration", connection.integrationId],
    ["instance", connection.instance && `${connection.instance.name} (${connection.instance.id})`],
    ["configured", connection.configured ? "yes" : "no"],
    ["created", toShownInstant(connection.createdAt)],
  ] as const;
