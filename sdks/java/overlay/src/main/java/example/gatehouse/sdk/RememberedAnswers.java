package example.gatehouse.sdk;

import java.net.http.HttpHeaders;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;

/** The latest answers by address, with their entity tags; the least recently used ones are dropped first. */
final class RememberedAnswers {
  /** An answer as Gatehouse sent it. */
  static final class Answer {
    final String entityTag;
    final HttpHeaders headers;
    final byte[] body;

    Answer(String entityTag, HttpHeaders headers, byte[] body) {
      this.entityTag = entityTag;
      this.headers = headers;
      this.body = body;
    }
  }

  /** These describe the body of the 304 itself, which has none. */
  private static final Pattern OF_THE_BODY =
      Pattern.compile("content-(length|encoding|range|type)|transfer-encoding", Pattern.CASE_INSENSITIVE);

  private final int answersMax;
  private final long bytesMax;
  private final Map<String, Answer> answers = new LinkedHashMap<>(16, 0.75f, true);
  private long bytes;

  RememberedAnswers(int answersMax, long bytesMax) {
    this.answersMax = answersMax;
    this.bytesMax = bytesMax;
  }

  /** Null for an address without an answer. */
  synchronized Answer find(String address) {
    return answers.get(address);
  }

  /** A remembered answer with the headers of the 304 that confirms it (RFC 9111 §4.3.4). */
  static Answer confirmed(Answer known, HttpHeaders latest) {
    Map<String, List<String>> headers = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
    headers.putAll(known.headers.map());
    latest.map().forEach((name, values) -> {
      if (!OF_THE_BODY.matcher(name).matches()) headers.put(name, values);
    });
    return new Answer(known.entityTag, HttpHeaders.of(headers, (name, value) -> true), known.body);
  }

  /** Replaces the answer of an address. An answer above the bound is not kept. */
  synchronized void keep(String address, Answer latest) {
    Answer former = answers.remove(address);
    if (former != null) bytes -= former.body.length;
    if (latest.body.length > bytesMax) return;
    answers.put(address, latest);
    bytes += latest.body.length;
    Iterator<Answer> oldest = answers.values().iterator();
    while (answers.size() > answersMax || bytes > bytesMax) {
      bytes -= oldest.next().body.length;
      oldest.remove();
    }
  }
}
