import { chmodSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { CannotStart } from "../../../src/runtime/basis/errors.ts";
import type { Role } from "../../../src/runtime/process/roles.ts";
import {
  defineSettings,
  examineSettings,
  mistake,
  type SettingSources,
  setting,
  unknownVariables,
  variableOf,
} from "../../../src/runtime/process/settings.ts";
import { newFolder } from "../../support/folder.ts";
import { readSettings } from "../../support/read-settings.ts";

const settings = defineSettings({
  "public-port": setting({
    schema: z.coerce.number({ error: "must be a number" }).int("must be whole"),
    fallback: 8080,
    meaning: "Port of the public listener.",
    neededBy: ["edge"],
  }),
  issuer: setting({
    schema: z.url("must be a URL"),
    meaning: "Address of the sign-on server.",
    neededBy: ["edge", "services"],
  }),
  "store-url": setting({
    schema: z.string().startsWith("postgresql://", "must begin with postgresql://"),
    meaning: "The PostgreSQL store.",
    neededBy: ["services"],
    secret: true,
  }),
  "master-keys": setting({
    schema: z.string().min(10, "must have 10 characters"),
    fallback: undefined,
    meaning: "Keys that seal what is secret.",
    neededBy: [],
    secret: true,
  }),
});

describe("settings", () => {
  let folder: string;

  beforeEach(() => {
    folder = newFolder("gh-settings-");
  });

  const fileOf = (content: unknown, name = "gatehouse.json") => {
    const path = join(folder, name);
    writeFileSync(path, typeof content === "string" ? content : JSON.stringify(content), { mode: 0o600 });
    return path;
  };

  const read = (sources: Partial<SettingSources>, roles: readonly Role[] = []) =>
    readSettings(settings, { flags: {}, environment: {}, ...sources }, roles);

  /** The mistakes of a refused start, one per line. */
  const mistakes = (sources: Partial<SettingSources>, roles: readonly Role[] = []): readonly string[] => {
    try {
      read(sources, roles);
    } catch (error) {
      if (!(error instanceof CannotStart) || error.exitCode !== 78) throw error;
      return error.message.split("\n").slice(1);
    }
    return [];
  };

  it("are named as flag, variable and key of the file", () => {
    expect(variableOf("public-port")).toBe("GATEHOUSE_PUBLIC_PORT");
  });

  it("come from the flag before the environment before the file before the default", () => {
    const file = fileOf({ "public-port": 3 });
    const environment = { GATEHOUSE_PUBLIC_PORT: "2" };
    const flags = { "public-port": "1" };
    expect([
      read({ flags, environment, file })["public-port"],
      read({ environment, file })["public-port"],
      read({ file })["public-port"],
      read({})["public-port"],
    ]).toEqual([1, 2, 3, 8080]);
  });

  it("treat an empty variable as unset", () => {
    expect(read({ environment: { GATEHOUSE_PUBLIC_PORT: "" } })["public-port"]).toBe(8080);
  });

  it("are frozen", () => {
    expect(Object.isFrozen(read({}))).toBe(true);
  });

  it("are required only where a role needs them, so one file serves three processes", () => {
    expect(mistakes({}, ["worker"])).toEqual([]);
    expect(mistakes({}, ["edge"])).toEqual([
      "  - issuer is missing: Address of the sign-on server. Set GATEHOUSE_ISSUER or --issuer.",
    ]);
  });

  it("are checked wherever they are given, needed or not", () => {
    expect(mistakes({ flags: { issuer: "nonsense" } }, ["worker"])).toEqual([
      "  - issuer (--issuer): must be a URL. Address of the sign-on server.",
    ]);
  });

  it("are refused with every mistake at once: key, reason, fix, and exit code 78", () => {
    const sources = {
      flags: { "public-prot": "1", "public-port": "many" },
      environment: { GATEHOUSE_STORE_URL: "mysql://", PATH: "/bin", GATEHOUSE_CONFIG: "x" },
      file: fileOf({ colour: "red" }),
    };
    expect(mistakes(sources, ["edge"])).toEqual([
      "  - --public-prot is not a setting. Did you mean public-port?",
      "  - colour in the configuration file is not a setting. Remove it, or see docs/configuration.md.",
      "  - public-port (--public-port): must be a number. Port of the public listener.",
      "  - issuer is missing: Address of the sign-on server. Set GATEHOUSE_ISSUER or --issuer.",
      "  - store-url (GATEHOUSE_STORE_URL): must begin with postgresql://. The PostgreSQL store.",
    ]);
  });

  it("are suggested by the nearest name, or by all the names that contain what was given", () => {
    const port = setting({ schema: z.coerce.number(), fallback: 1, meaning: "A port.", neededBy: [] });
    const ports = defineSettings({
      "management-port": port,
      "public-port": port,
      "public-ports": port,
      rpc: port,
      "support-contact": port,
      "data-directory": port,
      "data-directory-mode": port,
      "attempt-delay-ms": port,
      "connect-delay-ms": port,
      "retry-delay-ms": port,
      "sweep-delay-ms": port,
    });
    const said = (name: string) =>
      examineSettings(ports, { flags: { [name]: "1" }, environment: {} }, []).mistakes.map(({ sentence }) => sentence);
    expect(said("port")).toEqual([
      "--port is not a setting. Did you mean management-port or public-port or public-ports?",
    ]);
    expect(said("data")).toEqual(["--data is not a setting. Did you mean data-directory?"]);
    expect(unknownVariables(ports, { GATEHOUSE_DATA: "1" })).toEqual([
      "GATEHOUSE_DATA in the environment is not a setting and is ignored. Did you mean GATEHOUSE_DATA_DIRECTORY?",
    ]);
    expect(said("public-pot")).toEqual(["--public-pot is not a setting. Did you mean public-port?"]);
    expect(said("managment-port")).toEqual(["--managment-port is not a setting. Did you mean management-port?"]);
    expect(said("public-ports-file")).toEqual(["--public-ports-file is not a setting. Did you mean public-ports?"]);
    expect(said("ip")).toEqual(["--ip is not a setting. Remove it, or see docs/configuration.md."]);
    expect(said("ms")).toEqual(["--ms is not a setting. Remove it, or see docs/configuration.md."]);
  });

  it("with unknown variables beside them cause a warning for each, with the nearest setting and without the value (R-X153)", () => {
    const environment = { GATEHOUSE_ISSUR: "hunter2", GATEHOUSE_COLOUR: "x", GATEHOUSE_CONFIG: "x", PATH: "/bin" };
    expect(mistakes({ environment })).toEqual([]);
    expect(unknownVariables(settings, environment)).toEqual([
      "GATEHOUSE_ISSUR in the environment is not a setting and is ignored. Did you mean GATEHOUSE_ISSUER?",
      "GATEHOUSE_COLOUR in the environment is not a setting and is ignored. Remove it, or see docs/configuration.md.",
    ]);
  });

  it("ignore what Kubernetes sets for a Service called gatehouse-public (R-X153)", () => {
    const ofService = { GATEHOUSE_PUBLIC_PORT: "tcp://10.96.0.7:8080" };
    expect(read({ environment: ofService })).toEqual(read({}));
    expect(unknownVariables(settings, ofService)).toEqual([]);
  });

  it("cause no warning for what Kubernetes sets beside a Service called gatehouse (R-X153)", () => {
    const ofServices = {
      GATEHOUSE_PORT: "tcp://10.96.0.7:8080",
      GATEHOUSE_SERVICE_HOST: "10.96.0.7",
      GATEHOUSE_SERVICE_PORT: "8080",
      GATEHOUSE_SERVICE_PORT_HTTP: "8080",
      GATEHOUSE_PORT_8080_TCP: "tcp://10.96.0.7:8080",
      GATEHOUSE_PORT_8080_TCP_PROTO: "tcp",
      GATEHOUSE_PORT_8080_TCP_PORT: "8080",
      GATEHOUSE_PORT_8080_TCP_ADDR: "10.96.0.7",
      GATEHOUSE_EDGE_PORT: "tcp://10.96.0.8:8080",
    };
    expect(unknownVariables(settings, ofServices)).toEqual([]);
    expect(unknownVariables(settings, { GATEHOUSE_PORT: "8080" })).toHaveLength(1);
  });

  it("are refused in the singular when one is wrong", () => {
    expect(() => read({ flags: { "public-port": "many" } })).toThrow(/^The configuration has 1 mistake:\n/);
  });

  it.each([
    ["no JSON", "{", /^ {2}- the configuration file .* is not JSON \(/],
    ["a list", "[]", /^ {2}- the configuration file .* must hold one JSON object\.$/],
  ])("are refused when their file is %s", (_, content, sentence) => {
    expect(mistakes({ file: fileOf(content) })).toEqual([expect.stringMatching(sentence)]);
  });

  it("are refused when a file has one of them twice, also where the second is the same", () => {
    const file = fileOf(
      '{"public-port": 1, "issuer": "https://a.example", "public-port": 2, "issuer": "https://a.example"}',
    );
    expect(mistakes({ file })).toEqual([
      "  - public-port is given twice in the configuration file. Keep one of the two.",
      "  - issuer is given twice in the configuration file. Keep one of the two.",
    ]);
  });

  it("are read from a file that begins with a byte order mark, as some editors write it", () => {
    expect(read({ file: fileOf('\uFEFF{ "public-port": 3 }') })["public-port"]).toBe(3);
  });

  it.each<[string, () => string, string]>([
    ["is missing", () => join(folder, "none.json"), "cannot be read (ENOENT)"],
    ["is not JSON", () => fileOf("{"), "is not JSON (line 1, column 2)"],
  ])("are refused when their file %s; of what it may have, none is said to be missing", (_, path, reason) => {
    const file = path();
    const refused = [{ sentence: `the configuration file ${file} ${reason}.`, settings: [] }];
    expect(mistakes({ file }, ["edge", "services"])).toEqual(refused.map(({ sentence }) => `  - ${sentence}`));
    const sources = { flags: {}, environment: {}, file };
    const together = () => [mistake("master-keys is missing.", "master-keys")];
    expect(examineSettings(settings, sources, ["services"], together).mistakes).toEqual(refused);
  });

  describe("that are secret", () => {
    const url = "postgresql://gatehouse:hunter2@db/gatehouse";

    it.each<[string, (path: string) => Partial<SettingSources>]>([
      ["a flag", (path) => ({ flags: { "store-url-file": path } })],
      ["a variable", (path) => ({ environment: { GATEHOUSE_STORE_URL_FILE: path } })],
      ["the file", (path) => ({ file: fileOf({ "store-url-file": path }) })],
    ])("can be given as a file by %s; white space around them is ignored", (_, sources) => {
      const path = fileOf(` ${url}\n`, "store-url");
      expect(read(sources(path))["store-url"]).toBe(url);
    });

    it.each([
      ["without quotes", '{\n  "store-url": hunter2-hunter2-hunter2\n}', "line 2, column 16"],
      ["in a short file", '{"a":hunter2}', "line 1, column 6"],
      ["in single quotes", "{'store-url': 'hunter2'}", "line 1, column 2"],
      ["cut off", '{"store-url": "hunter2', "line 1, column 15"],
      ["with a comma behind it", '{"store-url": "hunter2",}', "line 1, column 25"],
    ])("are not shown of a file that is not JSON: %s", (_, content, place) => {
      const file = fileOf(content);
      expect(mistakes({ file })).toEqual([`  - the configuration file ${file} is not JSON (${place}).`]);
    });

    it("are refused when given twice", () => {
      const path = fileOf(url, "store-url");
      expect(mistakes({ flags: { "store-url-file": path }, environment: { GATEHOUSE_STORE_URL: url } })).toEqual([
        "  - store-url is given twice: GATEHOUSE_STORE_URL and store-url-file. Keep one.",
      ]);
    });

    it("are refused when every user can read their file, with the command that mends it", () => {
      const path = fileOf(url, "store-url");
      chmodSync(path, 0o644);
      expect(mistakes({ flags: { "store-url-file": path } })).toEqual([
        `  - store-url-file: ${path} can be read by all users. Run: chmod 600 ${path}`,
      ]);
    });

    it("are refused when every user can read the configuration file that has them (R-X403, F47)", () => {
      const file = fileOf(JSON.stringify({ "public-port": 9_000, "store-url": url }));
      chmodSync(file, 0o644);
      expect(mistakes({ file })).toEqual([
        `  - store-url is a secret, and the configuration file ${file} can be read by all users. Run: chmod o= ${file}, or give it by store-url-file.`,
      ]);
      // Whether it is used or not: everybody can read it.
      expect(mistakes({ file, flags: { "store-url": url } })).toHaveLength(1);
      chmodSync(file, 0o640);
      expect(read({ file })["store-url"]).toBe(url);
    });

    it("may be named by a configuration file that every user can read (R-X403)", () => {
      const file = fileOf(JSON.stringify({ "public-port": 9_000, "store-url-file": fileOf(url, "store-url") }));
      chmodSync(file, 0o644);
      expect(read({ file })["store-url"]).toBe(url);
    });

    it("are refused when their file cannot be read, and are not said to be missing, too", () => {
      const path = join(folder, "none");
      const flags = { "store-url-file": path, issuer: "https://sign-on.example" };
      expect(mistakes({ flags }, ["services"])).toEqual([`  - store-url-file: ${path} cannot be read (ENOENT).`]);
    });

    it("are wrong for checks of combinations when their file is refused", () => {
      const sources = { flags: { "master-keys-file": join(folder, "none") }, environment: {} };
      const seen: string[] = [];
      const { mistakes: found } = examineSettings(settings, sources, [], (_, wrong) => {
        seen.push(...wrong);
        return [];
      });
      expect([seen, found.length]).toEqual([["master-keys"], 1]);
    });

    it("never appear in the text of a refusal (S50)", () => {
      const canary = "c4n4ry";
      const sources = {
        flags: { "master-keys": canary },
        environment: { GATEHOUSE_STORE_URL: `mysql://${canary}` },
      };
      const text = mistakes(sources).join("\n");
      expect(text).toContain("master-keys (--master-keys): must have 10 characters.");
      expect(text).not.toContain(canary);
    });

    it.each([
      ["a URL with its password", "store-url", "postgresql://gatehouse:c4n4ry@db.example/gatehouse", "ENOENT"],
      ["a key", "master-keys", "c4n4ryc4n4ryc4n4ryc4n4ryc4n4ryc4n4ryc4n4ry=", "ENOENT"],
      ["a key that looks like a path", "master-keys", "/c4n4ry/c4n4ryc4n4ryc4n4ryc4n4ryc4n4ryc4n4=", "ENOENT"],
      ["a key that is longer than a path", "master-keys", "c4n4ry".repeat(1_000), "ENAMETOOLONG"],
    ])("are not repeated where they are given in place of the path of their file: %s (S50)", (_, name, value, code) => {
      expect(mistakes({ flags: { [`${name}-file`]: value } })).toEqual([
        `  - ${name}-file cannot be read (${code}). It takes the path of a file, and what was given may be the secret itself.`,
      ]);
    });

    it("are the only ones that can be given as a file", () => {
      expect(mistakes({ flags: { "public-port-file": "/x" } })).toEqual([
        "  - --public-port-file is not a setting. Did you mean public-port?",
      ]);
    });
  });
});
