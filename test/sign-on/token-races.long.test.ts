import type { ExchangeTokenRequest } from "../../generated/proto/gatehouse/sign_on/v1/tokens.ts";
import { closingAfterAll } from "../support/scope.ts";
import { eachStore } from "../support/stores.ts";
import { makeWorld, type World } from "../support/world.ts";
import { codesLike, redeeming, refreshing } from "./families-kit.ts";
import { openSignOn, type SignOn, signOnSets, withApplication } from "./sign-on-fixture.ts";

/** `make races` has ten thousand. */
const MANY = Number(process.env.GATEHOUSE_RACES ?? 12);
const CALLERS = 50;
/** Raced at a time: the others wait, so that no store is asked more than it has connections for. */
const AT_ONCE = 4;
/** Processes that share the store. */
const INSTANCES = 3;
const MINUTE_MS = 60_000;

eachStore((_, open) => {
  let signOns: readonly SignOn[];
  let first: SignOn;
  let world: World;
  let strict: World;
  const closeLater = closingAfterAll();

  beforeAll(async () => {
    const opened = await open(signOnSets);
    first = await openSignOn(opened, closeLater);
    const { clock, issuer } = first;
    const others = await opened.racers(INSTANCES - 1);
    signOns = [first, ...(await Promise.all(others.map((other) => openSignOn(other, closeLater, { clock, issuer }))))];
    world = await makeWorld(first);
    strict = await withApplication(first, world, { refreshRepeatSeconds: 0 });
  });

  /** Codes as sign-ins would leave them, without the sign-ins. */
  async function manyCodes(of: World): Promise<readonly string[]> {
    const next = await codesLike(first, of);
    const made = Array.from({ length: MANY }, () => next());
    for (let start = 0; start < MANY; start += 500) {
      const rows = made.slice(start, start + 500).map(({ row }) => row);
      await first.db.insertInto("sign_on_families").values(rows).execute();
    }
    return made.map(({ code }) => code);
  }

  /** Everybody asks for the same thing at once; how many got an answer, and which, and how the others were refused. */
  async function race(request: ExchangeTokenRequest) {
    const outcomes = await Promise.allSettled(
      Array.from({ length: CALLERS }, (_caller, index) =>
        (signOns[index % signOns.length] ?? first).tokens.exchangeToken(request),
      ),
    );
    const answers = outcomes.flatMap((outcome) => (outcome.status === "fulfilled" ? [outcome.value] : []));
    const reasons = outcomes.flatMap((outcome) => (outcome.status === "rejected" ? [outcome.reason.reason] : []));
    return { answers, reasons: [...new Set(reasons)] };
  }

  async function inTurns<T, R>(items: readonly T[], work: (item: T) => Promise<R>): Promise<readonly R[]> {
    const results: R[] = [];
    for (let start = 0; start < items.length; start += AT_ONCE)
      results.push(...(await Promise.all(items.slice(start, start + AT_ONCE).map(work))));
    return results;
  }

  async function endsOf(of: World): Promise<Readonly<Record<string, number>>> {
    const rows = await first.db
      .selectFrom("sign_on_families")
      .select((select) => ["revoked_because", select.fn.countAll<number>().as("count")])
      .where("application_id", "=", of.application.id)
      .where("generation", ">", 0)
      .groupBy("revoked_because")
      .execute();
    return Object.fromEntries(rows.map((row) => [String(row.revoked_because), Number(row.count)]));
  }

  it(
    `${MANY} codes × ${CALLERS} redemptions: as many successes as codes, and each family then revoked (R-S11, S20, RFC 9700 statement 13)`,
    async () => {
      const raced = await withApplication(first, world);
      const results = await inTurns(await manyCodes(raced), (code) => race(redeeming(raced, code)));
      expect(results.filter(({ answers }) => answers.length !== 1)).toEqual([]);
      expect(new Set(results.flatMap(({ reasons }) => reasons))).toEqual(new Set(["invalid_grant"]));
      expect(await endsOf(raced)).toEqual({ "authorization code replayed": MANY });
      const tokens = results.flatMap(({ answers }) => answers).slice(0, 50);
      const refused = await Promise.allSettled(
        tokens.map(({ accessToken }) => first.tokens.getUserinfo({ accessToken })),
      );
      expect(refused.filter(({ status }) => status === "fulfilled")).toEqual([]);
    },
    MINUTE_MS + MANY * 400,
  );

  it(
    `${MANY} refresh tokens × ${CALLERS} uses inside the window: one successor each, and no refusal (R-S10, S24)`,
    async () => {
      const started = await inTurns(await manyCodes(world), (code) =>
        first.tokens.exchangeToken(redeeming(world, code)),
      );
      const results = await inTurns(started, ({ refreshToken }) => race(refreshing(world, refreshToken)));
      expect(results.filter(({ answers }) => answers.length !== CALLERS)).toEqual([]);
      const successors = results.map(({ answers }) => new Set(answers.map(({ refreshToken }) => refreshToken)));
      expect(successors.filter(({ size }) => size !== 1)).toEqual([]);
      expect(await endsOf(world)).toEqual({ null: MANY });
    },
    MINUTE_MS + MANY * 600,
  );

  it(
    `${MANY} refresh tokens × ${CALLERS} uses without a window: as many successes as tokens, and each family then revoked (S24, RFC 9700 statement 22)`,
    async () => {
      const codes = await manyCodes(strict);
      const started = await inTurns(codes, (code) => first.tokens.exchangeToken(redeeming(strict, code)));
      const results = await inTurns(started, ({ refreshToken }) => race(refreshing(strict, refreshToken)));
      expect(results.filter(({ answers }) => answers.length !== 1)).toEqual([]);
      expect(new Set(results.flatMap(({ reasons }) => reasons))).toEqual(new Set(["invalid_grant"]));
      expect(await endsOf(strict)).toEqual({ "refresh token reused": MANY });
    },
    MINUTE_MS + MANY * 600,
  );
});
