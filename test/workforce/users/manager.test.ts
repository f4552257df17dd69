import type { TenantId, UserId } from "../../../src/runtime/basis/ids.ts";
import { defaultManager } from "../../../src/workforce/users/manager.ts";
import type { UserStatus } from "../../../src/workforce/users/user-status.ts";

describe("the default manager of an invited user (R-G17)", () => {
  const [here, elsewhere] = ["client_here", "client_elsewhere"] as TenantId[];
  const [owner, inviter] = ["user_owner", "user_inviter"] as UserId[];
  const invitedBy = (tenantId: TenantId | undefined, status: UserStatus) => ({
    id: inviter as UserId,
    tenantId: tenantId as TenantId,
    status,
  });

  it.each([
    ["the inviting user of the same tenant", invitedBy(here, "ACTIVE"), owner, inviter],
    ["the oldest Owner for an inviting user of another tenant", invitedBy(elsewhere, "ACTIVE"), owner, owner],
    ["the oldest Owner for a deleted inviting user", invitedBy(here, "DELETED"), owner, owner],
    ["the oldest Owner without an inviting user", undefined, owner, owner],
    ["absent without either", undefined, undefined, null],
  ])("is %s", (_, by, oldestActiveOwner, manager) => {
    expect(defaultManager(here as TenantId, by, oldestActiveOwner)).toBe(manager);
  });
});
