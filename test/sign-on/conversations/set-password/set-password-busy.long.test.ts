import { Browser } from "../../../support/browser.ts";
import { present, type World } from "../../../support/world.ts";
import { describeSignOn, withPerson } from "../../sign-on-fixture.ts";
import { choose, linkFor, NEW_PASSWORD } from "./set-password-kit.ts";

describeSignOn(
  "POST /auth/set-password while too many passwords are being hashed",
  (scene) => {
    it("is 503 with Retry-After and a way to try again; the link is good still", async () => {
      const { signOn, world } = scene();
      const people: World[] = [];
      for (let index = 0; index < 6; index++) people.push(await withPerson(signOn, world, `b${index}@harbour.example`));
      const links = await Promise.all(people.map(({ personId }) => linkFor(signOn, personId)));
      const browser = new Browser(signOn.url);
      const pages = await Promise.all(links.map(({ path }) => browser.open(path)));
      const words = { password: NEW_PASSWORD, password_again: NEW_PASSWORD };
      const ends = await Promise.all(pages.map((page) => browser.submit(page, words)));
      const busy = ends.filter(({ answer }) => answer.status === 503);
      expect(busy.length).toBeGreaterThanOrEqual(1);
      expect(ends.filter(({ answer }) => answer.status === 200).length).toBe(6 - busy.length);
      const refused = present(busy[0]);
      expect(refused.answer.headers.get("retry-after")).toBe("2");
      expect(refused.answer.headers.get("referrer-policy")).toBe("no-referrer");
      expect(refused.answer.text).toContain(`href="${refused.path}"`);
      expect((await choose(signOn, refused.path)).answer.status).toBe(200);
    });
  },
  {
    settings: {
      "password-hash-concurrency": 1,
      "password-hash-queue": 1,
      "password-memory-kib": 65_536,
      "password-passes": 3,
    },
  },
);
