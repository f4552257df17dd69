package example.gatehouse.sdk;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import example.gatehouse.sdk.EventRefusedException.Reason;
import example.gatehouse.sdk.model.ClientSnapshot;
import example.gatehouse.sdk.model.DeliverySnapshot;
import example.gatehouse.sdk.model.FeedEvent;
import example.gatehouse.sdk.model.OrganizationLocationSnapshot;
import example.gatehouse.sdk.model.OrganizationUnitSnapshot;
import example.gatehouse.sdk.model.OrganizationUnitTypeSnapshot;
import example.gatehouse.sdk.model.RecoverySnapshot;
import example.gatehouse.sdk.model.SecretSnapshot;
import example.gatehouse.sdk.model.SignedHeaders;
import example.gatehouse.sdk.model.SubscriptionSnapshot;
import example.gatehouse.sdk.model.UserSnapshot;
import example.gatehouse.sdk.model.WebhookSnapshot;
import example.gatehouse.sdk.model.WorkerSnapshot;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.Key;
import java.security.KeyFactory;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.PublicKey;
import java.security.Signature;
import java.security.SignatureException;
import java.security.spec.InvalidKeySpecException;
import java.security.spec.X509EncodedKeySpec;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** Verifies events that were received (Standard Webhooks). */
public final class Events {
  private static final Duration TOLERANCE = Duration.ofSeconds(300);
  private static final String SECRET_PREFIX = "whsec_";
  private static final String PUBLIC_KEY_PREFIX = "whpk_";
  private static final int PUBLIC_KEY_BYTES = 32;
  /**
   * A subscription has six keys at most. Each signature by a key pair costs a look at the whole body,
   * and anyone can send thousands.
   */
  private static final int SIGNATURES_MAX = 16;
  /** What precedes the 32 bytes in the usual form of an Ed25519 public key (RFC 8410 §4). */
  private static final byte[] BEFORE_PUBLIC_KEY = {0x30, 0x2a, 0x30, 0x05, 0x06, 0x03, 0x2b, 0x65, 0x70, 0x03, 0x21, 0x00};

  /** The events that this package has types of. */
  private static final Map<String, Class<?>> SNAPSHOTS =
      Map.ofEntries(
          Map.entry("client.created", ClientSnapshot.class),
          Map.entry("user.created", UserSnapshot.class),
          Map.entry("user.updated", UserSnapshot.class),
          Map.entry("worker.onboarded", WorkerSnapshot.class),
          Map.entry("worker.updated", WorkerSnapshot.class),
          Map.entry("organization_unit_type.created", OrganizationUnitTypeSnapshot.class),
          Map.entry("organization_unit.created", OrganizationUnitSnapshot.class),
          Map.entry("organization_location.created", OrganizationLocationSnapshot.class),
          Map.entry("organization_location.deleted", OrganizationLocationSnapshot.class),
          Map.entry("subscription.failing", SubscriptionSnapshot.class),
          Map.entry("delivery.exhausted", DeliverySnapshot.class),
          Map.entry("subscription.disabled", SubscriptionSnapshot.class),
          Map.entry("subscription.enabled", SubscriptionSnapshot.class),
          Map.entry("secret.expiring", SecretSnapshot.class),
          Map.entry("recovery.finished", RecoverySnapshot.class),
          Map.entry("webhook.ping", WebhookSnapshot.class));

  private Events() {}

  /** With one secret, the present time and headers as {@code com.sun.net.httpserver} has them. */
  public static Event verify(String secret, Map<String, List<String>> headers, byte[] rawBody)
      throws EventRefusedException {
    return verify(secret, headers(headers), rawBody);
  }

  /** With one secret and the present time. Servlets: {@code request::getHeader}. */
  public static Event verify(String secret, Function<String, String> header, byte[] rawBody)
      throws EventRefusedException {
    return verify(Collections.singletonList(secret), header, rawBody, Instant.now(), TOLERANCE);
  }

  /** An event that was read from a subscription's feed, with one secret and the present time. */
  public static Event verify(String secret, FeedEvent event) throws EventRefusedException {
    return verify(Collections.singletonList(secret), event, Instant.now(), TOLERANCE);
  }

  /**
   * An event that was read from a subscription's feed, once its signature and its time are verified. The feed signs at
   * the time of the reading, so an event that was kept for longer than the tolerance is refused.
   *
   * @param secrets as for an event that was received
   * @param tolerance how far the time of the signature may be from now, either way
   * @throws EventRefusedException when it is not genuine
   * @throws GatehouseException with the code {@code invalid_argument}, as for an event that was received
   */
  public static Event verify(Collection<String> secrets, FeedEvent event, Instant now, Duration tolerance)
      throws EventRefusedException {
    String body = event.getBody() == null ? "" : event.getBody();
    return verify(secrets, headers(event), body.getBytes(StandardCharsets.UTF_8), now, tolerance);
  }

  /**
   * The event in a request that was received, once its signature and its time are verified.
   *
   * @param secrets {@code whsec_…}; several while a secret is being replaced. White space around one does not matter,
   *     nor whether its base64 is padded. A public key {@code whpk_…} of the subscription stands in place of a secret, or
   *     beside one: it verifies signatures {@code v1a}, from Java 15 on. One that fits is enough
   * @param header the value of a header by its name; null for one that is missing
   * @param rawBody the bytes as they were received: a body that was parsed and written again has another signature
   * @param tolerance how far the time of the signature may be from now, either way
   * @throws EventRefusedException when it is not genuine
   * @throws GatehouseException with the code {@code invalid_argument}, for a secret or public key that is none, and for
   *     a public key before Java 15
   */
  public static Event verify(
      Collection<String> secrets, Function<String, String> header, byte[] rawBody, Instant now, Duration tolerance)
      throws EventRefusedException {
    List<Key> keys = keysOf(secrets);
    String id = required(header, "webhook-id");
    String timestamp = required(header, "webhook-timestamp");
    String signatures = required(header, "webhook-signature");
    if (!timestamp.matches("[0-9]{1,15}"))
      throw new EventRefusedException(Reason.MISSING_HEADER, "The header webhook-timestamp is not a number.");
    if (!isSigned(keys, signatures, (id + "." + timestamp + ".").getBytes(StandardCharsets.UTF_8), rawBody))
      throw new EventRefusedException(Reason.BAD_SIGNATURE, "No signature fits the body and a key of yours.");
    long age = now.getEpochSecond() - Long.parseLong(timestamp);
    if (age > tolerance.getSeconds())
      throw new EventRefusedException(Reason.TOO_OLD, "The event was signed " + age + " seconds ago.");
    if (age < -tolerance.getSeconds())
      throw new EventRefusedException(Reason.TOO_NEW, "The event is signed for a time " + -age + " seconds from now.");
    return eventOf(id, rawBody);
  }

  /** Headers by name. Capitals do not matter, and several lines are one list. */
  public static Function<String, String> headers(Map<String, List<String>> all) {
    return name ->
        all.entrySet().stream()
            .filter(header -> name.equalsIgnoreCase(header.getKey()))
            .map(header -> String.join(" ", header.getValue()))
            .findFirst()
            .orElse(null);
  }

  private static Function<String, String> headers(FeedEvent event) {
    SignedHeaders given = event.getHeaders();
    Map<String, String> named = new HashMap<>();
    if (given == null) return named::get;
    named.put("webhook-id", given.getWebhookId());
    named.put("webhook-timestamp", given.getWebhookTimestamp());
    named.put("webhook-signature", given.getWebhookSignature());
    return named::get;
  }

  private static String required(Function<String, String> header, String name) throws EventRefusedException {
    String value = header.apply(name);
    if (value == null || value.isEmpty())
      throw new EventRefusedException(Reason.MISSING_HEADER, "The header " + name + " is missing.");
    return value;
  }

  /** Each as {@link SecretKeySpec} or {@link PublicKey}. */
  private static List<Key> keysOf(Collection<String> secrets) {
    if (secrets == null || secrets.isEmpty()) throw GatehouseException.invalidArgument("The signing secret is missing.");
    List<Key> keys = new ArrayList<>();
    for (String given : secrets) {
      String text = given == null ? "" : given.strip();
      byte[] secret = decoded(text, SECRET_PREFIX);
      byte[] publicKey = decoded(text, PUBLIC_KEY_PREFIX);
      if (secret.length > 0) keys.add(new SecretKeySpec(secret, "HmacSHA256"));
      else if (publicKey.length == PUBLIC_KEY_BYTES) keys.add(publicKeyOf(publicKey));
      else
        throw GatehouseException.invalidArgument(
            "A signing secret is whsec_ with base64 behind it, a public key whpk_ with base64 of 32 bytes.");
    }
    return keys;
  }

  private static PublicKey publicKeyOf(byte[] bytes) {
    byte[] encoded = Arrays.copyOf(BEFORE_PUBLIC_KEY, BEFORE_PUBLIC_KEY.length + bytes.length);
    System.arraycopy(bytes, 0, encoded, BEFORE_PUBLIC_KEY.length, bytes.length);
    try {
      return KeyFactory.getInstance("Ed25519").generatePublic(new X509EncodedKeySpec(encoded));
    } catch (NoSuchAlgorithmException tooOld) {
      throw GatehouseException.invalidArgument("A public key needs Java 15 or newer.");
    } catch (InvalidKeySpecException none) {
      throw GatehouseException.invalidArgument("The public key is none of Ed25519.");
    }
  }

  /** Empty for a text without the prefix, or with something else than base64 behind it. */
  private static byte[] decoded(String text, String prefix) {
    return text.startsWith(prefix) ? fromBase64(text.substring(prefix.length())) : new byte[0];
  }

  /** Empty for what is not base64. */
  private static byte[] fromBase64(String text) {
    try {
      return Base64.getDecoder().decode(text);
    } catch (IllegalArgumentException notBase64) {
      return new byte[0];
    }
  }

  /**
   * True when one of the signatures in the header is that of one of the keys. The kind of a key says which signatures are
   * its: were it the header that says, a public key could be taken for a secret.
   */
  private static boolean isSigned(List<Key> keys, String signatures, byte[] prefix, byte[] body) {
    for (Key key : keys) {
      boolean isItsOwn =
          key instanceof PublicKey
              ? isSignedBy((PublicKey) key, signatures, prefix, body)
              : isSignedWith(key, signatures, prefix, body);
      if (isItsOwn) return true;
    }
    return false;
  }

  /** With a secret: v1. The comparison takes constant time. */
  private static boolean isSignedWith(Key secret, String signatures, byte[] prefix, byte[] body) {
    byte[] expected = mac(secret, prefix, body);
    for (String signature : first(signatures)) {
      if (MessageDigest.isEqual(expected, decoded(signature, "v1,"))) return true;
    }
    return false;
  }

  /** By the owner of a public key: v1a. */
  private static boolean isSignedBy(PublicKey key, String signatures, byte[] prefix, byte[] body) {
    for (String signature : first(signatures)) {
      byte[] given = decoded(signature, "v1a,");
      if (given.length > 0 && isOf(key, given, prefix, body)) return true;
    }
    return false;
  }

  private static List<String> first(String signatures) {
    List<String> given = Arrays.asList(signatures.split(" ", SIGNATURES_MAX + 1));
    return given.subList(0, Math.min(given.size(), SIGNATURES_MAX));
  }

  private static boolean isOf(PublicKey key, byte[] signature, byte[] prefix, byte[] body) {
    try {
      Signature verifier = Signature.getInstance("Ed25519");
      verifier.initVerify(key);
      verifier.update(prefix);
      verifier.update(body);
      return verifier.verify(signature);
    } catch (SignatureException ofAnotherForm) {
      return false;
    } catch (GeneralSecurityException noPoint) {
      throw GatehouseException.invalidArgument("The public key is none of Ed25519.");
    }
  }

  private static byte[] mac(Key secret, byte[] prefix, byte[] body) {
    try {
      Mac mac = Mac.getInstance("HmacSHA256");
      mac.init(secret);
      mac.update(prefix);
      return mac.doFinal(body);
    } catch (GeneralSecurityException never) {
      throw new IllegalStateException("Every Java has HmacSHA256.", never);
    }
  }

  private static Event eventOf(String id, byte[] rawBody) throws EventRefusedException {
    JsonNode body = parsed(rawBody);
    String type = body.path("type").asText("");
    boolean isKnownVersion = isOne(body.path("specVersion")) && isOne(body.path("dataVersion"));
    Class<?> snapshot = isKnownVersion ? SNAPSHOTS.get(type) : null;
    try {
      Object data = snapshot == null ? null : Gatehouse.JSON.treeToValue(body.path("data"), snapshot);
      return new Event(id, type, data, body);
    } catch (JsonProcessingException ofAnotherForm) {
      return new Event(id, type, null, body);
    }
  }

  private static boolean isOne(JsonNode version) {
    return version.isInt() && version.intValue() == 1;
  }

  private static JsonNode parsed(byte[] rawBody) throws EventRefusedException {
    try {
      JsonNode body = Gatehouse.JSON.readTree(rawBody);
      if (body != null && body.isObject()) return body;
    } catch (IOException notJson) {
      // Refused below, like JSON that is no object.
    }
    throw new EventRefusedException(Reason.NOT_JSON, "The body is not a JSON object.");
  }
}
