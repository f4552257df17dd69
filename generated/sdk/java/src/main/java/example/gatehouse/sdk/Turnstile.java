package example.gatehouse.sdk;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * Where the reads of one key pass. After an answer that the key is over its limit they wait together until its time has
 * passed, and then go one after another: together they would be over the limit again at once. When none waits any more,
 * all pass freely.
 */
final class Turnstile {
  private final Semaphore turn = new Semaphore(1, true);
  /** By {@link System#nanoTime}. */
  private long opensAt = System.nanoTime();

  private int waiting = 0;

  /**
   * Sends when it is this read's turn.
   *
   * @param limitedFor says of an answer for how long the key is over its limit, if it is
   */
  <T> T pass(Supplier<T> send, Function<T, Optional<Duration>> limitedFor) throws InterruptedException {
    if (!waits()) return sent(send, limitedFor);
    try {
      turn.acquire();
      try {
        // Answers to what was sent earlier may have moved it meanwhile.
        for (long left = leftNanos(); left > 0; left = leftNanos()) TimeUnit.NANOSECONDS.sleep(left);
        return sent(send, limitedFor);
      } finally {
        turn.release();
      }
    } finally {
      leave();
    }
  }

  private <T> T sent(Supplier<T> send, Function<T, Optional<Duration>> limitedFor) {
    T answer = send.get();
    limitedFor.apply(answer).ifPresent(this::close);
    return answer;
  }

  /** True, and the read is counted, when it must wait. */
  private synchronized boolean waits() {
    if (waiting == 0 && leftNanos() <= 0) return false;
    waiting++;
    return true;
  }

  private synchronized void leave() {
    waiting--;
  }

  private synchronized long leftNanos() {
    return opensAt - System.nanoTime();
  }

  private synchronized void close(Duration limited) {
    long at = System.nanoTime() + limited.toNanos();
    if (at - opensAt > 0) opensAt = at;
  }
}
