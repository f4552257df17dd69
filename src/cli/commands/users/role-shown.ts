import { type AccessRoleDefinition, AccessRoleKind } from "#generated/proto/gatehouse/workforce/v1/workforce.ts";
import { wordOf } from "#runtime/basis/enum-words.ts";
import { present } from "../../connection/answers.ts";
import type { Names } from "../../connection/names.ts";

/** An access role as `--json` shows it. */
export const toRoleJson = (definition: AccessRoleDefinition) => ({
  id: present(definition.role).id,
  name: present(definition.role).name,
  tenantId: definition.tenantId,
  kind: kindWord(definition),
  permissions: definition.permissions,
});

export const roleFacts = (definition: AccessRoleDefinition, names: Names) =>
  [
    ["role", present(definition.role).name],
    ["role id", String(present(definition.role).id)],
    ["tenant", names.of(definition.tenantId)],
    ["kind", kindWord(definition)],
    ["permissions", definition.permissions],
  ] as const;

export const kindWord = ({ kind }: AccessRoleDefinition): string => wordOf(AccessRoleKind, kind) ?? kind;
