import { TransportError } from "@temporalio/worker";
import { ServerUnfit } from "../../../src/runtime/temporal/server-check.ts";
import { troubleOf } from "../../../src/runtime/temporal/server-trouble.ts";

const ADDRESS = "temporal.internal:7233";
const AWAY = { sentence: "The server at temporal.internal:7233 does not answer." };
const REFUSED = { sentence: "The server at temporal.internal:7233 refuses us. See temporal-api-key." };

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
    ["a server that does not fit", new ServerUnfit("Make it."), { sentence: "Make it." }],
  ])("%s is told in a sentence that says all", (_, error, trouble) => {
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
