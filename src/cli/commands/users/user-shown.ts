import { type User, UserStatus } from "#generated/proto/gatehouse/workforce/v1/workforce.ts";
import { wordOf } from "#runtime/basis/enum-words.ts";
import { present } from "../../connection/answers.ts";
import { type Names, namesOf } from "../../connection/names.ts";
import type { Asked } from "../../connection/verb.ts";
import { toJsonInstant, toShownInstant } from "../../output/instant.ts";
import { type OutcomeWords, one } from "../../output/outcome.ts";
import { shownEmail, shownPerson, toPersonJson } from "../people/person-shown.ts";

/** A user as `--json` shows it. */
export const toUserJson = (user: User) => ({
  id: user.id,
  tenantId: user.tenantId,
  status: statusWord(user),
  person: toPersonJson(present(user.person)),
  managerId: user.managerId ?? null,
  role: user.role && { id: user.role.id, name: user.role.name },
  createdAt: toJsonInstant(user.createdAt),
});

/** A user with the names of tenant and manager. */
export const shownUser = async (asked: Asked, user: User, words: OutcomeWords = {}) =>
  one(toUserJson(user), userFacts(user, await namesOf(asked, [user.tenantId, user.managerId])), words);

const userFacts = (user: User, names: Names) =>
  [
    ["id", user.id],
    ["tenant", names.of(user.tenantId)],
    ["status", statusWord(user)],
    ["person", shownPerson(user.person)],
    ["e-mail", shownEmail(user.person)],
    ["person id", user.person?.id],
    ["role", user.role?.name ?? null],
    ["manager", names.of(user.managerId)],
    ["created", toShownInstant(user.createdAt)],
  ] as const;

export const statusWord = ({ status }: User): string => wordOf(UserStatus, status) ?? status;
