import { Failure } from "../basis/errors.ts";
import type { Log } from "../process/log.ts";
import { traceIdOf } from "../process/trace.ts";
import type { CallOptions, Carrier, PromiseClient, ServiceDefinition } from "./call.ts";

type Method = (request: unknown, options?: CallOptions) => Promise<unknown> | AsyncIterable<unknown>;

/**
 * Calls of requests, each with a line in the log when nobody answers it: the called side cannot be reached, or does not answer in time.
 * What that side answers is in its own log, by the same request id (R-X14).
 */
export const sayingUnanswered =
  (connect: Carrier["connect"], log: Log): Carrier["connect"] =>
  <S extends ServiceDefinition>(definition: S): PromiseClient<S> => {
    const client = connect(definition) as unknown as Readonly<Record<string, Method>>;
    const said = Object.entries(definition).map(([name, { path }]) => {
      const call = client[name] as Method;
      const method: Method = (request, options) => {
        const answer = call(request, options);
        const say = (error: unknown): void => {
          if (!(error instanceof Failure) || !isOfThisSide(error)) return;
          const { code, reason, detail } = error;
          const traceId = traceIdOf(options?.metadata?.traceparent);
          log.warn("A call got no answer.", {
            requestId: options?.requestId,
            traceId,
            call: path,
            code,
            reason,
            detail,
          });
        };
        if (Symbol.asyncIterator in answer) return streamed(answer, say);
        // Beside the answer, which waits for nothing more.
        answer.catch(say);
        return answer;
      };
      return [name, method] as const;
    });
    return Object.fromEntries(said) as unknown as PromiseClient<S>;
  };

async function* streamed(replies: AsyncIterable<unknown>, say: (error: unknown) => void): AsyncIterable<unknown> {
  try {
    yield* replies;
  } catch (error) {
    say(error);
    throw error;
  }
}

/** A failure that crossed has lost its cause; a deadline is this side's. */
const isOfThisSide = ({ code, cause }: Failure): boolean => code === "DEADLINE_EXCEEDED" || cause !== undefined;
