import { spawnSync } from "node:child_process";
import { allSettings } from "../../src/config.ts";

const config = (...flags: readonly string[]) => {
  const { status, stdout, stderr } = spawnSync(process.execPath, ["src/main.ts", "config", ...flags], {
    encoding: "utf8",
    env: { PATH: process.env.PATH },
  });
  return { status, stderr, names: [...stdout.matchAll(/^([a-z-]+) = /gm)].map(([, name]) => name), stdout };
};

describe("gatehouse config", () => {
  it("without an issuer shows every setting, then the mistake, and ends with 78", () => {
    const { status, stderr, stdout, names } = config();
    expect([status, names]).toEqual([78, Object.keys(allSettings)]);
    expect(stdout).toContain("issuer = (not set)\n");
    expect(stderr).toMatch(/^gatehouse: The configuration has 1 mistake:\n {2}- issuer is missing: /);
  });

  it("says first that a Gatehouse that runs may have other settings", () => {
    const { stdout } = config("--issuer", "https://login.example.com");
    expect(stdout).toMatch(
      /^# What a Gatehouse would use that is started with these flags .* one that runs may have others\.\n/,
    );
  });

  it("shows the default in place of a wrong value, and says what is wrong with it", () => {
    const { status, stderr, stdout } = config("--issuer=https://login.example.com", "--public-port=none");
    expect(status).toBe(78);
    expect(stdout).toContain("public-port = 8080\n");
    expect(stderr).toContain("public-port (--public-port): must be");
  });

  it("ends with 0 where nothing is wrong", () => {
    const { status, stderr, names } = config("--issuer", "https://login.example.com");
    expect([status, stderr, names.length]).toEqual([0, "", Object.keys(allSettings).length]);
  });
});
