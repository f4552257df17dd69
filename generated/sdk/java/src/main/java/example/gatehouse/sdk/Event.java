package example.gatehouse.sdk;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Optional;

/** A genuine event. A receiver needs the id, to find what it has received already, and the data. */
public final class Event {
  private final String id;
  private final String type;
  private final Object data;
  private final JsonNode body;

  Event(String id, String type, Object data, JsonNode body) {
    this.id = id;
    this.type = type;
    this.data = data;
    this.body = body;
  }

  /** The same on every attempt to deliver the event. */
  public String getId() {
    return id;
  }

  /** What happened: {@code worker.updated}, … */
  public String getType() {
    return type;
  }

  /** False for an event that is newer than this package: of another type, or of another version. */
  public boolean isKnown() {
    return data != null;
  }

  /**
   * What the event is about, as it was at that moment; empty when the event is about something else.
   *
   * @param snapshot the class in {@code example.gatehouse.sdk.model} that ends in Snapshot, such as WorkerSnapshot
   */
  public <T> Optional<T> data(Class<T> snapshot) {
    return snapshot.isInstance(data) ? Optional.of(snapshot.cast(data)) : Optional.empty();
  }

  /** Everything, as it was sent. */
  public JsonNode getBody() {
    return body;
  }
}
