package example.gatehouse.sdk;

import java.net.URLDecoder;
import java.net.http.HttpHeaders;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import java.util.NoSuchElementException;
import java.util.Spliterator;
import java.util.Spliterators;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

/** All elements of a list, page by page, each page when its first element is needed. */
final class Pages<T> implements Iterator<T> {
  private final Function<String, ApiResponse<List<T>>> readPage;
  private Iterator<T> page = Collections.emptyIterator();
  private String cursor;
  private boolean isLast;
  /** Why the page that follows cannot be asked for; null where it can. */
  private GatehouseException refused;
  /** One of the cursors, which is enough to find a circle of any length: noted again after 1, 2, 4, … pages. */
  private String seen;

  private long pages;
  private long nextNoted = 1;

  private Pages(Function<String, ApiResponse<List<T>>> readPage) {
    this.readPage = readPage;
  }

  /** The function takes the cursor of a page; null for the first. */
  static <T> Stream<T> stream(Function<String, ApiResponse<List<T>>> readPage) {
    int characteristics = Spliterator.ORDERED | Spliterator.NONNULL;
    return StreamSupport.stream(Spliterators.spliteratorUnknownSize(new Pages<>(readPage), characteristics), false);
  }

  @Override
  public boolean hasNext() {
    while (!page.hasNext() && !isLast) {
      if (refused != null) throw refused;
      ApiResponse<List<T>> read = readPage.apply(cursor);
      HttpHeaders headers = HttpHeaders.of(read.getHeaders(), (name, value) -> true);
      if (read.getData() == null) throw GatehouseException.unreadable(read.getStatusCode(), headers, null);
      page = read.getData().iterator();
      try {
        cursor = nextOf(headers);
        isLast = cursor == null;
      } catch (IllegalArgumentException wrong) {
        // The page that came with the link is good.
        refused = GatehouseException.unexpected(read.getStatusCode(), headers, wrong.getMessage(), wrong);
      }
    }
    return page.hasNext();
  }

  @Override
  public T next() {
    if (!hasNext()) throw new NoSuchElementException();
    return page.next();
  }

  /** @throws IllegalArgumentException as {@link #nextCursor}, and when the pages go round in a circle */
  private String nextOf(HttpHeaders headers) {
    String next = nextCursor(headers.allValues("link"));
    if (next != null && next.equals(seen)) throw new IllegalArgumentException("The pages go round in a circle.");
    if (++pages == nextNoted) {
      seen = next;
      nextNoted *= 2;
    }
    return next;
  }

  private static final Pattern TARGET = Pattern.compile("[\\s,]*<([^>]*)>\\s*");
  private static final Pattern PARAMETER =
      Pattern.compile(";\\s*([^\\s=;,\"]+)\\s*(?:=\\s*(?:\"((?:[^\"\\\\]|\\\\.)*)\"|([^\\s;,\"]*)))?\\s*");

  /**
   * The cursor in the link to the next page (RFC 8288 §3); null on the last page. The link itself is not followed:
   * behind a proxy it may name another address, and the API key is for ours.
   *
   * @throws IllegalArgumentException when there is a link to the next page and no cursor in it: the list would end early
   */
  static String nextCursor(List<String> headers) {
    String links = String.join(", ", headers);
    int at = 0;
    Matcher target = TARGET.matcher(links);
    Matcher parameter = PARAMETER.matcher(links);
    while (target.region(at, links.length()).lookingAt()) {
      String relations = null;
      for (at = target.end(); parameter.region(at, links.length()).lookingAt(); at = parameter.end())
        // Of several "rel" the first counts (RFC 8288 §3.3).
        if (relations == null && parameter.group(1).equalsIgnoreCase("rel"))
          relations = parameter.group(2) != null ? parameter.group(2) : parameter.group(3);
      if (relations != null && Arrays.asList(relations.toLowerCase(Locale.ROOT).split("\\s+")).contains("next"))
        return cursorOf(target.group(1));
    }
    return null;
  }

  private static String cursorOf(String link) {
    int query = link.indexOf('?');
    for (String pair : query < 0 ? new String[0] : link.substring(query + 1).split("[&#]"))
      if (pair.startsWith("cursor=") && !pair.equals("cursor=")) return decoded(pair.substring("cursor=".length()));
    throw new IllegalArgumentException("The link to the next page has no cursor.");
  }

  private static String decoded(String cursor) {
    try {
      return URLDecoder.decode(cursor, StandardCharsets.UTF_8);
    } catch (IllegalArgumentException wrong) {
      throw new IllegalArgumentException("The cursor in the link to the next page cannot be read.", wrong);
    }
  }
}
