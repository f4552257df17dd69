import { freePort } from "../harness/installation.ts";
import { cpuMicroseconds } from "../harness/process-cost.ts";
import { openConnections } from "./support/http.ts";
import { startBenchProgram } from "./support/program.ts";
import {
  authorizePath,
  challengeOf,
  Jar,
  newVerifier,
  type OfCallers,
  type SignOnSeries,
  signOnSeriesOfCallers,
} from "./support/provider.ts";
import { REDIRECT_URI } from "./support/world.ts";

export type PeerStore = "memory" | "sqlite";

/** node-oidc-provider under the same load. */
export async function peerSeries(store: PeerStore, operations: number): Promise<OfCallers<SignOnSeries>> {
  const application = { id: "bench", secret: "a secret of the benchmark" };
  const port = await freePort();
  const words = [store, String(port), application.id, application.secret, REDIRECT_URI];
  const program = await startBenchProgram(["bench/peers/oidc-provider.ts", ...words]);
  const connections = openConnections(`http://localhost:${port}`, 16);
  const paths = { authorize: "/auth", token: "/token", userinfo: "/me" };
  const known = { connections, paths, application, redirectUri: REDIRECT_URI };
  try {
    const jar = new Jar();
    let next = authorizePath(known, challengeOf(newVerifier()));
    for (let hops = 0; !next.startsWith(REDIRECT_URI); hops++) {
      if (hops > 10) throw new Error(`The peer goes round in a circle: ${next}`);
      const path = next.replace(`http://localhost:${port}`, "");
      next = jar.keep((await connections.send([302, 303], path, { headers: jar.header })).headers);
    }
    const provider = { ...known, cookie: jar.only("_session"), cpu: () => cpuMicroseconds(program.pid) };
    return await signOnSeriesOfCallers(provider, operations);
  } finally {
    await connections.close();
    await program.stop();
  }
}
