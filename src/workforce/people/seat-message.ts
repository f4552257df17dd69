import {
  type LastLoginContext as LastLoginContextMessage,
  Membership as MembershipMessage,
  SeatKind as SeatKindMessage,
} from "#generated/proto/gatehouse/workforce/v1/sign_in.ts";
import type { LastLoginContext, SeatKind } from "./last-login-context.ts";
import type { Membership } from "./membership.ts";

const MEMBERSHIPS: Readonly<Record<Membership, MembershipMessage>> = {
  MEMBER: MembershipMessage.MEMBERSHIP_MEMBER,
  NONE: MembershipMessage.MEMBERSHIP_NONE,
  DISABLED: MembershipMessage.MEMBERSHIP_DISABLED,
  SIGNED_OUT: MembershipMessage.MEMBERSHIP_SIGNED_OUT,
};

export const toMembershipMessage = (membership: Membership): MembershipMessage => MEMBERSHIPS[membership];

const KINDS: Readonly<Record<SeatKind, SeatKindMessage>> = {
  USER: SeatKindMessage.SEAT_KIND_USER,
  WORKER: SeatKindMessage.SEAT_KIND_WORKER,
};

export const toLoginContextMessage = ({ kind, tenantId }: LastLoginContext): LastLoginContextMessage => ({
  kind: KINDS[kind],
  tenantId,
});

/** `undefined` for a kind that we do not know. */
export const parseSeatKind = (message: SeatKindMessage): SeatKind | undefined =>
  message === KINDS.USER ? "USER" : message === KINDS.WORKER ? "WORKER" : undefined;
