import fc from "fast-check";
import { followingEpoch } from "../../../src/runtime/upkeep/store-identity.ts";

const at = (ms: number) => new Date(ms);

describe("the epoch that a restore begins (R-X336)", () => {
  it("follows that of the backup", () => {
    const next = followingEpoch({ epoch: 1, epochBeganAt: at(1_000) }, undefined, at(5_000));
    expect(next).toEqual({ epoch: 2, beganAt: at(5_000) });
  });

  it("follows that of the store it replaces, which one backup may have begun twice", () => {
    const backup = { epoch: 1, epochBeganAt: at(1_000) };
    const first = followingEpoch(backup, undefined, at(5_000));
    const second = followingEpoch(backup, { epoch: first.epoch, epochBeganAt: first.beganAt }, at(5_000));
    expect(second).toEqual({ epoch: 3, beganAt: at(5_001) });
  });

  it("begins after both, whatever the clock says", () => {
    const epoch = fc.record({ epoch: fc.nat(10_000), epochBeganAt: fc.nat(2_000_000_000).map(at) });
    fc.assert(
      fc.property(epoch, epoch, fc.nat(2_000_000_000), (backup, replaced, now) => {
        const next = followingEpoch(backup, replaced, at(now));
        for (const known of [backup, replaced]) {
          expect(next.epoch).toBeGreaterThan(known.epoch);
          expect(next.beganAt.getTime()).toBeGreaterThan(known.epochBeganAt.getTime());
        }
      }),
    );
  });
});
