import { describeKills } from "./kills/describe-kills.ts";
import { ON_POSTGRES } from "./kills/kill-store.ts";

describeKills(ON_POSTGRES);
