import fc from "fast-check";
import {
  ID_PREFIXES,
  type IdKind,
  isAnyId,
  newId,
  newTimedId,
  parseId,
  randomCharacters,
} from "../../../src/runtime/basis/ids.ts";
import { newSecret, systemRandom } from "../../../src/runtime/basis/random.ts";
import { seededRandom } from "../../support/random.ts";

const kinds = Object.keys(ID_PREFIXES) as IdKind[];
const kind = fc.constantFrom(...kinds);

describe("public ids (R-D5, R-G13)", () => {
  it("have the prefixes of the ruling", () => {
    expect(ID_PREFIXES).toMatchObject({
      application: "app",
      instance: "instance",
      integration: "integration",
      instanceIntegration: "installation",
      tenant: "client",
      person: "person",
      workerProfile: "profile",
      user: "user",
      worker: "worker",
      unitType: "unittype",
      organizationUnit: "unit",
      organizationLocation: "location",
      event: "event",
      subscription: "subscription",
      delivery: "delivery",
      apiKey: "apikey",
    });
    expect(new Set(Object.values(ID_PREFIXES)).size).toBe(kinds.length);
  });

  it("are prefix, underscore and 21 characters of A-Z a-z 0-9, for every kind and seed", () => {
    fc.assert(
      fc.property(kind, fc.string(), (of, seed) => {
        const id = newId(of, seededRandom(seed));
        expect(id).toMatch(new RegExp(`^${ID_PREFIXES[of]}_[A-Za-z0-9]{21}$`));
        expect(parseId(of, id)).toBe(id);
      }),
    );
  });

  it("of events and deliveries have the same form, and follow the time when they were made (R-D5)", () => {
    const instant = fc.date({ min: new Date(0), max: new Date("2080-01-01"), noInvalidDate: true });
    fc.assert(
      fc.property(instant, instant, fc.string(), (one, other, seed) => {
        const first = newTimedId("event", one, seededRandom(seed));
        const second = newTimedId("event", other, seededRandom(seed));
        expect(parseId("event", first)).toBe(first);
        expect(first < second).toBe(one < other);
      }),
    );
    const at = new Date();
    expect(newTimedId("delivery", at, systemRandom)).not.toBe(newTimedId("delivery", at, systemRandom));
  });

  it("belong to one kind only", () => {
    fc.assert(
      fc.property(kind, kind, (of, other) => {
        fc.pre(of !== other);
        expect(parseId(other, newId(of, seededRandom()))).toBeUndefined();
      }),
    );
  });

  it("are told from other texts, whatever their kind", () => {
    fc.assert(fc.property(kind, (of) => isAnyId(newId(of, seededRandom()))));
    expect(["", "SYMMETRIC", "whsec_0123456789abcdefghijk", "https://hooks.example/in"].filter(isAnyId)).toEqual([]);
  });

  it("are rejected with another character, length or case of the prefix", () => {
    const id = newId("tenant", seededRandom());
    const foreign = fc.constantFrom(..."_-./% \n\0é✓＋".split(""));
    fc.assert(
      fc.property(fc.nat(id.length - 1), foreign, (at, character) => {
        fc.pre(id[at] !== character);
        expect(parseId("tenant", id.slice(0, at) + character + id.slice(at + 1))).toBeUndefined();
      }),
    );
    const others = [
      `${id}x`,
      `${id}\n`,
      ` ${id}`,
      id.slice(0, -1),
      id.toUpperCase(),
      "client_",
      "",
      "client",
      "__proto__",
    ];
    expect(others.filter((text) => parseId("tenant", text) !== undefined)).toEqual([]);
  });

  it("use every character of the alphabet, and draw bytes again that would favour some", () => {
    const text = randomCharacters(seededRandom(), 5_000);
    expect(new Set(text).size).toBe(62);
    // Bytes from 248 upwards are skipped: the 62 below mean A to 9.
    const bytes = [Buffer.from([255, 248, 0, 61, 62, 247]), Buffer.from([1])];
    expect(randomCharacters({ bytes: () => bytes.shift() ?? Buffer.of(2) }, 6)).toBe("A9A9BC");
  });
});

describe("secrets", () => {
  it("are 43 characters of base64url, 256 bits", () => {
    const secret = newSecret(systemRandom);
    expect(secret).toMatch(/^[A-Za-z0-9_-]{43}$/);
    expect(Buffer.from(secret, "base64url").length).toBe(32);
    expect(newSecret(systemRandom)).not.toBe(secret);
  });
});
