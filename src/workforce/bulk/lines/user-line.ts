import { LENGTHS } from "../../request-fields.ts";
import type { User } from "../../users/user.ts";
import type { UserStatus } from "../../users/user-status.ts";
import { shown, type WrittenLine } from "./line-content.ts";
import type { LineFields } from "./line-fields.ts";
import { readPersonReference } from "./person-line.ts";

const STATUSES = ["ACTIVE", "INACTIVE", "INVITED", "DELETED"] as const satisfies readonly UserStatus[];

export const readUserLine = (fields: LineFields) => ({
  id: fields.id("id", "user"),
  tenantId: fields.id("tenantId", "tenant"),
  person: readPersonReference(fields, "optional"),
  status: fields.oneOf("status", STATUSES),
  managerId: fields.optionalId("managerId", "user"),
  role: fields.optionalText("role", LENGTHS.name),
  createdAt: fields.instant("createdAt"),
});

export const toUserLine = (user: User): WrittenLine<ReturnType<typeof readUserLine>> => ({
  kind: "user",
  id: user.id,
  tenantId: user.tenantId,
  personId: user.person.id,
  status: user.status,
  managerId: shown(user.managerId),
  role: user.role?.name,
  createdAt: user.createdAt,
});
