import { setTimeout as sleep } from "node:timers/promises";
import type { Command } from "commander";
import type { ErasureState, ErasureTarget } from "#generated/proto/gatehouse/workforce/v1/erasure.ts";
import { counted } from "#runtime/basis/text.ts";
import { present } from "../connection/answers.ts";
import { namesOf } from "../connection/names.ts";
import type { Asked, Verb } from "../connection/verb.ts";
import { yesOption } from "../input/flags.ts";
import { type ConsentOptions, confirmed } from "../input/questions.ts";
import { PERSON, TENANT, UNIT, UNIT_TYPE, USER, WORKER } from "../input/subjects.ts";
import { type Subject, verbOfOne } from "../input/verb-of-one.ts";
import { type AdvisedCommand, leadingTo, run } from "../output/advice.ts";
import { commandError, EXIT } from "../output/command-error.ts";
import { toJsonInstant, toShownInstant } from "../output/instant.ts";
import { one } from "../output/outcome.ts";
import { plain } from "../output/terminal-text.ts";

/** What the command says about one kind of thing, and how it finds it. */
interface Erasable {
  readonly subject: Subject;
  /** What to give, where that is not said as elsewhere. */
  readonly described?: string;
  readonly summary: string;
  /** What goes beside the things that are counted. */
  readonly goesToo?: string;
  /** Follows what goes with it: what else that means. */
  readonly effect?: string;
  /** What stays. */
  readonly stays: string;
  /** What is done and what is not, where the command does not wait for the end. */
  readonly underWay: string;
  readonly target: (id: string) => ErasureTarget["id"];
}

const IDS_STAY = "Ids stay, and so do the entries of the audit log.";
const PLACES_STAY = "Ids stay, so that workers and units keep their places.";

const UNDER_WAY = "Names and addresses are erased; what events and answers repeat of them is still being erased.";
/** Seats follow their tenant in many transactions (R-X263). */
const TENANT_UNDER_WAY =
  "The tenant is not found any more. Its people, and what events and answers repeat of it and of them, are still being erased.";

const ERASABLE = {
  people: {
    subject: PERSON,
    summary: "erase a person: names, address, password and seats; asks first, and cannot be undone",
    stays: IDS_STAY,
    underWay: UNDER_WAY,
    target: (value) => ({ $case: "personId", value }),
  },
  users: {
    subject: USER,
    described: "id, e-mail address, or first and last name; a deleted one by its id",
    summary: "erase a user, and the person without another seat; asks first, and cannot be undone",
    stays: IDS_STAY,
    underWay: UNDER_WAY,
    target: (value) => ({ $case: "userId", value }),
  },
  workers: {
    subject: WORKER,
    described: "id, e-mail address, or first and last name; an ended one by its id",
    summary: "erase a worker, and the person without another seat; asks first, and cannot be undone",
    stays: IDS_STAY,
    underWay: UNDER_WAY,
    target: (value) => ({ $case: "workerId", value }),
  },
  tenants: {
    subject: TENANT,
    summary: "erase a tenant with all its people and its structure; asks first, and cannot be undone",
    goesToo: "its name and address",
    effect: "The gateway does not find it any more.",
    stays: IDS_STAY,
    underWay: TENANT_UNDER_WAY,
    target: (value) => ({ $case: "tenantId", value }),
  },
  units: {
    subject: UNIT,
    summary: "erase a unit's name, code and description; asks first, and cannot be undone",
    stays: PLACES_STAY,
    underWay: UNDER_WAY,
    target: (value) => ({ $case: "unitId", value }),
  },
  "unit-types": {
    subject: UNIT_TYPE,
    described: "id or name",
    summary: "erase a unit type's name; asks first, and cannot be undone",
    stays: PLACES_STAY,
    underWay: UNDER_WAY,
    target: (value) => ({ $case: "unitTypeId", value }),
  },
} as const satisfies Readonly<Record<string, Erasable>>;

/** `gatehouse people|users|workers|tenants|units|unit-types erase` */
export function addErase(noun: Command, verb: Verb): void {
  const { subject, described, ...erasable }: Erasable = ERASABLE[noun.name() as keyof typeof ERASABLE];
  const [name, description] = subject.argument;
  const argument = [name, described ?? description] as const;
  verbOfOne(noun, verb, { ...subject, argument })<ConsentOptions>(
    "erase",
    erasable.summary,
    async (asked, id, options) => {
      const { erasure, call } = asked;
      const target = { id: erasable.target(id) };
      const before = present((await erasure.readErasure({ target }, call)).state);
      const wasErased = before.erasedAt !== null && before.erasedAt !== undefined;
      if (!wasErased) {
        const called = plain((await namesOf({ ...asked, shows: "names and ids" }, [id])).of(id) ?? id);
        await confirmed(asked, options, {
          says: [
            `This erases ${called} for good: ${goesWith(before, erasable.goesToo)}.`,
            ...(erasable.effect === undefined ? [] : [erasable.effect]),
            ...[subscribersGet(before), erasable.stays, "Backups keep it until they are replaced."],
          ].join(" "),
          question: `Erase ${called}?`,
        });
        await erasure.erase({ target }, call);
      }
      const state = await untilFinished(asked, target, erasable.underWay, run`gatehouse ${noun.name()} erase ${id}`);
      return one({ id, ...toErasureJson(state) }, factsOf(id, state), {
        said: wasErased ? "It was erased before. Nothing was changed." : "It is erased: no table has it any more.",
        next: "replace the backups that still have it (docs/operations/personal-data.md)",
      });
    },
    yesOption(),
  );
}

const WORDS = {
  people: ["person", "people"],
  users: ["user", "users"],
  workers: ["worker", "workers"],
  units: ["unit", "units"],
  unitTypes: ["unit type", "unit types"],
  locations: ["location", "locations"],
} as const;

type Counted = keyof typeof WORDS;
const COUNTED = Object.keys(WORDS) as readonly Counted[];

/** `its name and address, 1 person with password, sessions, consents and recorded sign-ins, 2 users` */
function goesWith(state: ErasureState, too: string | undefined): string {
  const parts = COUNTED.filter((what) => state[what] > 0).map((what) => {
    const [singular, plural] = WORDS[what];
    const number = counted(state[what], singular, plural);
    return what === "people" ? `${number} with password, sessions, consents and recorded sign-ins` : number;
  });
  return [...(too === undefined ? [] : [too]), ...parts].join(", ");
}

/** Each user and each worker that goes has its event, and nothing else has one (R-X261). */
function subscribersGet({ users, workers }: ErasureState): string {
  const ofUsers = users > 0 ? ["user.updated with DELETED"] : [];
  const events = workers > 0 ? [...ofUsers, "worker.updated with the end"] : ofUsers;
  if (events.length === 0) return "Subscribers get no event.";
  return `Subscribers get ${events.join(" and ")}, with "Erased person" for a name.`;
}

const AGAIN_MS = 100;
const ASKED_MAX = 50;

/** Asks until nothing is left in any table. @throws CommandError while something still is; it goes on without the command. */
async function untilFinished(
  { erasure, call }: Asked,
  target: ErasureTarget,
  message: string,
  again: AdvisedCommand,
): Promise<ErasureState> {
  for (let asked = 0; asked < ASKED_MAX; asked++) {
    const state = present((await erasure.readErasure({ target }, call)).state);
    if (state.finishedAt !== null && state.finishedAt !== undefined) return state;
    await sleep(AGAIN_MS);
  }
  throw commandError(EXIT.notReachable, {
    code: "UNAVAILABLE",
    reason: "erasure_under_way",
    message,
    // By its id: its name and address find nothing any more.
    fix: leadingTo(
      "A delivery that is under way, a reader of the store such as an export, or the number of a tenant's people may delay it. The same command says when nothing is left:",
      again,
    ),
  });
}

const toErasureJson = ({ erasedAt, finishedAt }: ErasureState) => ({
  erasedAt: toJsonInstant(erasedAt),
  finishedAt: toJsonInstant(finishedAt),
});

const factsOf = (id: string, { erasedAt, finishedAt }: ErasureState) =>
  [
    ["id", id],
    ["erased", toShownInstant(erasedAt)],
    ["finished", toShownInstant(finishedAt)],
  ] as const;
