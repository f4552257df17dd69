import { readFileSync } from "node:fs";
import { join } from "node:path";
import { STORE_TROUBLES } from "../../src/runtime/basis/store-troubles.ts";
import { storeTroubleOf } from "../../src/runtime/database/store-trouble.ts";
import { en } from "../../src/sign-on/texts/en.ts";
import { BLOCKED_REASONS } from "../../src/webhooks/deliveries/delivery-reason.ts";
import { FAILED_OUTCOMES, type FailedOutcome } from "../../src/webhooks/deliveries/outcome.ts";
import { RECOVERY_REASONS } from "../../src/webhooks/recoveries/recovery-reason.ts";
import { lastAnswer } from "../../workflows/webhook-retry-words.ts";

const ROOT = join(import.meta.dirname, "..", "..");

const read = (path: string): string => readFileSync(join(ROOT, path), "utf8");

/** The first cells of the rows of the table that has this heading. */
const firstCells = (path: string, heading: string): readonly string[] => {
  const [, after = ""] = read(path).split(`\n${heading}\n`);
  const [table = ""] = after.split("\n\n");
  return table
    .split("\n")
    .slice(1)
    .map((row) => (row.split("|")[1] ?? "").trim());
};

/** One SQLSTATE of each trouble that PostgreSQL can say. */
const STATES = ["53100", "53300", "53200", "58030", "25006", "28P01", "08006", "57014", "XX001"];

/** Statuses of outcomes that are answers. */
const ANSWERED: Readonly<Partial<Record<FailedOutcome, { readonly lastHttpStatus: number }>>> = {
  redirect: { lastHttpStatus: 302 },
  refused: { lastHttpStatus: 500 },
};

describe("the tables of what is in trouble", () => {
  it("of the embedded store has a row for each trouble of the store", () => {
    const rows = firstCells("docs/operations/embedded-store.md", "| `store` | what to do |");
    expect(rows).toEqual(expect.arrayContaining(STORE_TROUBLES.map((trouble) => `\`${trouble.replace("_", " ")}\``)));
  });

  it("of PostgreSQL has a row for each trouble that its codes show", () => {
    const rows = firstCells("docs/operations/postgresql.md", "| `store` | what to look at |").join(", ");
    const troubles = new Set(STATES.map((code) => storeTroubleOf(Object.assign(new Error("refused"), { code }))));
    expect([...troubles].filter((trouble) => !rows.includes(`\`${trouble?.replace("_", " ")}\``))).toEqual([]);
    expect(troubles.size).toBe(STORE_TROUBLES.length - 1);
  });

  it("of recoveries has each reason why one pauses itself or is paused, but for what blocks its subscription", () => {
    const blocked: readonly string[] = [...BLOCKED_REASONS, "subscription_deleted"];
    const own = RECOVERY_REASONS.filter((reason) => !blocked.includes(reason));
    const rows = firstCells("docs/guides/recover-after-an-outage.md", "| state | means | do |").join(", ");
    expect(own.filter((reason) => !rows.includes(`(${reason.replaceAll("_", " ")})`))).toEqual([]);
    expect(own).toHaveLength(4);
  });

  it("of a delivery in Temporal's UI has a row for each way in which an attempt fails", () => {
    const rows = firstCells("docs/operations/watching-temporal.md", "| the bar says | what is wrong |").join(", ");
    const waiting = { kind: "waiting", waitMs: 60_000, attempts: 1, attemptsMax: 3 } as const;
    // After 410 there is no further attempt, and so no bar.
    const said = FAILED_OUTCOMES.filter((outcome) => outcome !== "gone").map((lastOutcome) =>
      lastAnswer({ ...waiting, lastOutcome, ...ANSWERED[lastOutcome] }),
    );
    expect(said.filter((sentence) => !rows.includes(sentence))).toEqual([]);
    expect(said).toHaveLength(9);
  });

  it("of signing out has a row for each page that a request for it can get", () => {
    const rows = firstCells("docs/sign-out.md", "| the person sees | because | what to do |");
    const { logoutMalformed, logoutHint, logoutApplication, logoutAddress, logoutGone } = en.errorPage.reasons;
    const titles = [logoutMalformed, logoutHint, logoutApplication, logoutAddress, logoutGone].map(
      ({ title }) => title,
    );
    expect(titles.filter((title) => !rows.includes(`*${title}*`))).toEqual([]);
  });

  it("of Temporal has a row for each sentence about the server", () => {
    const rows = firstCells("docs/operations/watching-temporal.md", "| it says | do |");
    const sources = ["server-check.ts", "server-trouble.ts"].map((name) => read(`src/runtime/temporal/${name}`));
    const sentences = sources.flatMap((source) => [...source.matchAll(/[`"](The [A-Z]?[^`"]+)[`"]/g)]);
    /** The parts of the row that are no "…", the first one at the beginning. */
    const fits = (row: string, sentence: string) => {
      const [first = "", ...rest] = row.replace(/\.$/, "").split(" …");
      return sentence.startsWith(first) && rest.every((part) => sentence.includes(part, first.length));
    };
    expect(sentences.map(([, text = ""]) => text).filter((text) => !rows.some((row) => fits(row, text)))).toEqual([]);
    expect(sentences.length).toBeGreaterThan(9);
  });
});
