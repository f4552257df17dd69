import { describeBasicModules } from "./basic-modules.ts";

describeBasicModules("oidcc-basic-certification-test-plan", "query");
