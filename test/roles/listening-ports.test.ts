import { existsSync, mkdirSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type ListeningPorts, listeningPorts } from "../../src/roles/listening-ports.ts";
import { newFolder } from "../support/folder.ts";

describe("the ports of an installation on one machine (R-X278)", () => {
  const warnings: unknown[] = [];
  const log = { warn: (...words: unknown[]) => void warnings.push(words) };
  let directory: string;
  let ports: ListeningPorts;

  beforeEach(() => {
    warnings.length = 0;
    directory = newFolder("gh-");
    ports = listeningPorts(directory, log);
  });
  afterEach(() => {
    ports.leave();
  });

  const fileOf = (port: number) => join(directory, "ports", String(port));
  /** As another process said it so many seconds ago. */
  const said = (port: number, secondsAgo: number) => {
    mkdirSync(join(directory, "ports"), { recursive: true });
    writeFileSync(fileOf(port), "another");
    const at = Date.now() / 1_000 - secondsAgo;
    utimesSync(fileOf(port), at, at);
  };

  it("are known as long as the process that named them says so", () => {
    said(8_081, 30);
    said(8_082, 90);
    expect([8_081, 8_082, 8_083].map(ports.has)).toEqual([true, false, false]);
  });

  it("are private, and are taken back", () => {
    ports.add(8_081);
    expect([
      ports.has(8_081),
      statSync(fileOf(8_081)).mode & 0o777,
      statSync(join(directory, "ports")).mode & 0o777,
    ]).toEqual([true, 0o600, 0o700]);
    ports.leave();
    expect([ports.has(8_081), existsSync(fileOf(8_081)), existsSync(join(directory, "ports"))]).toEqual([
      false,
      false,
      false,
    ]);
  });

  it("are not taken back by a process whose port another has taken over since", () => {
    ports.add(8_081);
    said(8_081, 0);
    ports.leave();
    expect(ports.has(8_081)).toBe(true);
  });

  it("are said again while the process lives, also when what it said was removed", () => {
    jest.useFakeTimers({ now: Date.now() });
    try {
      ports.add(8_081);
      rmSync(join(directory, "ports"), { recursive: true });
      jest.advanceTimersByTime(10_000);
      expect(existsSync(fileOf(8_081))).toBe(true);
      jest.advanceTimersByTime(120_000);
      expect(listeningPorts(directory, log).has(8_081)).toBe(true);
    } finally {
      ports.leave();
      jest.useRealTimers();
    }
  });

  it("of two processes that come and go at once are each known in the end", () => {
    const other = listeningPorts(directory, log);
    for (let turn = 0; turn < 50; turn++) {
      other.add(8_082);
      ports.add(8_081);
      other.leave();
      expect([ports.has(8_081), ports.has(8_082)]).toEqual([true, false]);
      ports.leave();
    }
    expect(warnings).toEqual([]);
  });

  it("are known to this process, and a warning is written, where no file can be made", () => {
    writeFileSync(join(directory, "ports"), "a file");
    ports = listeningPorts(directory, log);
    ports.add(8_081);
    expect([ports.has(8_081), ports.has(8_082)]).toEqual([true, false]);
    expect(warnings).toEqual([[expect.stringContaining("cannot learn at which port"), expect.anything()]]);
  });
});
