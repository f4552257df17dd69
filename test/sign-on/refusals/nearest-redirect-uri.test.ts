import fc from "fast-check";
import {
  editDistance,
  firstDifference,
  nearestRedirectUri,
} from "../../../src/sign-on/refusals/nearest-redirect-uri.ts";

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

  it("is none when none is registered", () => {
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

describe("edit distance", () => {
  const text = fc.string({ maxLength: 30 });

  it.each([
    ["kitten", "sitting", 3],
    ["", "abc", 3],
    ["abc", "abc", 0],
    ["flaw", "lawn", 2],
  ])("of %s and %s is %i", (one, other, distance) => {
    expect(editDistance(one, other)).toBe(distance);
  });

  it("is the same both ways, nothing only between equals, and one for one edit", () => {
    fc.assert(
      fc.property(text, text, fc.nat(), (one, other, at) => {
        expect(editDistance(one, other)).toBe(editDistance(other, one));
        expect(editDistance(one, other) === 0).toBe(one === other);
        const place = one.length === 0 ? 0 : at % one.length;
        expect(editDistance(one, `${one.slice(0, place)}\u0001${one.slice(place)}`)).toBe(1);
      }),
    );
  });

  it("parts where the first character differs", () => {
    fc.assert(
      fc.property(text, text, (one, other) => {
        const at = firstDifference(one, other);
        expect(one.slice(0, at)).toBe(other.slice(0, at));
        expect(one === other || one[at] !== other[at]).toBe(true);
      }),
    );
  });
});
