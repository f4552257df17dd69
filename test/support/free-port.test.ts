import { portProblem } from "../../src/webhooks/endpoints/endpoint-port.ts";
import { portsOf } from "./free-port.ts";

describe("ports of tests", () => {
  it.each([4, 9, 65])("are each worker's own, of %d workers", (workers) => {
    const all = Array.from({ length: workers }, (_, index) => portsOf(index + 1, workers)).flatMap(({ first, count }) =>
      Array.from({ length: count }, (__, index) => first + index),
    );
    expect(new Set(all).size).toBe(all.length);
    expect(all.length).toBeGreaterThan(100 * workers);
    // The first of those that Linux gives to outgoing connections.
    expect(Math.max(...all)).toBeLessThan(32_768);
    expect(all.filter((port) => portProblem(new URL(`https://hooks.example:${port}/`), []) !== undefined)).toEqual([]);
  });
});
