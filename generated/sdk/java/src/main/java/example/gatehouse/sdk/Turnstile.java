package example.gatehouse.sdk;

import java.time.Duration;
import java.util.Comparator;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;

/**
 * Where the reads of one key pass. After an answer that the key is over its limit they wait together until its time has
 * passed, and then go one after another: together they would be over the limit again at once. When none waits any more,
 * all pass freely.
 */
final class Turnstile {
  /** In the order of their numbers. */
  private final TreeSet<Place> waiting = new TreeSet<>(Comparator.comparingLong((Place place) -> place.number));
  /** The one whose turn it is; null for none. */
  private Place turn;
  /** By {@link System#nanoTime}. */
  private long opensAt = System.nanoTime();

  private long places = 0;

  /** The place of one read, behind all those before it. It is kept for every attempt of the read. */
  synchronized Place place() {
    return new Place(places++);
  }

  /** Nobody passes for a time, unless it is longer already. */
  synchronized void close(Duration limited) {
    long at = System.nanoTime() + limited.toNanos();
    if (at - opensAt > 0) opensAt = at;
  }

  private long leftNanos() {
    return opensAt - System.nanoTime();
  }

  /** One read in the order of all. */
  final class Place {
    private final long number;

    private Place(long number) {
      this.number = number;
    }

    /** Returns when the read may be sent. */
    void pass() throws InterruptedException {
      synchronized (Turnstile.this) {
        if (turn == null && waiting.isEmpty() && leftNanos() <= 0) return;
        waiting.add(this);
        while (turn != null || waiting.first() != this || leftNanos() > 0) await();
        waiting.remove(this);
        turn = this;
      }
    }

    /** Until another read has left, or the time has passed. Both are looked at again: either may have moved. */
    private void await() throws InterruptedException {
      boolean isFirst = turn == null && waiting.first() == this;
      if (isFirst) TimeUnit.NANOSECONDS.timedWait(Turnstile.this, leftNanos());
      else Turnstile.this.wait();
    }

    /** Gives the turn away and waits again, where it has always stood: those who came later stay behind. */
    void stay() {
      synchronized (Turnstile.this) {
        waiting.add(this);
        letGo();
      }
    }

    /** Lets the next one pass. May be called more than once. */
    void leave() {
      synchronized (Turnstile.this) {
        waiting.remove(this);
        letGo();
      }
    }

    private void letGo() {
      if (turn == this) turn = null;
      Turnstile.this.notifyAll();
    }
  }
}
