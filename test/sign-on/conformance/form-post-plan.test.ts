import { describeBasicModules } from "./basic-modules.ts";

describeBasicModules("oidcc-formpost-basic-certification-test-plan", "form_post");
