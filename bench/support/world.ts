import { makeWorld, type Peers, type World } from "../../test/support/world.ts";

/** The benchmarks use the tests' small world too. */
export { connectPeers, invitation, onboarding, PASSWORD, present, REDIRECT_URI } from "../../test/support/world.ts";
export type { Peers, World };

export const benchWorld = (peers: Peers, options: Parameters<typeof makeWorld>[1] = {}): Promise<World> =>
  makeWorld(peers, options);
