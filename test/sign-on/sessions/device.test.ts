import fc from "fast-check";
import { deviceOf } from "../../../src/sign-on/sessions/device.ts";

describe("what a browser calls itself, shortened", () => {
  it.each([
    ["Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0", "Firefox", "Linux"],
    [
      "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36",
      "Chrome",
      "Windows",
    ],
    [
      "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36 Edg/142.0.0.0",
      "Edge",
      "Windows",
    ],
    [
      "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/26.0 Safari/605.1.15",
      "Safari",
      "macOS",
    ],
    [
      "Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/26.0 Mobile/15E148 Safari/604.1",
      "Safari",
      "iPhone",
    ],
    [
      "Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Mobile Safari/537.36",
      "Chrome",
      "Android",
    ],
    [
      "Mozilla/5.0 (X11; CrOS x86_64 14541.0.0) AppleWebKit/537.36 Chrome/142.0.0.0 Safari/537.36",
      "Chrome",
      "ChromeOS",
    ],
    ["curl/8.14.1", "", ""],
    ["", "", ""],
    ["<script>alert(1)</script>\r\nFirefox/1", "Firefox", ""],
  ])("%s", (userAgent, browser, system) => {
    expect(deviceOf(userAgent)).toEqual({ browser, system });
  });

  it("holds nothing of what was sent, whatever that is", () => {
    const known = ["", "Edge", "Opera", "Samsung Internet", "Firefox", "Chrome", "Safari"];
    const systems = ["", "Windows", "Android", "iPad", "iPhone", "ChromeOS", "macOS", "Linux"];
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 2_000, size: "max" }), (text) => {
        const { browser, system } = deviceOf(text);
        expect(known).toContain(browser);
        expect(systems).toContain(system);
      }),
    );
  });
});
