import { setTimeout as sleep } from "node:timers/promises";
import { patience } from "../../../src/workforce/bulk/patience.ts";

it("ends an export that takes too long while it is read, and leaves the snapshot to its reading (R-X251)", async () => {
  let isGivenBack = false;
  const reader = patience({ pauseMs: 60_000, wholeMs: 20 }, () => (isGivenBack = true));
  reader.assertInTime();
  reader.paused();
  reader.resumed();
  await sleep(50);
  expect(reader.signal.aborted).toBe(true);
  expect(isGivenBack).toBe(false);
  expect(reader.assertInTime).toThrow(expect.objectContaining({ code: "ABORTED", reason: "export_too_long" }));
  reader.stop();
});
