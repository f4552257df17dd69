import { shellWord } from "#runtime/basis/terminal-lines.ts";
import { counted } from "#runtime/basis/text.ts";
import { type DamagedFolders, type ErasedIn, OBJECTS_MAX, type UndoneActions } from "#runtime/upkeep/replaced-store.ts";
import { undoneLines } from "#runtime/upkeep/undone-actions.ts";
import type { Answer, TypedAgain } from "./store-alone.ts";

/** The epoch that a restore began, and what ended with the one before. */
export interface BegunAgain {
  readonly storeId: string;
  readonly epoch: number;
  readonly ended: Readonly<Record<string, number>>;
  readonly deliveriesSuspended: number;
}

/** The store that a restore from a backup replaced, and what is undone by that. */
interface Replaced {
  readonly folder: string | undefined;
  /** Of the backup: a digest was beside it, and its bytes have it. */
  readonly hasDigest: boolean;
  readonly undone: (UndoneActions & DamagedFolders) | undefined;
  /** What was erased in stores that restores have replaced, and is back. */
  readonly erased: ErasedIn & DamagedFolders;
}

/** What one is called, and what several are. */
type Words = readonly [one: string, several: string];

const ENDED: Readonly<Record<string, Words>> = {
  sessions: ["session", "sessions"],
  families: ["token family", "token families"],
  codes: ["code", "codes"],
  links: ["password link", "password links"],
  consents: ["consent", "consents"],
  signInsUnderWay: ["sign-in under way", "sign-ins under way"],
};

const MATCHES = "the backup is, byte for byte, what was written";
const MISSING = "no .sha256 file is beside the backup, so its structure alone was checked";
/** Of a store that was set back by other tools, or restored where none was: no audit log has what was done since. */
const NOT_KNOWN =
  "is not known: erasures and all else that was done since are to be repeated (docs/operations/backup-and-restore.md)";

/** By the beginning of an id, whose commands erase it. */
const NOUNS: Readonly<Record<string, string>> = {
  person: "people",
  user: "users",
  worker: "workers",
  client: "tenants",
  unit: "units",
  unittype: "unit-types",
};

const NOTHING_ERASED: ErasedIn & DamagedFolders = { ids: [], unread: [], damaged: [] };

const eraseAgain =
  (id: string) =>
  ({ places }: TypedAgain): string =>
    `gatehouse ${NOUNS[id.split("_")[0] ?? ""]} erase ${id}${places}`;

/** Also where it is known in part; `unread` says then what is not. */
const isKnown = (undone: UndoneActions | undefined): undone is UndoneActions =>
  undone !== undefined && (undone.unread.length === 0 || undone.counts.size > 0);

/** What `store restore` and `store restored` print: what ended, what is undone, and what is to be done again (R-X247). */
export function describeRestored(
  { storeId, epoch, ended, deliveriesSuspended }: BegunAgain,
  what: string,
  replaced?: Replaced,
): Answer {
  const { folder, undone, erased = NOTHING_ERASED } = replaced ?? {};
  const unread = [...new Set([...(undone?.unread ?? []), ...erased.unread])];
  const ofEarlier = [...new Set([...(undone?.damaged ?? []), ...erased.damaged])].filter((one) => one !== folder);
  const list = Object.entries(ended).map(([name, count]) => counted(count, ...(ENDED[name] ?? [name, name])));
  return {
    json: {
      storeId,
      epoch,
      ended,
      deliveriesSuspended,
      ...(replaced && {
        replaced: folder ?? null,
        undone: isKnown(undone) ? Object.fromEntries(undone.counts) : null,
        repeat: Object.fromEntries(
          [...(undone?.objects ?? [])].map(([action, ids]) => [action, ids.slice(0, OBJECTS_MAX)]),
        ),
        erased: erased.ids,
        unread,
        digest: replaced.hasDigest ? "matches" : "missing",
      }),
    },
    lines: [
      ["restored", `${what}; this is epoch ${epoch}`],
      ...(replaced === undefined ? [] : [["digest", replaced.hasDigest ? MATCHES : MISSING] as const]),
      ["ended", list.join(", ")],
      ["suspended", `${counted(deliveriesSuspended, "delivery", "deliveries")}, which may have been delivered since`],
      ...(undone === undefined && folder === undefined ? [["undone", NOT_KNOWN] as const] : undoneLines(undone)),
      ...erased.ids.map((id) => ["erase again", eraseAgain(id)] as const),
      ...erased.unread.map(
        (what) =>
          [
            "erase again",
            `whatever was erased in a store that cannot be read (${what}): see “What an erasure does not reach” in docs/operations/personal-data.md`,
          ] as const,
      ),
      ...(folder === undefined
        ? []
        : [
            ["before", `the store that was here is in ${folder}`] as const,
            [
              "then remove",
              () =>
                `rm -r ${shellWord(folder)}: it keeps people ${erased.ids.length > 0 ? "who were erased since" : "whom no erasure reaches"}`,
            ] as const,
          ]),
      ...ofEarlier.map(
        (earlier) =>
          [
            "then remove",
            () => `rm -r ${shellWord(earlier)}: it cannot be read, and each restore says so until it is removed`,
          ] as const,
      ),
    ],
    next: ({ serve, places }) =>
      deliveriesSuspended === 0
        ? serve
        : `${serve}, then gatehouse deliveries release${places}, or the same with --cancel`,
  };
}
