package example.gatehouse.sdk;

import java.util.Locale;

/** What was received is not a genuine event: answer with a status that is not 2xx, and believe nothing of it. */
public final class EventRefusedException extends Exception {
  /** Why it is not genuine. */
  public enum Reason {
    MISSING_HEADER,
    BAD_SIGNATURE,
    TOO_OLD,
    TOO_NEW,
    NOT_JSON;

    /** The word that every SDK has for it: {@code bad_signature}. */
    @Override
    public String toString() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  private static final long serialVersionUID = 1;

  private final Reason reason;

  EventRefusedException(Reason reason, String message) {
    super(message);
    this.reason = reason;
  }

  public Reason getReason() {
    return reason;
  }
}
