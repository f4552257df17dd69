import type { AccessRoleDefinition } from "#generated/proto/gatehouse/workforce/v1/workforce.ts";
import { present } from "../../connection/answers.ts";
import { enumWord } from "../../connection/enum-word.ts";

/** An access role as `--json` shows it. */
export const toRoleJson = (definition: AccessRoleDefinition) => ({
  id: present(definition.role).id,
  name: present(definition.role).name,
  tenantId: definition.tenantId,
  kind: kindWord(definition),
  permissions: definition.permissions,
});

export const roleFacts = (definition: AccessRoleDefinition) =>
  [
    ["role", present(definition.role).name],
    ["role id", String(present(definition.role).id)],
    ["tenant", definition.tenantId],
    ["kind", kindWord(definition)],
    ["permissions", definition.permissions],
  ] as const;

export const kindWord = ({ kind }: AccessRoleDefinition): string => enumWord("ACCESS_ROLE_KIND_", kind);
