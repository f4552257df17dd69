import { randomBytes } from "node:crypto";
import type { SignedIn } from "./sign-on.ts";

const LIFETIME_SECONDS = 3600;
const SESSIONS_MAX = 200;

/** Who is signed in to this program, in memory: a real one would use the session store of its framework. */
export class Sessions {
  readonly lifetimeSeconds = LIFETIME_SECONDS;
  readonly #byId = new Map<string, { readonly person: SignedIn; readonly endsAt: number }>();

  /** A fresh, unguessable id for every sign-in: an existing session id never gains rights. */
  start(person: SignedIn): string {
    const id = randomBytes(32).toString("base64url");
    this.#byId.set(id, { person, endsAt: Date.now() + LIFETIME_SECONDS * 1000 });
    const [oldest] = this.#byId.keys();
    if (this.#byId.size > SESSIONS_MAX && oldest) this.#byId.delete(oldest);
    return id;
  }

  find(id: string | undefined): SignedIn | undefined {
    const session = id === undefined ? undefined : this.#byId.get(id);
    return session && session.endsAt > Date.now() ? session.person : undefined;
  }

  end(id: string | undefined): void {
    if (id !== undefined) this.#byId.delete(id);
  }
}
