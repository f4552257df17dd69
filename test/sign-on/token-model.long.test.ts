import fc from "fast-check";
import {
  ApplicationAuthentication,
  type ExchangeTokenRequest,
} from "../../generated/proto/gatehouse/sign_on/v1/tokens.ts";
import { eachStore, type TestStore } from "../support/stores.ts";
import { makeWorld, REDIRECT_URI, type World } from "../support/world.ts";
import { codesLike } from "./families-kit.ts";
import { openSignOn, type SignOn, signOnSets, withApplication } from "./sign-on-fixture.ts";

const RUNS = Number(process.env.GATEHOUSE_MODEL_RUNS ?? 25);
const CODE_MS = 60_000;
const ACCESS_MS = 300_000;
const IDLE_MS = 600_000;
const ABSOLUTE_MS = 2_000_000;
const WINDOW_MS = 30_000;

/** What the rules say, in as few words as they need: R-S9, R-S10, R-S11, R-S20. */
interface Model {
  readonly codes: { readonly expiresAt: number; family: number | undefined }[];
  readonly families: {
    revoked: boolean;
    readonly expiresAt: number;
    /** Oldest first; the last one is live. */
    readonly chain: { readonly expiresAt: number; replacedAt: number | undefined }[];
  }[];
}

/** The product, and what it has returned so far. */
interface Real {
  signOn: SignOn;
  readonly application: World;
  readonly nextCode: Awaited<ReturnType<typeof codesLike>>;
  readonly codes: string[];
  readonly families: { readonly refreshTokens: string[]; readonly accessToken: string; readonly accessEnd: number }[];
  restart(): Promise<void>;
}

type Command = fc.AsyncCommand<Model, Real>;

const now = ({ signOn }: Real): number => signOn.clock.now().getTime();

const exchange = async ({ signOn, application: { application } }: Real, grant: ExchangeTokenRequest["grant"]) => {
  const credentials = {
    authentication: ApplicationAuthentication.POST,
    applicationId: application.id,
    secret: application.secret,
  };
  return signOn.tokens.exchangeToken({ application: credentials, grant }).catch((error: { reason: string }) => {
    expect(error.reason).toBe("invalid_grant");
    return undefined;
  });
};

/** Counted from the newest, which is what most commands are about: old ones have mostly ended. */
const pick = <T>(items: readonly T[], back: number): T => items[items.length - 1 - (back % items.length)] as T;

const issueCode: Command = {
  check: () => true,
  async run(model, real) {
    const at = now(real);
    const { code, row } = real.nextCode({ issued_at: at, expires_at: at + CODE_MS });
    await real.signOn.db.insertInto("sign_on_families").values(row).execute();
    real.codes.push(code);
    model.codes.push({ expiresAt: at + CODE_MS, family: undefined });
  },
  toString: () => "issue code",
};

const redeemCode = (at: number): Command => ({
  check: ({ codes }) => codes.length > 0,
  async run(model, real) {
    const known = pick(model.codes, at);
    const value = { code: pick(real.codes, at), redirectUri: REDIRECT_URI, codeVerifier: null };
    const tokens = await exchange(real, { $case: "authorizationCode", value });
    const good = known.family === undefined && now(real) < known.expiresAt;
    expect(tokens !== undefined).toBe(good);
    if (known.family !== undefined) (model.families[known.family] as Model["families"][number]).revoked = true;
    if (tokens === undefined) return;
    known.family = model.families.length;
    const expiresAt = now(real) + ABSOLUTE_MS;
    const chain = [{ expiresAt: now(real) + IDLE_MS, replacedAt: undefined }];
    model.families.push({ revoked: false, expiresAt, chain });
    const accessEnd = Math.floor(now(real) / 1000) * 1000 + ACCESS_MS;
    real.families.push({ refreshTokens: [tokens.refreshToken], accessToken: tokens.accessToken, accessEnd });
  },
  toString: () => `redeem code ${at}`,
});

const refresh = (of: number, back: number): Command => ({
  check: ({ families }) => families.length > 0,
  async run(model, real) {
    const family = pick(model.families, of);
    const { refreshTokens } = pick(real.families, of);
    const index = Math.max(0, refreshTokens.length - 1 - back);
    const link = family.chain[index] as Model["families"][number]["chain"][number];
    const at = now(real);
    const tokens = await exchange(real, {
      $case: "refreshToken",
      value: { refreshToken: refreshTokens[index] ?? "", scopes: [] },
    });
    const alive = !family.revoked && at < family.expiresAt;
    const isLeaf = link.replacedAt === undefined;
    const successorUsed = index + 1 < family.chain.length - 1;
    const repeats = !isLeaf && !successorUsed && Math.abs(at - (link.replacedAt ?? 0)) < WINDOW_MS;
    expect(tokens !== undefined).toBe(alive && (isLeaf ? at < link.expiresAt : repeats));
    if (alive && !isLeaf && !repeats) family.revoked = true;
    // A repeat returns the successor that is known; a first use returns a new one; a refusal returns none.
    const known = tokens === undefined ? undefined : refreshTokens.indexOf(tokens.refreshToken);
    expect(known).toBe(tokens === undefined ? undefined : isLeaf ? -1 : index + 1);
    if (tokens === undefined || !isLeaf) return;
    link.replacedAt = at;
    family.chain.push({ expiresAt: Math.min(at + IDLE_MS, family.expiresAt), replacedAt: undefined });
    refreshTokens.push(tokens.refreshToken);
  },
  toString: () => `refresh family ${of}, ${back} back`,
});

const readUserinfo = (of: number): Command => ({
  check: ({ families }) => families.length > 0,
  async run(model, real) {
    const family = pick(model.families, of);
    const { accessToken, accessEnd } = pick(real.families, of);
    const told = await real.signOn.tokens.getUserinfo({ accessToken }).catch(() => undefined);
    const at = now(real);
    expect(told !== undefined).toBe(!family.revoked && at < family.expiresAt && at < accessEnd);
  },
  toString: () => `userinfo of family ${of}`,
});

const stepClock = (ms: number): Command => ({
  check: () => true,
  run: async (_, real) => real.signOn.clock.step(ms),
  toString: () => `clock ${ms} ms`,
});

const crash: Command = { check: () => true, run: (_, real) => real.restart(), toString: () => "crash" };

const STEPS = [1, 1_000, WINDOW_MS - 1, WINDOW_MS, CODE_MS, IDLE_MS - 1, IDLE_MS, -1, -10_000, -CODE_MS, -IDLE_MS];
const which = fc.constantFrom(0, 0, 0, 1, 2);
const refreshOf = (back: number) => which.map((of) => refresh(of, back));
const COMMANDS = [
  fc.constant(issueCode),
  fc.constant(redeemCode(0)),
  which.map(redeemCode),
  ...[0, 0, 0, 1, 1, 2].map(refreshOf),
  which.map(readUserinfo),
  fc.constantFrom(...STEPS).map(stepClock),
  fc.constantFrom(1, 1_000, WINDOW_MS - 1, WINDOW_MS).map(stepClock),
  fc.constant(crash),
];

eachStore((name, open) => {
  it("codes and refresh tokens do what a small model does, through crashes and steps of the clock (S24, S25, R-S10, R-S11)", async () => {
    const opened = await open(signOnSets);
    let closers: (() => Promise<void>)[] = [];
    const start = (store: TestStore, options?: Parameters<typeof openSignOn>[2]) =>
      openSignOn(store, (closer) => void closers.push(closer), options);
    let signOn = await start(opened);
    const { clock, issuer } = signOn;
    const lifetimes = {
      authorizationCodeSeconds: CODE_MS / 1000,
      accessTokenSeconds: ACCESS_MS / 1000,
      refreshTokenIdleSeconds: IDLE_MS / 1000,
      refreshTokenAbsoluteSeconds: ABSOLUTE_MS / 1000,
    };
    const application = await withApplication(signOn, await makeWorld(signOn), { lifetimes });
    const nextCode = await codesLike(signOn, application);
    // One process opens the embedded store (R-D3): another one begins with the stored rows alone.
    const store = await opened.again();
    const set = (): { model: Model; real: Real } => ({
      model: { codes: [], families: [] },
      real: {
        signOn,
        application,
        nextCode,
        codes: [],
        families: [],
        async restart() {
          const before = closers;
          closers = [];
          for (const close of before) await close();
          signOn = await start(store, { clock, issuer });
          this.signOn = signOn;
        },
      },
    });
    await fc.assert(
      fc.asyncProperty(fc.commands(COMMANDS, { maxCommands: 60, size: "max" }), (commands) =>
        fc.asyncModelRun(set, commands),
      ),
      { numRuns: RUNS },
    );
    for (const close of closers) await close();
    expect(opened.store.dialect).toBe(name);
  }, 240_000);
});
