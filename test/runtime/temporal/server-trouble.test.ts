import { TransportError } from "@temporalio/worker";
import { ServerUnfit } from "../../../src/runtime/temporal/server-check.ts";
import { troubleOf } from "../../../src/runtime/temporal/server-trouble.ts";

const ADDRESS = "temporal.internal:7233";
const AWAY = { sentence: "The server at temporal.internal:7233 does not answer." };
const REFUSED = { sentence: "The server at temporal.internal:7233 refuses us. See temporal-api-key." };
const FIRST_CALL = "Failed to call GetSystemInfo:";
const ENDED = {
  sentence:
    "The server at temporal.internal:7233 ends our connections: does it want TLS, or a certificate? See temporal-tls and temporal-tls-certificate.",
};

const failed = (code: number, message = "") => Object.assign(new Error(message), { code });

describe("why Temporal cannot be used", () => {
  it.each([
    ["no connection", new TransportError("tcp connect error"), AWAY],
    ["a call that ran out of time", failed(1, "Timeout expired"), AWAY],
    ["a deadline that passed", failed(4), AWAY],
    ["a server that is unavailable", failed(14), AWAY],
    ["a connection that broke", failed(2, "transport error"), AWAY],
    ["a wrong API key", failed(16), REFUSED],
    ["a key without the right", failed(7), REFUSED],
    [
      "a wrong API key when connecting",
      new TransportError("code: 'The request does not have valid authentication credentials'"),
      REFUSED,
    ],
    [
      "a certificate without a known authority",
      new TransportError("ConnectError(Custom { error: InvalidCertificate(UnknownIssuer) })"),
      {
        sentence:
          "The certificate of the server at temporal.internal:7233 is not trusted, or is for another name. See temporal-tls-ca and temporal-tls-server-name.",
      },
    ],
    ...["ExpiredContext { time: UnixTime(1796094905), not_after: UnixTime(1609459200) }", "NotValidYet"].map(
      (found): [string, Error, { sentence: string }] => [
        `a certificate that clients refuse for its time (${found})`,
        new TransportError(`ConnectError(Custom { kind: InvalidData, error: InvalidCertificate(${found}) })`),
        {
          sentence:
            "The certificate of the server at temporal.internal:7233 is not good today: it has expired, or begins later. Renew it, or set this machine's clock.",
        },
      ],
    ),
    [
      "a server that ends the handshake with an alert",
      new TransportError("ConnectError(Custom { kind: InvalidData, error: AlertReceived(HandshakeFailure) })"),
      ENDED,
    ],
    [
      "a server that ends the handshake without one",
      new TransportError('ConnectError(Custom { kind: UnexpectedEof, error: "tls handshake eof" })'),
      ENDED,
    ],
    [
      "a server without TLS",
      new TransportError("ConnectError(Custom { kind: InvalidData, error: InvalidMessage(InvalidContentType) })"),
      {
        sentence:
          "The server at temporal.internal:7233 does not speak TLS. Remove temporal-tls, or see temporal-address.",
      },
    ],
    [
      "a server that ends the connection with an alert",
      new TransportError(
        `${FIRST_CALL} code: 'Unknown error', message: "transport error", source: (CertificateRequired)`,
      ),
      ENDED,
    ],
    [
      "a server that ends the connection without one",
      new TransportError(`${FIRST_CALL} code: 'The operation was cancelled', message: "operation was canceled"`),
      ENDED,
    ],
    [
      "a server that is not ready",
      new TransportError(`${FIRST_CALL} code: 'The service is currently unavailable'`),
      AWAY,
    ],
    ["a server that does not fit", new ServerUnfit("Make it."), { sentence: "Make it." }],
  ])("%s is reported in one complete sentence", (_, error, trouble) => {
    expect(troubleOf(error, ADDRESS)).toEqual(trouble);
  });

  it.each([[new Error("The bundle is broken.")], [failed(2, "boom")], [failed(12)], [undefined], ["text"]])(
    "%s is our own failure, and goes into the log",
    (error) => {
      expect(troubleOf(error, ADDRESS)).toEqual({
        sentence: "The Temporal worker cannot run: the log says why.",
        error,
      });
    },
  );
});
