import type { Command } from "commander";
import type { OrganizationUnit, UnitType } from "#generated/proto/gatehouse/workforce/v1/workforce.ts";
import { present } from "../../connection/answers.ts";
import { type Names, namesOf } from "../../connection/names.ts";
import type { Verb } from "../../connection/verb.ts";
import { newNameOption, repeated, requestIdOption, texts } from "../../input/flags.ts";
import { tenantId, unitId } from "../../input/references.ts";
import { UNIT_TYPE } from "../../input/subjects.ts";
import { verbOfOne } from "../../input/verb-of-one.ts";
import { run } from "../../output/advice.ts";
import { toJsonInstant, toShownInstant } from "../../output/instant.ts";
import { many, one } from "../../output/outcome.ts";
import { addErase } from "../erasing.ts";
import { structureOf, toUnitJson } from "./unit-shown.ts";

interface CreateOptions {
  readonly tenant: string;
  readonly name: string;
  readonly unit?: readonly string[];
  readonly parent?: string;
}

/** `gatehouse unit-types …` */
export function addUnitTypes(program: Command, verb: Verb): void {
  const noun = program.command("unit-types").summary("layers of a tenant's structure, for example Department");

  noun
    .command("create")
    .summary("create a unit type, with its first units if there are any")
    .requiredOption("--tenant <id or name>", "tenant (the wire's client) whose structure it is")
    .requiredOption("--name <text>", "its name")
    .option("--unit <name>", "a unit of the new type; may be repeated", repeated)
    .option("--parent <unit>", "unit above these units, by id, name or code; by default they are top-level")
    .addOption(requestIdOption())
    .action(
      verb<CreateOptions>(
        async (asked, { tenant, name, unit, parent }) => {
          const { platform, requestId, call } = asked;
          const id = await tenantId(asked, tenant);
          const above =
            parent === undefined ? null : ({ $case: "parentUnitId", value: await unitId(asked, parent, id) } as const);
          const { unitType, units } = await platform.createUnitType(
            { requestId, tenantId: id, name, units: texts(unit).map((one) => ({ name: one, parent: above })) },
            call,
          );
          const made = present(unitType);
          const names = await namesOf(asked, [id]);
          return one({ ...toUnitTypeJson(made), units: units.map(toUnitJson) }, unitTypeFacts(made, names, units), {
            said: "The unit type is created.",
            next: run`gatehouse units create --tenant ${made.tenantId} --unit-type ${made.id} --name …`,
          });
        },
        { tenant_id: "--tenant", units: "--unit", "units.name": "--unit", "units.parent_unit_id": "--parent" },
      ),
    );

  verbOfOne(noun, verb, UNIT_TYPE)<{ name: string }>(
    "rename",
    "rename a unit type",
    async (asked, id, { name }) => {
      const { platform, requestId, call } = asked;
      const request = { requestId, unitTypeId: id, updateMask: ["name"], name };
      const unitType = present((await platform.updateUnitType(request, call)).unitType);
      const names = await namesOf(asked, [unitType.tenantId]);
      return one(toUnitTypeJson(unitType), unitTypeFacts(unitType, names), { said: "The unit type is renamed." });
    },
    newNameOption(),
    requestIdOption(),
  );

  noun
    .command("list")
    .summary("list the unit types of a tenant, oldest first")
    .requiredOption("--tenant <id or name>", "tenant (the wire's client) whose structure it is")
    .action(
      verb<{ tenant: string }>(
        async (asked, { tenant }) => {
          const { unitTypes, units } = await structureOf(asked, tenant);
          const columns = [
            { heading: "name", cell: ({ name }: UnitType) => name },
            { heading: "id", cell: ({ id }: UnitType) => id },
            {
              heading: "units",
              cell: ({ id }: UnitType) => units.filter(({ unitTypeId }) => unitTypeId === id).length,
              align: "right",
            } as const,
          ];
          return many({ unitTypes: unitTypes.map(toUnitTypeJson) }, unitTypes, columns, {
            ifNone: {
              said: "The tenant has no unit types yet.",
              next: run`gatehouse unit-types create --tenant ${tenant} --name …`,
            },
          });
        },
        { tenant_id: "--tenant" },
      ),
    );

  addErase(noun, verb);
}

const toUnitTypeJson = ({ id, tenantId: of, name, createdAt }: UnitType) => ({
  id,
  tenantId: of,
  name,
  createdAt: toJsonInstant(createdAt),
});

const unitTypeFacts = (
  { id, tenantId: of, name, createdAt }: UnitType,
  names: Names,
  units: readonly OrganizationUnit[] = [],
) =>
  [
    ["id", id],
    ["name", name],
    ["tenant", names.of(of)],
    ["created", toShownInstant(createdAt)],
    ["units", units.length === 0 ? undefined : units.map((unit) => `${unit.name} (${unit.id})`)],
  ] as const;
