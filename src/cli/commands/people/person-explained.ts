import type { Command } from "commander";
import type {
  ExplainedPerson,
  ExplainedSeat,
  SignInAttempt,
  SignInObstacle,
} from "#generated/proto/gatehouse/sign_on/v1/inspection.ts";
import { SeatKind, SeatState } from "#generated/proto/gatehouse/workforce/v1/sign_in.ts";
import { wrap } from "#runtime/basis/terminal-lines.ts";
import { present } from "../../connection/answers.ts";
import type { Verb } from "../../connection/verb.ts";
import { byPersonKey } from "../../input/references.ts";
import { shownActor } from "../../output/actor.ts";
import { card, type Facts } from "../../output/card.ts";
import { enumWord } from "../../output/enum-word.ts";
import { toJsonInstant, toShownInstant } from "../../output/instant.ts";
import type { Paint } from "../../output/paint.ts";
import { type Column, table } from "../../output/table.ts";
import { plain } from "../../output/terminal-text.ts";
import { SESSION_COLUMNS, toSessionJson } from "./person-sessions.ts";
import { shownEmail, shownPerson } from "./person-shown.ts";

/** `gatehouse people explain` */
export function addPersonExplained(noun: Command, verb: Verb): void {
  noun
    .command("explain")
    .summary("say whether a person can sign in and, if not, why and what to do")
    .description(
      "Says whether a person can sign in and, if not, why: disabled by whom and since when, without a seat or a password, or throttled until when. Shows seats, the last attempts with their request ids, networks and browsers, and open sessions.",
    )
    .argument("<person>", "id (person_…), e-mail address, or first and last name")
    .action(
      verb<object>(
        async (asked, _options, given = "") => {
          const { inspection, call } = asked;
          const { person } = await byPersonKey(asked, given, (key) => inspection.explainPerson({ key }, call));
          const explained = present(person);
          const { directories } = asked;
          return {
            json: toJson(explained),
            text: (paint, columns) => shown(explained, { paint, columns, directories }),
          };
        },
        { person_id: "<person>", email: "<person>" },
      ),
    );
}

const WIDTH = 80;

interface Page {
  readonly paint: Paint;
  readonly columns: number | undefined;
  readonly directories: string;
}

function shown(person: ExplainedPerson, { paint, columns, directories }: Page): string {
  const { obstacles, seats, attempts, sessions } = person;
  const rows = <T>(heading: string, entries: readonly T[], shape: readonly Column<T>[]): string =>
    `\n${paint.label(heading)}\n${entries.length === 0 ? "None.\n" : table(entries, shape, { paint, columns })}`;
  return [
    `${summaryOf(person)}\n\n`,
    ...obstacles.map((obstacle) => `${obstacleText(obstacle, paint, directories)}\n`),
    card(factsOf(person), paint),
    rows("Seats", seats, SEAT_COLUMNS),
    ...seats.map(reopened),
    rows("Last attempts to sign in", attempts, ATTEMPT_COLUMNS),
    rows("Open sessions", sessions, SESSION_COLUMNS),
  ].join("");
}

/** `Maren Holt can sign in to Europe.` */
function summaryOf(person: ExplainedPerson): string {
  const name = plain(shownPerson({ ...NAMELESS, ...person }) || person.email);
  if (person.obstacles.length > 0) return `${name} cannot sign in${onlyWaits(person) ? " at the moment" : ""}.`;
  const instances = new Set(
    person.seats.filter(({ seat }) => seat?.admits).map(({ seat }) => seat?.instanceName ?? ""),
  );
  return `${name} can sign in to ${plain([...instances].join(", "))}.`;
}

const onlyWaits = ({ obstacles }: ExplainedPerson): boolean => obstacles.every(({ until }) => until !== null);

function obstacleText(
  { finding, advice, command, since, actor, until }: SignInObstacle,
  paint: Paint,
  directories: string,
): string {
  const when = [
    ...(since === null ? [] : [`Since ${toShownInstant(since)}${actor ? `, by ${shownActor(actor)}` : ""}.`]),
    ...(until === null ? [] : [`Until ${toShownInstant(until)}.`]),
  ];
  const cure = plain(command.length === 0 ? advice : `${advice}${directories}`);
  const words = [...wrap(plain([finding, ...when].join(" ")), WIDTH), `${paint.label("What to do:")} ${cure}`];
  return `${words.join("\n")}\n`;
}

const factsOf = (person: ExplainedPerson): Facts => [
  ["id", person.personId],
  ["e-mail", shownEmail({ ...NAMELESS, ...person })],
  ["password", person.hasPassword ? "set" : "none yet"],
];

/** What the shown facts of a person do not need. */
const NAMELESS = { id: "", workerProfileId: "", disabled: false, createdAt: null };

const SEAT_COLUMNS: readonly Column<ExplainedSeat>[] = [
  { heading: "tenant", cell: ({ seat }) => seat?.tenantName },
  { heading: "instance", cell: ({ seat }) => seat?.instanceName },
  { heading: "seat", cell: ({ seat }) => seat && enumWord(SeatKind, seat.kind) },
  { heading: "state", cell: ({ seat }) => seat && enumWord(SeatState, seat.state) },
  { heading: "since", cell: ({ since }) => toShownInstant(since) },
  { heading: "by", cell: ({ actor }) => actor },
];

/** `The user at Third Bakery was disabled from … by an operator (account jo) to … by the platform (account ada).` */
function reopened({ seat, since, actor, disabledAt, disabledBy }: ExplainedSeat): string {
  if (!disabledAt) return "";
  const from = `from ${toShownInstant(disabledAt)} by ${shownActor(disabledBy ?? "")}`;
  const to = `to ${toShownInstant(since)} by ${shownActor(actor ?? "")}`;
  return `${wrap(plain(`The user at ${seat?.tenantName} was disabled ${from} ${to}.`), WIDTH).join("\n")}\n`;
}

const ATTEMPT_COLUMNS: readonly Column<SignInAttempt>[] = [
  { heading: "at", cell: ({ at }) => toShownInstant(at) },
  { heading: "result", cell: resultOf },
  {
    heading: "application",
    cell: ({ applicationName, applicationId }) => applicationName ?? applicationId ?? "account page",
  },
  { heading: "request", cell: ({ requestId }) => requestId },
  { heading: "network", cell: ({ network }) => network, canBeMissed: true },
  { heading: "browser", cell: browserOf, canBeMissed: true },
];

/** `Firefox, Linux`, or nothing where neither is known. */
function browserOf({ device }: SignInAttempt): string | null {
  return [device?.browser, device?.system].filter(Boolean).join(", ") || null;
}

/** `signed in`, `wrong_password`, or what the application got although the person was signed in. */
function resultOf({ succeeded, reason, error }: SignInAttempt): string | null | undefined {
  if (succeeded) return error ? `signed in, then ${error}` : "signed in";
  return error ?? reason;
}

const toJson = (person: ExplainedPerson) => ({
  id: person.personId,
  email: person.email,
  emailVerified: person.emailVerified,
  firstName: person.firstName ?? null,
  lastName: person.lastName ?? null,
  canSignIn: person.obstacles.length === 0,
  hasPassword: person.hasPassword,
  obstacles: person.obstacles.map(({ check, finding, advice, command, since, actor, until }) => ({
    check,
    finding,
    advice,
    command,
    since: toJsonInstant(since),
    actor: actor ?? null,
    until: toJsonInstant(until),
  })),
  seats: person.seats.map(({ seat, since, actor, disabledAt, disabledBy }) => ({
    id: seat?.id ?? null,
    kind: seat && enumWord(SeatKind, seat.kind),
    state: seat && enumWord(SeatState, seat.state),
    admits: seat?.admits ?? false,
    tenantId: seat?.tenantId ?? null,
    tenantName: seat?.tenantName ?? null,
    instanceId: seat?.instanceId ?? null,
    instanceName: seat?.instanceName ?? null,
    since: toJsonInstant(since),
    actor: actor ?? null,
    disabledAt: toJsonInstant(disabledAt),
    disabledBy: disabledBy ?? null,
  })),
  attempts: person.attempts.map((attempt) => ({
    at: toJsonInstant(attempt.at),
    succeeded: attempt.succeeded,
    reason: attempt.reason ?? null,
    applicationId: attempt.applicationId ?? null,
    applicationName: attempt.applicationName ?? null,
    requestId: attempt.requestId,
    error: attempt.error ?? null,
    network: attempt.network ?? null,
    userAgent: attempt.userAgent ?? null,
    browser: browserOf(attempt),
  })),
  sessions: person.sessions.map(toSessionJson),
});
