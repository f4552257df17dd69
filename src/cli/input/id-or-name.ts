import { type IdKind, parseId } from "#runtime/basis/ids.ts";
import { present } from "../connection/answers.ts";
import type { Asked } from "../connection/verb.ts";
import { EXIT, refuse } from "../output/refusal.ts";

interface Named {
  readonly id: string;
  readonly name: string;
}

/** The id of an instance that was given by id or by name. @throws Refusal when no instance, or more than one, has the name. */
export const instanceId = ({ platform, call }: Asked, given: string): Promise<string> =>
  idOf("instance", given, async () => (await platform.listInstances({}, call)).instances);

/** The id of an integration that was given by id or by name. @throws Refusal when no integration, or more than one, has the name. */
export const integrationId = ({ workforce, call }: Asked, given: string): Promise<string> =>
  idOf("integration", given, async () => {
    const { integrations } = await workforce.listIntegrations({}, call);
    return integrations.map(({ integration }) => present(integration));
  });

async function idOf(
  noun: IdKind & ("instance" | "integration"),
  given: string,
  list: () => Promise<readonly Named[]>,
): Promise<string> {
  const id = parseId(noun, given);
  if (id !== undefined) return id;
  const all = await list();
  const matching = all.filter(({ name }) => name.toLowerCase() === given.trim().toLowerCase());
  const [match, another] = matching;
  if (match !== undefined && another === undefined) return match.id;
  if (match !== undefined)
    throw refuse(EXIT.refused, {
      code: "FAILED_PRECONDITION",
      reason: `${noun}_ambiguous`,
      message: `${matching.length} ${noun}s are named ${given}.`,
      fix: `Give the id of one: ${matching.map((one) => one.id).join(", ")}`,
    });
  throw refuse(EXIT.refused, {
    code: "NOT_FOUND",
    reason: `${noun}_not_found`,
    message: `There is no ${noun} named ${given}.`,
    fix:
      all.length === 0
        ? `Create one: gatehouse ${noun}s create --name …`
        : `There ${all.length === 1 ? "is" : "are"}: ${all.map(({ name }) => name).join(", ")}`,
  });
}
