import { describeKills } from "./kills/describe-kills.ts";
import { ON_SQLITE } from "./kills/kill-store.ts";

describeKills(ON_SQLITE);
