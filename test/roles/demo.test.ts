import { inWordsOfMake } from "../../src/roles/demo.ts";
import { CannotStart } from "../../src/runtime/basis/errors.ts";

describe("what a demonstration that cannot start says of make", () => {
  const said = (failure: Error) => inWordsOfMake(() => Promise.reject(failure)).catch((error: Error) => error);

  it("is by which variable a setting that the mistake is about is given", async () => {
    const failure = new CannotStart("Port 8080 is taken.", { exitCode: 1, settings: ["public-port", "issuer"] });
    expect(await said(failure)).toMatchObject({
      message: "Port 8080 is taken.\nWith make: PORT=… for public-port.",
      exitCode: 1,
      cause: failure,
    });
  });

  it.each<[string, Error]>([
    [
      "a setting that its text only contains",
      new CannotStart("There is no directory /srv/public-port.", { settings: ["data-directory"] }),
    ],
    ["a failure of another kind", new Error("public-port")],
  ])("is nothing for %s", async (_, failure) => {
    expect(await said(failure)).toBe(failure);
  });
});
