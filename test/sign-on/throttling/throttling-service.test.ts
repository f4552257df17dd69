import { systemRandom } from "../../../src/runtime/basis/random.ts";
import { createChanges } from "../../../src/runtime/changes/change.ts";
import { createSealer } from "../../../src/runtime/sealing/sealing.ts";
import type { SignOnTables } from "../../../src/sign-on/tables.ts";
import type { Throttle, ThrottlePlans } from "../../../src/sign-on/throttling/throttle.ts";
import { throttleRepository } from "../../../src/sign-on/throttling/throttle-repository.ts";
import { createThrottling, type ThrottledSubject } from "../../../src/sign-on/throttling/throttling-service.ts";
import { standingClock } from "../../support/clock.ts";
import { eachStore, type TestStore } from "../../support/stores.ts";
import { signOnSets } from "../sign-on-fixture.ts";

const NOW = new Date("2026-06-30T08:15:27.412Z");
const later = (ms: number) => new Date(NOW.getTime() + ms);
const EMAIL_PLAN = { free: 1, forgetMs: 60_000, firstWaitMs: 10_000, longestWaitMs: 40_000 };
const NETWORK_PLAN = { free: 1, forgetMs: 30_000, firstWaitMs: 3_000, longestWaitMs: 12_000 };
const WIDE_PLAN = { free: 2, forgetMs: 3_000, firstWaitMs: 3_000, longestWaitMs: 12_000 };
const BOTH: ThrottlePlans = { email: EMAIL_PLAN, network: NETWORK_PLAN, wideNetwork: WIDE_PLAN };
const sealer = createSealer([Buffer.alloc(32, 1)], systemRandom);
/** When the password was set that the person has. */
const SET_AT = new Date("2026-02-01T10:00:00.000Z");
const ATTEMPT = {
  email: " Maren@Harbour.example",
  networkAddress: "192.0.2.7",
  deviceProof: undefined,
  passwordSetAt: async (): Promise<Date | undefined> => SET_AT,
};

eachStore((_, open) => {
  let store: TestStore;
  beforeAll(async () => {
    store = await open(signOnSets);
  });

  /** Throttling with these plans, over a store that remembers nothing yet. */
  async function opened(
    plans: ThrottlePlans = BOTH,
    spoil = (throttles: ReturnType<typeof throttleRepository>) => throttles,
  ) {
    const db = store.store.view<SignOnTables>();
    await db.deleteFrom("sign_on_throttles").execute();
    const clock = standingClock(NOW);
    const throttles = throttleRepository(db);
    const throttling = createThrottling({ throttles: spoil(throttles), plans, sealer, clock });
    const changes = createChanges<SignOnTables>({ ...store, clock, random: systemRandom });
    const fail = (subjects: readonly ThrottledSubject[]) => changes.run((change) => throttling.fail(change, subjects));
    const succeed = (subjects: readonly ThrottledSubject[]) =>
      changes.run((change) => throttling.succeed(change, subjects));
    const subjects = await throttling.subjectsOf(ATTEMPT);
    const subjectOf = (kind: string) => subjects.filter((subject) => subject.kind === kind);
    const [email, network] = [subjectOf("email"), subjectOf("network")] as const;
    return { clock, throttles, throttling, changes, fail, succeed, email, network };
  }

  describe("what failed sign-ins are counted by (R-X87, R-X91)", () => {
    const email = { kind: "email", plan: EMAIL_PLAN, digest: sealer.digest("maren@harbour.example", "throttle/email") };
    const network = { kind: "network", plan: NETWORK_PLAN, digest: sealer.digest("192.0.2.7/32", "throttle/network") };

    it("a network of IPv6 is counted with the wide one around it (R-X436)", async () => {
      const { throttling } = await opened();
      const subjects = await throttling.subjectsOf({ ...ATTEMPT, networkAddress: "2001:db8:7:41::9" });
      const narrow = sealer.digest("2001:db8:7:41::/64", "throttle/network");
      const wide = sealer.digest("2001:db8:7::/48", "throttle/network");
      expect(subjects).toEqual([
        email,
        { kind: "network", plan: NETWORK_PLAN, digest: narrow },
        { kind: "network", plan: WIDE_PLAN, digest: wide },
      ]);
    });

    it.each<[string, Partial<ThrottlePlans>, readonly unknown[]]>([
      ["both", {}, [email, network]],
      ["addresses", { network: undefined }, [email]],
      ["networks", { email: undefined }, [network]],
      ["nothing", { email: undefined, network: undefined }, []],
    ])("throttling %s: by keyed digests of what is switched on", async (_title, off, subjects) => {
      const { throttling } = await opened({ ...BOTH, ...off });
      expect(await throttling.subjectsOf(ATTEMPT)).toEqual(subjects);
    });

    it("a browser with a proof for the address is counted by the proof alone, as long as it is good", async () => {
      const { clock, throttling } = await opened();
      const deviceProof = throttling.deviceProof("maren@harbour.example", NOW, SET_AT) ?? "";
      const device = { kind: "device", plan: EMAIL_PLAN, digest: sealer.digest(deviceProof, "throttle/device") };
      expect(await throttling.subjectsOf({ ...ATTEMPT, deviceProof })).toEqual([device]);
      const others = [
        { ...ATTEMPT, deviceProof, email: "tomas@harbour.example" },
        { ...ATTEMPT, deviceProof: `${deviceProof}A` },
      ];
      const subjects = await Promise.all(others.map((attempt) => throttling.subjectsOf(attempt)));
      expect(subjects.map((one) => one.map(({ kind }) => kind))).toEqual(Array(2).fill(["email", "network"]));
      clock.step(180 * 86_400_000);
      expect(await throttling.subjectsOf({ ...ATTEMPT, deviceProof })).toEqual([email, network]);
    });

    it("a proof counts for nothing when the person has another password than the one by which it was earned, or none", async () => {
      const { throttling } = await opened();
      const deviceProof = throttling.deviceProof("maren@harbour.example", NOW, SET_AT);
      for (const setAt of [new Date(SET_AT.getTime() + 1), new Date(SET_AT.getTime() - 1), undefined]) {
        const attempt = { ...ATTEMPT, deviceProof, passwordSetAt: async () => setAt };
        expect(await throttling.subjectsOf(attempt)).toEqual([email, network]);
      }
    });

    it("asks for the password of nobody whose address no proof names", async () => {
      const { throttling } = await opened();
      const deviceProof = throttling.deviceProof("tomas@harbour.example", NOW, SET_AT);
      let asked = 0;
      const passwordSetAt = async () => {
        asked++;
        return SET_AT;
      };
      for (const proof of [deviceProof, "none", undefined])
        await throttling.subjectsOf({ ...ATTEMPT, deviceProof: proof, passwordSetAt });
      expect(asked).toBe(0);
    });

    it("while addresses are not throttled no proof is given, and an old one counts for nothing", async () => {
      const deviceProof = (await opened()).throttling.deviceProof("maren@harbour.example", NOW, SET_AT);
      const { throttling } = await opened({ ...BOTH, email: undefined });
      expect(throttling.deviceProof("maren@harbour.example", NOW, SET_AT)).toBeUndefined();
      expect(await throttling.subjectsOf({ ...ATTEMPT, deviceProof })).toEqual([network]);
    });
  });

  describe("counting failed sign-ins (R-S17, R-X87)", () => {
    it("each failure of an address beyond the free ones begins a wait; failures during a wait are not counted", async () => {
      const { clock, throttling, fail, email } = await opened();
      expect(await throttling.waitLeft(email)).toBe(0);
      expect(await fail(email)).toEqual({ waitMs: 0, begun: [] });
      expect(await throttling.waitLeft(email)).toBe(0);
      expect(await fail(email)).toEqual({ waitMs: 0, begun: [{ kind: "email", waitMs: 10_000 }] });
      clock.step(4_000);
      expect(await fail(email)).toEqual({ waitMs: 6_000, begun: [] });
      expect(await throttling.waitLeft(email)).toBe(6_000);
      clock.step(6_000);
      expect(await throttling.waitLeft(email)).toBe(0);
      expect(await fail(email)).toEqual({ waitMs: 0, begun: [{ kind: "email", waitMs: 20_000 }] });
    });

    it("the wait of an address in browsers without a proof is that of its own failures, however it is spelled", async () => {
      const { clock, throttling, fail, email, network } = await opened();
      for (let failures = 0; failures < 2; failures++) await fail([...email, ...network]);
      clock.step(4_000);
      const addresses = ["maren@harbour.example", " Maren@Harbour.example", "tomas@harbour.example"];
      expect(await Promise.all(addresses.map((address) => throttling.waitOf(address)))).toEqual([6_000, 6_000, 0]);
      expect(await (await opened({ ...BOTH, email: undefined })).throttling.waitOf("maren@harbour.example")).toBe(0);
    });

    it("those of a network are counted also while it must wait, since each attempt was judged by its own address", async () => {
      const { fail, network } = await opened();
      const seen = [await fail(network), await fail(network), await fail(network)];
      const begun = (waitMs: number) => ({ waitMs: 0, begun: [{ kind: "network", waitMs }] });
      expect(seen).toEqual([{ waitMs: 0, begun: [] }, begun(3_000), begun(6_000)]);
    });

    it("failures from many networks of a wide one make all of it wait, and no other network (R-X436)", async () => {
      const { throttling, fail } = await opened({ ...BOTH, email: undefined });
      const from = (networkAddress: string) => throttling.subjectsOf({ ...ATTEMPT, networkAddress });
      const begun: unknown[] = [];
      for (const group of ["1", "2", "3", "4"]) begun.push((await fail(await from(`2001:db8:7:${group}::9`))).begun);
      const wait = (waitMs: number) => [{ kind: "network", waitMs }];
      expect(begun).toEqual([[], [], wait(3_000), wait(6_000)]);
      const waits = ["2001:db8:7:5::9", "2001:db8:8:1::9", "192.0.2.7"].map(async (address) =>
        throttling.waitLeft(await from(address)),
      );
      expect(await Promise.all(waits)).toEqual([6_000, 0, 0]);
    });

    it("an attempt waits as long as the one of its subjects that waits longest, and its failure counts for all", async () => {
      const { throttling, fail, email, network } = await opened();
      const both = [...email, ...network];
      await fail(both);
      expect(await fail(both)).toEqual({
        waitMs: 0,
        begun: [
          { kind: "email", waitMs: 10_000 },
          { kind: "network", waitMs: 3_000 },
        ],
      });
      const waits = [both, both.toReversed(), email, network, []].map((subjects) => throttling.waitLeft(subjects));
      expect(await Promise.all(waits)).toEqual([10_000, 10_000, 10_000, 3_000, 0]);
      // What is not looked at for its address does not count for its network either.
      expect(await fail(both)).toEqual({ waitMs: 10_000, begun: [] });
      expect(await throttling.waitLeft(network)).toBe(3_000);
    });

    it.each([0, 1])("one that meets another, after %i failures before both, is counted after it", async (before) => {
      let seen: "as it is" | "as it was" = "as it is";
      const { throttles, changes, fail, email } = await opened(BOTH, (real) => ({
        ...real,
        async findIn(tx, subject) {
          const found = await real.findIn(tx, subject);
          if (seen === "as it is") return found;
          seen = "as it is";
          return old;
        },
      }));
      for (let failures = 0; failures < before; failures++) await fail(email);
      const digest = email[0]?.digest ?? Buffer.alloc(0);
      const old = await throttles.find(digest);
      const faster = { clearAt: later(120_000), openAt: later(-1) };
      await changes.run(({ db }) => throttles.replace(db, digest, old, faster));
      seen = "as it was";
      expect(await fail(email)).toEqual({ waitMs: 0, begun: [{ kind: "email", waitMs: 20_000 }] });
    });
  });

  describe("after a sign-in that succeeded (R-S17)", () => {
    it("forgets what was written while the store's clock was an hour ahead", async () => {
      const { clock, throttling, throttles, fail, succeed, email } = await opened();
      clock.step(3_600_000);
      await fail(email);
      await fail(email);
      clock.step(-3_600_000);
      expect([await throttling.waitLeft(email), await succeed(email)]).toEqual([0, 0]);
      expect(await throttles.find(email[0]?.digest ?? Buffer.alloc(0))).toBeUndefined();
      await fail(email);
      expect(await throttling.waitLeft(email)).toBe(0);
    });

    it("forgets the failures of the address, and keeps those of the network and of other addresses", async () => {
      const { throttling, fail, succeed, email, network } = await opened();
      const other = (await throttling.subjectsOf({ ...ATTEMPT, email: "tomas@harbour.example" })).slice(0, 1);
      for (const subjects of [email, network, other]) await fail(subjects);
      expect(await succeed([...network, ...email])).toBe(0);
      const begun = [await fail(email), await fail(network), await fail(other)].map((failed) => failed.begun.length);
      expect(begun).toEqual([0, 1, 1]);
    });

    it("says how long to wait, and forgets nothing, when the address must wait by now; at the end of the wait it forgets", async () => {
      const { clock, throttling, fail, succeed, email } = await opened();
      for (let failures = 0; failures < 2; failures++) await fail(email);
      clock.step(9_999);
      expect([await succeed(email), await throttling.waitLeft(email)]).toEqual([1, 1]);
      clock.step(1);
      expect(await succeed(email)).toBe(0);
      expect(await fail(email)).toEqual({ waitMs: 0, begun: [] });
    });

    it("forgets the failures of each subject that it is given, up to the first that must wait", async () => {
      const { throttling, fail, succeed, email } = await opened();
      const other = async (address: string) =>
        (await throttling.subjectsOf({ ...ATTEMPT, email: address })).slice(0, 1);
      const [second, third] = [await other("tomas@harbour.example"), await other("ina@harbour.example")] as const;
      for (const subjects of [email, second, second, third]) await fail(subjects);
      expect(await succeed([...email, ...second, ...third])).toBe(10_000);
      expect(await succeed([...email, ...third])).toBe(0);
      const begun = [await fail(email), await fail(third)].map((failed) => failed.begun.length);
      expect(begun).toEqual([0, 0]);
    });

    it("has nothing to say where a network alone is throttled", async () => {
      const { fail, succeed, network } = await opened();
      for (let failures = 0; failures < 2; failures++) await fail(network);
      expect(await succeed(network)).toBe(0);
    });
  });

  describe("what is stored of failed sign-ins (S17)", () => {
    const digest = Buffer.alloc(32, 7);
    const stored: Throttle = { clearAt: later(60_000), openAt: later(10_000) };
    const after: Throttle = { clearAt: later(120_000), openAt: later(20_000) };

    it.each<[string, Throttle | undefined, boolean]>([
      ["what is stored", stored, true],
      ["nothing", undefined, false],
      ["another end", { ...stored, clearAt: later(60_001) }, false],
      ["another wait", { ...stored, openAt: later(10_001) }, false],
    ])("is replaced by a caller who has the stored value: %s", async (_title, before, replaced) => {
      const { throttles, changes } = await opened();
      const other = Buffer.alloc(32, 8);
      for (const subject of [digest, other]) {
        expect(await changes.run(({ db }) => throttles.replace(db, subject, undefined, stored))).toBe(true);
      }
      expect(await changes.run(({ db }) => throttles.replace(db, digest, before, after))).toBe(replaced);
      expect(await throttles.find(digest)).toEqual(replaced ? after : stored);
      expect(await throttles.find(other)).toEqual(stored);
      expect(await throttles.find(Buffer.alloc(32, 9))).toBeUndefined();
    });
  });
});
