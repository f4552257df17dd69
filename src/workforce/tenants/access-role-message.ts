import {
  type AccessRoleDefinition as AccessRoleDefinitionMessage,
  AccessRoleKind as AccessRoleKindMessage,
} from "#generated/proto/gatehouse/workforce/v1/workforce.ts";
import type { AccessRoleDefinition } from "./access-role.ts";

/** A role with what it permits, as our services tell each other. */
export const toDefinitionMessage = (definition: AccessRoleDefinition): AccessRoleDefinitionMessage => ({
  ...definition,
  kind: AccessRoleKindMessage[definition.kind],
});
