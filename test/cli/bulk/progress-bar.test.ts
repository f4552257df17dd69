import { Writable } from "node:stream";
import { stripVTControlCharacters } from "node:util";
import { ProgressBar, toShownBytes, toShownDuration } from "../../../src/cli/bulk/progress-bar.ts";

class Terminal extends Writable {
  text = "";
  readonly isTTY: boolean;
  readonly columns = 100;

  constructor(isTTY: boolean) {
    super();
    this.isTTY = isTTY;
  }

  override _write(chunk: Buffer, _encoding: BufferEncoding, done: () => void): void {
    this.text += chunk.toString();
    done();
  }
}

const drawn = (isTTY: boolean, quiet: boolean): Terminal => {
  const terminal = new Terminal(isTTY);
  const bar = new ProgressBar(terminal, 1_000, (done) => toShownBytes(done, 1_000), quiet);
  bar.update({ done: 430, lines: 12_400, bad: 3 });
  return terminal;
};

describe("a progress bar", () => {
  it("shows part, amount, speed and bad lines on one line of a terminal", () => {
    const text = stripVTControlCharacters(drawn(true, false).text).trim();
    expect(text).toMatch(/^█{9}░{11} {2}43 % {2}0\.4 of 1\.0 kB {2}[\d,]+ lines\/s {2}3 bad/);
  });

  it("is hidden without a terminal, and with --quiet", () => {
    expect([drawn(false, false).text, drawn(true, true).text]).toEqual(["", ""]);
  });

  it.each([
    [0, 0, "0 of 0 B"],
    [1_234_567_890, 5_000_000_000, "1.2 of 5.0 GB"],
    [500, 12_000, "0.5 of 12.0 kB"],
  ])("says %d of %d bytes as %s", (done, total, expected) => {
    expect(toShownBytes(done, total)).toBe(expected);
  });

  it.each([
    [0.2, "1 s"],
    [89, "89 s"],
    [200, "3 min"],
    [7_500, "2 h 5 min"],
  ])("says %d seconds as %s", (seconds, expected) => {
    expect(toShownDuration(seconds)).toBe(expected);
  });
});
