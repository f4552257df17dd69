import type { PersonId } from "../../../src/runtime/basis/ids.ts";
import { createHashingQueue } from "../../../src/sign-on/credentials/hashing-queue.ts";
import { hashPassword } from "../../../src/sign-on/credentials/password-hash.ts";
import { createPasswords } from "../../../src/sign-on/credentials/passwords.ts";
import type { SenderNetwork } from "../../../src/sign-on/throttling/network.ts";
import { seededRandom } from "../../support/random.ts";

const COST = { memoryKib: 64, passes: 1 };
const MAREN = "person_1" as PersonId;
const NEW = "person_2" as PersonId;
const HERE = { narrow: "here", wide: "here" };

async function passwordsOf(stored: string) {
  const random = seededRandom();
  const hash = await hashPassword(stored, COST, random);
  const counted = { hashes: 0, lookUps: 0 };
  const credentials = {
    async findPasswordHash(id: PersonId) {
      counted.lookUps++;
      return id === MAREN ? hash : undefined;
    },
  };
  const inner = createHashingQueue({ concurrency: 1, length: 1 });
  const queue = {
    depth: inner.depth,
    run<T>(network: SenderNetwork, work: () => Promise<T>) {
      counted.hashes++;
      return inner.run(network, work);
    },
  };
  const passwords = await createPasswords({ credentials, queue, cost: COST, random });
  return { passwords, hash, counted, credentials, queue, random };
}

describe("checking a password (R-S17, S16)", () => {
  it.each<[string, PersonId | undefined, string, boolean]>([
    ["the right password", MAREN, "correct horse", true],
    ["a wrong password", MAREN, "incorrect horse", false],
    ["no password", MAREN, "", false],
    ["a person without one", NEW, "correct horse", false],
    ["a person without one, and none", NEW, "", false],
    ["no person", undefined, "correct horse", false],
    ["no person, no password", undefined, "", false],
  ])("costs one look-up and one hash for every person: %s", async (_, personId, password, expected) => {
    const { passwords, hash, counted } = await passwordsOf("correct horse");
    expect(await passwords.match(personId, password)).toBe(expected ? hash : undefined);
    expect(counted).toEqual({ hashes: 1, lookUps: 1 });
  });

  it.each<[string, PersonId | undefined]>([
    ["a person whose password it begins with", MAREN],
    ["no person", undefined],
  ])("fits no text that is longer than any password, after the same work: %s (R-X377)", async (_, personId) => {
    const longest = "é".repeat(1_024);
    const { passwords, hash, counted } = await passwordsOf(longest);
    expect(await passwords.match(MAREN, longest)).toBe(hash);
    expect(await passwords.match(personId, `${longest}é`)).toBeUndefined();
    expect(counted).toEqual({ hashes: 2, lookUps: 2 });
  });

  it("works as hard as for the costliest hash that is stored, or that it meets (R-X380)", async () => {
    const { credentials, queue, random, hash } = await passwordsOf("correct horse");
    const salts = { made: 0 };
    const counting = {
      bytes(count: number) {
        salts.made++;
        return random.bytes(count);
      },
    };
    const costlier = await hashPassword("x", { memoryKib: 256, passes: 3 }, random);
    const fresh = () => createPasswords({ credentials, queue, cost: COST, random: counting });
    /** Hashes besides the comparison itself, each with a salt of its own. */
    const more = async (passwords: Awaited<ReturnType<typeof fresh>>, personId: PersonId | undefined) => {
      salts.made = 0;
      await passwords.match(personId, "x");
      return salts.made;
    };
    const stored = [hash, costlier, "no argon2id hash"];
    const started = await createPasswords({ credentials, queue, cost: COST, stored, random: counting });
    expect([await more(started, undefined), await more(started, MAREN), await more(started, NEW)]).toEqual([1, 1, 1]);
    const meeting = await fresh();
    expect(await more(meeting, undefined)).toBe(0);
    const otherwise = credentials.findPasswordHash;
    credentials.findPasswordHash = async (id) => (id === NEW ? costlier : otherwise(id));
    expect(await more(meeting, NEW)).toBe(0);
    expect([await more(meeting, undefined), await more(meeting, MAREN)]).toEqual([1, 1]);
  });

  it("works as hard for a hash of cheaper days, and renews it only then (R-X89)", async () => {
    const { hash, random, credentials, counted, queue } = await passwordsOf("correct horse");
    const dearer = { memoryKib: 128, passes: 2 };
    const passwords = await createPasswords({ credentials, queue, cost: dearer, random });
    expect(await passwords.match(MAREN, "correct horse", HERE)).toBe(hash);
    expect(counted).toEqual({ hashes: 1, lookUps: 1 });
    const renewed = (await passwords.renew(hash, "correct horse", HERE)) ?? "";
    expect(renewed).toMatch(/^\$argon2id\$v=19\$m=128,t=2,p=1\$/);
    expect(await passwords.renew(renewed, "correct horse", HERE)).toBeUndefined();
    expect(passwords.hashMs).toBeGreaterThan(0);
  });
});
