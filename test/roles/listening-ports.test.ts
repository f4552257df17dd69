import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type ListeningPorts, listeningPorts } from "../../src/roles/listening-ports.ts";

describe("the ports of an installation on one machine (R-X278)", () => {
  const warnings: unknown[] = [];
  const log = { warn: (...words: unknown[]) => void warnings.push(words) };
  let directory: string;
  let ports: ListeningPorts;

  beforeEach(() => {
    warnings.length = 0;
    directory = mkdtempSync(join(tmpdir(), "gh-"));
    ports = listeningPorts(directory, log);
  });
  afterEach(() => rmSync(directory, { recursive: true, force: true }));

  /** As another process says it. */
  const said = (port: number, by: string) => {
    mkdirSync(join(directory, "ports"), { recursive: true });
    writeFileSync(join(directory, "ports", String(port)), by);
  };
  const deadProcess = () => spawnSync(process.execPath, ["--version"]).pid;

  it("are known as long as the process that named them lives", () => {
    said(8_081, String(process.ppid));
    said(8_082, String(deadProcess()));
    expect([8_081, 8_082, 8_083].map(ports.has)).toEqual([true, false, false]);
  });

  it.each(["", "0", "-1", "x", "1.5", "9".repeat(30)])("are not named by a file with %p in it", (text) => {
    said(8_081, text);
    expect(ports.has(8_081)).toBe(false);
  });

  it("are private, and are taken back", () => {
    ports.add(8_081);
    const file = join(directory, "ports", "8081");
    expect([ports.has(8_081), statSync(file).mode & 0o777, statSync(join(directory, "ports")).mode & 0o777]).toEqual([
      true,
      0o600,
      0o700,
    ]);
    ports.leave();
    expect([ports.has(8_081), existsSync(file), existsSync(join(directory, "ports"))]).toEqual([false, false, false]);
  });

  it("are not taken back by a process whose port another has taken over since", () => {
    ports.add(8_081);
    said(8_081, String(process.ppid));
    ports.leave();
    expect(ports.has(8_081)).toBe(true);
  });

  it("forget what the process before this one with its id has said", () => {
    said(8_081, String(process.pid));
    expect(listeningPorts(directory, log).has(8_081)).toBe(false);
  });

  it("are known to this process, and a warning is written, where no file can be made", () => {
    writeFileSync(join(directory, "ports"), "a file");
    ports.add(8_081);
    expect(ports.has(8_081)).toBe(true);
    expect(warnings).toEqual([[expect.stringContaining("are not told"), expect.anything()]]);
  });
});
