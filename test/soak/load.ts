import { execFile } from "node:child_process";
import { rmSync } from "node:fs";
import { createServer, type Server } from "node:http";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import type { ErasureService } from "../../generated/proto/gatehouse/workforce/v1/erasure.ts";
import type { PromiseClient } from "../../src/runtime/rpc/call.ts";
import type { Dice } from "../faults/weather/dice.ts";
import type { Ledger } from "../faults/weather/ledger.ts";
import { authorizePath, Browser, signIn } from "../support/browser.ts";
import { type Answer, type CallInit, call } from "../support/http.ts";
import { present, REDIRECT_URI, type World } from "../support/world.ts";

const PROGRAM = join(import.meta.dirname, "..", "..", "bin", "gatehouse");
const SCOPE = "openid profile email offline_access";
const FAMILIES_HELD = 20;

/** What the actors of a soak work with. */
export interface Soaked {
  readonly url: string;
  readonly directory: string;
  /** Has a file of its own, which a backup copies. */
  readonly isEmbedded: boolean;
  readonly world: World;
  readonly ledger: Ledger;
  readonly erasure: PromiseClient<typeof ErasureService>;
  readonly signal: AbortSignal;
}

/**
 * Until the end, one step after the other. A step that fails is counted by its kind: the clock jumps by a day now and then, and what was
 * under way has expired then.
 */
async function again(
  { ledger, signal }: Soaked,
  kind: string,
  pauseMs: () => number,
  step: () => Promise<unknown>,
): Promise<void> {
  while (!signal.aborted) {
    await step().then(
      () => ledger.count(kind),
      (error: Error) =>
        ledger.count(
          `${kind}: failed (${error.message
            .replaceAll(/interaction=[^:]+/g, "…")
            .split("\n")[0]
            ?.slice(0, 80)})`,
        ),
    );
    await sleep(pauseMs());
  }
}

/** Outside a test runner nothing compares answers with the contract; the weather does. */
class PlainBrowser extends Browser {
  override open(path: string, init: CallInit = {}): Promise<Answer> {
    return super.open(path, { ...init, contract: "unchecked" });
  }
}

/** People sign in, their application redeems the code, refreshes and reads userinfo; now and then a wrong password. */
export function people(soaked: Soaked, dice: Dice): Promise<unknown> {
  const { url, world } = soaked;
  const held: { refresh_token: string; access_token: string }[] = [];
  const { id: client_id, secret: client_secret } = world.application;
  const token = (form: Readonly<Record<string, string>>) =>
    call(url, "/auth/token", { method: "POST", form: { client_id, client_secret, ...form }, contract: "unchecked" });
  const signInOnce = async () => {
    const path = authorizePath(world, { scope: SCOPE });
    const back = await signIn(new PlainBrowser(url), path, { email: world.email });
    const answer = await token({
      grant_type: "authorization_code",
      code: present(back.searchParams.get("code")),
      redirect_uri: REDIRECT_URI,
    });
    if (answer.status !== 200) throw new Error(`code → ${answer.status}`);
    held.push(answer.json());
    if (held.length > FAMILIES_HELD) held.shift();
  };
  const refreshOnce = async () => {
    const family = held.length === 0 ? undefined : dice.pick(held);
    if (family === undefined) return;
    const { refresh_token } = family;
    const answer = await token({ grant_type: "refresh_token", refresh_token });
    if (answer.status === 200) return void Object.assign(family, answer.json());
    held.splice(held.indexOf(family), 1);
    throw new Error(`refresh → ${answer.status}`);
  };
  const readOnce = async () => {
    const headers = { authorization: `Bearer ${held.at(-1)?.access_token ?? "none"}` };
    const { status } = await call(url, "/auth/userinfo", { headers, contract: "unchecked" });
    if (status !== 200) throw new Error(`userinfo → ${status}`);
  };
  return Promise.all([
    again(soaked, "sign-ins", () => dice.between(200, 900), signInOnce),
    again(soaked, "refreshes", () => dice.between(50, 250), refreshOnce),
    again(soaked, "userinfo", () => dice.between(50, 250), readOnce),
    again(
      soaked,
      "sign-ins begun and left",
      () => dice.between(500, 2_000),
      () => new PlainBrowser(url).follow(authorizePath(world, { scope: SCOPE })),
    ),
  ]);
}

/** Erases people and workers that were written a while ago; only ids stay of them. */
export function erasures(soaked: Soaked, dice: Dice): Promise<unknown> {
  const { ledger, erasure } = soaked;
  /** Writers change the last fifty workers, and the integration reads the last two hundred. */
  const RECENT = 300;
  return again(
    soaked,
    "erasures",
    () => dice.between(300, 1_200),
    async () => {
      const old = ledger.writes.slice(0, -RECENT).filter(({ kind, id }) => id !== undefined && ERASED.has(kind));
      const write = old[0];
      if (write === undefined) return;
      const id = present(write.id);
      await erasure.erase({ target: { id: { $case: write.kind === "user" ? "userId" : "workerId", value: id } } });
      ledger.writes.splice(ledger.writes.indexOf(write), 1);
    },
  );
}

const ERASED: ReadonlySet<string> = new Set(["user", "worker"]);

/** Exports the workforce, backs the embedded store up and asks for the store's status. */
export function operators(soaked: Soaked, dice: Dice): Promise<unknown> {
  const { directory, isEmbedded, ledger } = soaked;
  const run = (...words: readonly string[]) =>
    promisify(execFile)(PROGRAM, [...words, "--data-directory", directory], { maxBuffer: 256 * 1024 * 1024 });
  let number = 0;
  const backUp = async () => {
    const backup = join(directory, `soak-${number++}.backup`);
    await run("store", "backup", backup);
    rmSync(backup);
    ledger.count("backups");
  };
  return again(
    soaked,
    isEmbedded ? "exports, backups and looks at the status" : "exports and looks at the status",
    () => dice.between(15_000, 30_000),
    async () => {
      await run("export");
      ledger.count("exports");
      if (isEmbedded) await backUp();
      await run("store", "status", "--json");
    },
  );
}

/** A subscriber of which one POST in eight fails: 500, a reset, silence. */
export async function failingReceiver(
  dice: Dice,
  ledger: Ledger,
): Promise<{ readonly url: string; readonly server: Server }> {
  const server = createServer((request, response) => {
    request.resume().once("end", () => {
      ledger.count("POSTs");
      const draw = dice.below(100);
      if (draw < 88) response.writeHead(204).end();
      else if (draw < 94) response.writeHead(500).end("no");
      else if (draw < 98) request.socket.destroy();
      // The rest gets no answer: the sender gives up.
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as { port: number };
  return { url: `http://127.0.0.1:${port}/webhooks`, server };
}
