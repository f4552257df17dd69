package example.gatehouse.sdk;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.TreeSet;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Where the reads of one key pass. A read that is refused because the key is over its limit waits, in front of those
 * that came after it, and brings a turn: the time that the answer names. At each turn the first read that waits is
 * sent, whichever brought it. Those that wait when no turn is left go one after another: together they would be over
 * the limit at once. When none waits any more, all pass freely.
 */
final class Turnstile {
  private enum State {
    /** Not yet sent, or sent without having waited. */
    OUTSIDE,
    WAITING,
    /** It has waited, and its answer is not there yet. */
    UNDER_WAY
  }

  /** Of reads that have waited: so many at most are refused again where there are more turns than may pass. */
  private static final int UNDER_WAY_MAX = 8;
  /** Turns are whole seconds apart, and as far from them as the refusals that brought them from each other. */
  private static final long MOMENT_NANOS = 500_000_000;

  /** {@link System#nanoTime} may begin anywhere: only differences can be compared. */
  private static final Comparator<Long> BY_TIME = (one, other) -> Long.signum(one - other);

  private final ReentrantLock lock = new ReentrantLock();
  /** Places that wait, in the order of their numbers. */
  private final TreeSet<Place> queue = new TreeSet<>(Comparator.comparingLong((Place place) -> place.number));
  /** By {@link System#nanoTime}, the earliest first; never more than places that wait. */
  private final List<Long> turns = new ArrayList<>();

  private int underWay = 0;
  private long places = 0;

  /** The place of one read, behind all those before it. It is kept for every attempt, and left in the end. */
  Place place() {
    lock.lock();
    try {
      return new Place(places++);
    } finally {
      lock.unlock();
    }
  }

  /** Lets a read go for each turn that has come; without turns one, once none is under way. */
  private void next() {
    while (!queue.isEmpty() && isDue()) {
      if (!turns.isEmpty()) turns.remove(0);
      queue.pollFirst().begin();
    }
    // The thread of the first one waits for the time of the next turn.
    if (!queue.isEmpty()) queue.first().changed.signal();
  }

  private boolean isDue() {
    return turns.isEmpty() ? underWay == 0 : underWay < UNDER_WAY_MAX && nanosUntilTurn() <= 0;
  }

  private long nanosUntilTurn() {
    return turns.get(0) - System.nanoTime();
  }

  /** One read in the order of all. */
  final class Place {
    private final long number;
    /** The read may go, or has become the first that waits. */
    private final Condition changed = lock.newCondition();

    private State state = State.OUTSIDE;

    private Place(long number) {
      this.number = number;
    }

    /** Returns when the read may be sent. */
    void pass() throws InterruptedException {
      lock.lock();
      try {
        if (state == State.OUTSIDE && (!queue.isEmpty() || underWay > 0)) enqueue();
        while (state == State.WAITING) {
          if (queue.first() != this || turns.isEmpty() || underWay >= UNDER_WAY_MAX) changed.await();
          else changed.awaitNanos(nanosUntilTurn());
          next();
        }
      } finally {
        lock.unlock();
      }
    }

    /** For a read that is refused, and may come again after a time: it waits from now on. */
    void refused(Duration limited) {
      lock.lock();
      try {
        // A read that is refused at its turn shows that there are more turns than the key may use: those of the same
        // moment are void.
        while (state == State.UNDER_WAY && !turns.isEmpty() && nanosUntilTurn() <= MOMENT_NANOS) turns.remove(0);
        if (state != State.UNDER_WAY || turns.isEmpty()) {
          long turn = System.nanoTime() + limited.toNanos();
          int at = Collections.binarySearch(turns, turn, BY_TIME);
          turns.add(at < 0 ? -at - 1 : at, turn);
        }
        end();
        enqueue();
        next();
      } finally {
        lock.unlock();
      }
    }

    /** For a read that has its answer, or is not sent now. The turns that it brought are for those that wait. */
    void leave() {
      lock.lock();
      try {
        if (state == State.WAITING) queue.remove(this);
        end();
        while (turns.size() > queue.size()) turns.remove(turns.size() - 1);
        next();
      } finally {
        lock.unlock();
      }
    }

    private void enqueue() {
      state = State.WAITING;
      queue.add(this);
    }

    private void begin() {
      state = State.UNDER_WAY;
      underWay++;
      changed.signal();
    }

    private void end() {
      if (state == State.UNDER_WAY) underWay--;
      state = State.OUTSIDE;
    }
  }
}
