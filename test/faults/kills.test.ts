import { describeKills, expectNothingLost, RUN_MS } from "./kills/describe-kills.ts";
import { ON_SQLITE } from "./kills/kill-store.ts";

describeKills(ON_SQLITE, (reckoned) => {
  it(
    "loses nothing: emitted × matching = delivered + exhausted + skipped + cancelled (F9–F15, I1–I4)",
    async () => expectNothingLost(await reckoned(), ON_SQLITE),
    RUN_MS,
  );
});
