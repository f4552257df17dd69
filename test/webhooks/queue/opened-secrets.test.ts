import { openedSecrets } from "../../../src/webhooks/queue/opened-secrets.ts";
import { standingClock } from "../../support/clock.ts";

const sealed = (text: string) => Buffer.from(`sealed ${text}`);

describe("opened secrets", () => {
  const clock = standingClock();
  let asked: string[];
  let secrets: ReturnType<typeof openedSecrets>;
  beforeEach(() => {
    asked = [];
    const open = (bytes: Buffer, row: string) => {
      asked.push(`${row} ${bytes}`);
      if (bytes.includes("broken")) throw new Error("It does not open.");
      return bytes.subarray("sealed ".length);
    };
    secrets = openedSecrets(open, clock);
  });

  it("are opened once within a second, and again after it", () => {
    for (const stepMs of [0, 999, 1]) {
      clock.step(stepMs);
      expect(secrets.keyOf("webhooks_signing_secrets/1", sealed("a")).export()).toEqual(Buffer.from("a"));
    }
    expect(asked).toEqual(["webhooks_signing_secrets/1 sealed a", "webhooks_signing_secrets/1 sealed a"]);
  });

  it("are opened again after the clock was set back", () => {
    const askedAfter = [0, 500, -60_000, 500].map((stepMs) => {
      clock.step(stepMs);
      secrets.keyOf("webhooks_signing_secrets/1", sealed("a"));
      return asked.length;
    });
    expect(askedAfter).toEqual([1, 1, 2, 2]);
  });

  it("of other bytes or another row are opened at once: a rotated or foreign secret never signs from memory (F42, W20)", () => {
    expect(secrets.keyOf("webhooks_signing_secrets/1", sealed("a")).export().toString()).toBe("a");
    expect(secrets.keyOf("webhooks_signing_secrets/1", sealed("b")).export().toString()).toBe("b");
    expect(secrets.keyOf("webhooks_signing_secrets/2", sealed("b")).export().toString()).toBe("b");
    expect(asked).toHaveLength(3);
  });

  it("that cannot be opened are tried again each time", () => {
    for (let tried = 0; tried < 2; tried++)
      expect(() => secrets.keyOf("webhooks_signing_secrets/1", sealed("broken"))).toThrow("It does not open.");
    expect(asked).toHaveLength(2);
  });
});
