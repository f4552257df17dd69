import fc from "fast-check";
import { editDistance } from "../../../src/runtime/basis/edit-distance.ts";
import { nearestRedirectUri } from "../../../src/sign-on/inspection/explain-refusal-service.ts";

const CALLBACK = "https://app.example/callback";
const uri = fc.webUrl({ withQueryParameters: true });

describe("the registered redirect URI that is nearest to one that was sent", () => {
  it.each([
    [`${CALLBACK}/`, 1, 28],
    ["https://app.example/Callback", 1, 20],
    ["http://app.example/callback", 1, 4],
    ["https://app.example/calback", 1, 23],
    ["https://app.example:443/callback", 4, 19],
  ])("of %s is %i characters away and parts at %i", (sent, distance, differsAt) => {
    expect(nearestRedirectUri(["https://other.example/", CALLBACK], sent)).toEqual({
      uri: CALLBACK,
      distance,
      differsAt,
    });
  });

  it("is absent when none is registered", () => {
    expect(nearestRedirectUri([], CALLBACK)).toBeUndefined();
  });

  it("is the one with the fewest characters to change, whatever is registered", () => {
    fc.assert(
      fc.property(fc.array(uri, { minLength: 1, maxLength: 8 }), uri, (registered, sent) => {
        const nearest = nearestRedirectUri(registered, sent);
        const distances = registered.map((one) => editDistance(one.slice(0, 500), sent.slice(0, 500)));
        expect(nearest?.distance).toBe(Math.min(...distances));
      }),
    );
  });
});
