import { mkdtemp, rm } from "node:fs/promises";
import { connect, createServer, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Closer } from "./scope.ts";

/** A Unix socket in a directory of its own that leads to another one, and can keep answers back. */
export interface HeldSocket {
  readonly directory: string;
  /** From now on nothing that the other side says arrives. */
  hold(): void;
  /** Ends the connections with what was kept back, and lets new ones through. */
  cut(): void;
}

export async function heldSocket(
  closeLater: (closer: Closer) => void,
  upstream: string,
  name: string,
): Promise<HeldSocket> {
  const directory = await mkdtemp(join(tmpdir(), "gh-held-"));
  const open = new Set<Socket>();
  let holding = false;
  const server = createServer((near) => {
    const far = connect(join(upstream, name));
    for (const socket of [near, far]) {
      open.add(socket);
      socket.on("error", () => undefined);
      socket.on("close", () => {
        open.delete(socket);
        // While answers are kept back, the near side does not learn that the far one has ended.
        if (!holding) for (const other of [near, far]) other.destroy();
      });
    }
    near.pipe(far);
    far.on("data", (chunk: Buffer) => void (holding || near.write(chunk)));
  });
  await new Promise<void>((resolve) => server.listen(join(directory, name), resolve));
  const cut = () => {
    holding = false;
    for (const socket of open) socket.destroy();
  };
  closeLater(async () => {
    cut();
    await new Promise((resolve) => server.close(resolve));
    await rm(directory, { recursive: true, force: true });
  });
  return {
    directory,
    hold() {
      holding = true;
    },
    cut,
  };
}
