import { InterceptingCall, type Interceptor } from "@grpc/grpc-js";

/** Requests a reply from the other side only when the reader wants one; grpc-js would otherwise buffer sixteen. */
class PacedCall extends InterceptingCall {
  #asked = false;
  #wanted = false;

  override startRead(): void {
    if (this.#asked) {
      this.#asked = false;
      super.startRead();
    } else this.#wanted = true;
  }

  ask(): void {
    if (this.#wanted) {
      this.#wanted = false;
      super.startRead();
    } else this.#asked = true;
  }
}

/** Paces one call: an interceptor for its options, and the function that its reader calls before each reply. */
export function pacing(): { readonly interceptor: Interceptor; ask(): void } {
  let call: PacedCall | undefined;
  return {
    interceptor(options, next) {
      call = new PacedCall(next(options));
      return call;
    },
    ask: () => call?.ask(),
  };
}
