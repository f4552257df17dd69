package example.gatehouse.sdk;

import java.io.ByteArrayOutputStream;
import java.net.http.HttpResponse;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Flow;

/** The bytes of a body. Of one above the bound, no more is read than shows that it is. */
final class BoundedBody implements HttpResponse.BodySubscriber<byte[]> {
  private final int bytesMax;
  private final ByteArrayOutputStream received = new ByteArrayOutputStream();
  private final CompletableFuture<byte[]> body = new CompletableFuture<>();
  private Flow.Subscription subscription;

  BoundedBody(int bytesMax) {
    this.bytesMax = bytesMax;
  }

  @Override
  public CompletionStage<byte[]> getBody() {
    return body;
  }

  @Override
  public void onSubscribe(Flow.Subscription given) {
    subscription = given;
    subscription.request(Long.MAX_VALUE);
  }

  @Override
  public void onNext(List<ByteBuffer> pieces) {
    if (body.isDone()) return;
    for (ByteBuffer piece : pieces) {
      byte[] bytes = new byte[piece.remaining()];
      piece.get(bytes);
      received.write(bytes, 0, bytes.length);
    }
    if (received.size() <= bytesMax) return;
    subscription.cancel();
    onComplete();
  }

  @Override
  public void onError(Throwable failure) {
    body.completeExceptionally(failure);
  }

  @Override
  public void onComplete() {
    body.complete(received.toByteArray());
  }
}
