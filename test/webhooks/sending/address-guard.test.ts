import type { LookupAddress } from "node:dns";
import { AddressForbidden, addressGuard, NameUnresolved } from "../../../src/webhooks/sending/address-guard.ts";
import { outcomeOfError } from "../../../src/webhooks/sending/attempt-sender.ts";
import { systemResolve } from "../../../src/webhooks/sending/name-resolver.ts";
import { networks } from "./attempt-sender-kit.ts";

type Guard = ReturnType<typeof addressGuard>;

const lookup = (guard: Guard, name: string, all = true) =>
  new Promise<string | LookupAddress[]>((resolve, reject) =>
    guard.lookup(name, { all }, (error, found) => (error ? reject(error) : resolve(found))),
  );

const answering = (...addresses: readonly string[]) => {
  let asked = 0;
  const resolve = async () => {
    asked++;
    return addresses.map((address) => ({ address, family: address.includes(":") ? 6 : 4 }));
  };
  return { resolve, asked: () => asked };
};

describe("the address guard", () => {
  it("returns every permitted address, in the form that was asked for", async () => {
    const guard = addressGuard([], answering("1.1.1.1", "2606:4700:4700::1111").resolve);
    expect(await lookup(guard, "x.example")).toEqual([
      { address: "1.1.1.1", family: 4 },
      { address: "2606:4700:4700::1111", family: 6 },
    ]);
    expect(await lookup(guard, "x.example", false)).toBe("1.1.1.1");
  });

  it("refuses the whole answer when any address is forbidden, whatever its place (W12)", async () => {
    for (const answers of [
      ["10.0.0.1", "1.1.1.1"],
      ["1.1.1.1", "10.0.0.1"],
      ["1.1.1.1", "::1"],
    ]) {
      await expect(lookup(addressGuard([], answering(...answers).resolve), "x.example")).rejects.toThrow(
        AddressForbidden,
      );
    }
  });

  it("never names the address (W17)", async () => {
    const refused = await lookup(addressGuard([], answering("10.1.2.3").resolve), "x.example").catch((error) => error);
    expect(JSON.stringify([refused.message, { ...refused }])).not.toContain("10.1.2.3");
    expect(refused).toMatchObject({
      name: "AddressForbidden",
      message: "The endpoint leads to an address that is not public.",
    });
  });

  it("distinguishes a name that cannot be resolved from one without an address, and keeps the cause", async () => {
    const cause = new Error("ENOTFOUND");
    const unresolved = addressGuard([], () => Promise.reject(cause));
    const failures = [unresolved, addressGuard([], answering().resolve)].map((guard) =>
      lookup(guard, "x.example").catch((error: unknown) => error),
    );
    const name = "NameUnresolved";
    expect(await Promise.all(failures)).toEqual([
      expect.objectContaining({ name, cause, message: "The endpoint's name cannot be resolved." }),
      expect.objectContaining({ name, message: "The endpoint's name has no address." }),
    ]);
  });

  it("lists the names that are being looked up", async () => {
    const guard = addressGuard([], answering("1.1.1.1").resolve);
    const looking = lookup(guard, "x.example");
    const meanwhile = ["x.example", "y.example"].map(guard.isLookingUp);
    await looking;
    expect([...meanwhile, guard.isLookingUp("x.example")]).toEqual([true, false, false]);
  });

  it("looks a name up once for connections that open together, and again for later ones", async () => {
    const { resolve, asked } = answering("1.1.1.1");
    const guard = addressGuard([], resolve);
    await Promise.all([lookup(guard, "x.example"), lookup(guard, "x.example")]);
    expect(asked()).toBe(1);
    await lookup(guard, "x.example");
    expect(asked()).toBe(2);
  });

  it("checks literal hosts and dialled addresses", () => {
    const guard = addressGuard(networks("127.0.0.0/8"), answering().resolve);
    expect(() => guard.assertHost("127.0.0.1")).not.toThrow();
    expect(() => guard.assertHost("10.0.0.1")).toThrow(AddressForbidden);
    expect(() => guard.assertHost("a-name.example")).not.toThrow();
    expect(() => guard.assertDialled("1.1.1.1", 443)).not.toThrow();
    expect(() => guard.assertDialled(String(undefined), 443)).toThrow(AddressForbidden);
  });
});

describe("the system's resolver", () => {
  it("resolves localhost without a name server", async () => {
    const found = await systemResolve()("localhost");
    expect(found.map(({ address }) => address)).toContainEqual(expect.stringMatching(/^(127\.0\.0\.1|::1)$/));
  });

  it("fails for a name that cannot exist", async () => {
    await expect(systemResolve()("does-not-exist.invalid")).rejects.toThrow();
  });
});

describe("the class of a failed attempt", () => {
  it.each([
    ["ECONNREFUSED", "connection"],
    ["ECONNRESET", "connection"],
    ["EHOSTUNREACH", "connection"],
    ["UND_ERR_SOCKET", "connection"],
    ["UND_ERR_CONNECT_TIMEOUT", "timeout"],
    ["ETIMEDOUT", "timeout"],
    ["UND_ERR_HEADERS_OVERFLOW", "protocol"],
    ["HPE_INVALID_CONSTANT", "protocol"],
    ["DEPTH_ZERO_SELF_SIGNED_CERT", "tls"],
    ["CERT_HAS_EXPIRED", "tls"],
    ["ERR_TLS_CERT_ALTNAME_INVALID", "tls"],
    ["ERR_SSL_WRONG_VERSION_NUMBER", "tls"],
    ["EPROTO", "tls"],
    ["UNABLE_TO_VERIFY_LEAF_SIGNATURE", "tls"],
    ["UNSPECIFIED", "tls"],
    [undefined, "connection"],
  ])("%s is %s", (code, outcome) => {
    expect(outcomeOfError(Object.assign(new Error(), { code }))).toBe(outcome);
  });

  it("of an answer that the parser refuses is protocol", () => {
    expect(outcomeOfError(Object.assign(new Error(), { name: "HTTPParserError" }))).toBe("protocol");
  });

  it("of our own refusals is address or dns", () => {
    expect(outcomeOfError(new AddressForbidden())).toBe("address");
    expect(outcomeOfError(new NameUnresolved())).toBe("dns");
    expect([undefined, null, "text"].map(outcomeOfError)).toEqual(["connection", "connection", "connection"]);
  });
});
