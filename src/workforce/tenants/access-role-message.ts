import {
  type AccessRoleDefinition as AccessRoleDefinitionMessage,
  AccessRoleKind as AccessRoleKindMessage,
} from "#generated/proto/gatehouse/workforce/v1/workforce.ts";
import type { AccessRoleDefinition, AccessRoleKind } from "./access-role.ts";

const KINDS: Readonly<Record<AccessRoleKind, AccessRoleKindMessage>> = {
  OWNER: AccessRoleKindMessage.ACCESS_ROLE_KIND_OWNER,
  ADMIN: AccessRoleKindMessage.ACCESS_ROLE_KIND_ADMIN,
  MEMBER: AccessRoleKindMessage.ACCESS_ROLE_KIND_MEMBER,
  CUSTOM: AccessRoleKindMessage.ACCESS_ROLE_KIND_CUSTOM,
};

/** A role with what it permits, as our services tell each other. */
export const toDefinitionMessage = (definition: AccessRoleDefinition): AccessRoleDefinitionMessage => ({
  ...definition,
  kind: KINDS[definition.kind],
});
