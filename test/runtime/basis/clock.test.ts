import { earlierOf } from "../../../src/runtime/basis/clock.ts";
import { standingClock } from "../../support/clock.ts";

it("the earlier of two clocks is that of neither that jumps ahead, and follows one that falls behind", () => {
  const [store, machine] = [standingClock(), standingClock()];
  const clock = earlierOf(store, machine);
  const began = machine.now();
  store.step(500 * 86_400_000);
  expect(clock.now()).toEqual(began);
  machine.step(1_000);
  expect(clock.now()).toEqual(machine.now());
  store.step(-501 * 86_400_000);
  expect(clock.now()).toEqual(store.now());
});
