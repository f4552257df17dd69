import type { MigrationSet } from "#runtime/database/migrations.ts";
import { firstTables } from "./0001-first-tables.ts";
import { codeExpiry } from "./0002-code-expiry.ts";
import { applicationsWhole } from "./0003-applications-whole.ts";
import { signingKeyRotation } from "./0004-signing-key-rotation.ts";
import { signIns } from "./0005-sign-ins.ts";
import { passwordLinks } from "./0006-password-links.ts";
import { authorizationRequestsWhole } from "./0007-authorization-requests-whole.ts";
import { refreshWindow } from "./0008-refresh-window.ts";
import { signingOut } from "./0009-signing-out.ts";
import { operators } from "./0010-operators.ts";
import { deletedApplications } from "./0011-deleted-applications.ts";
import { oneRowPerFamily } from "./0012-one-row-per-family.ts";
import { signInsById } from "./0013-sign-ins-by-id.ts";
import { linksForAState } from "./0014-links-for-a-state.ts";
import { whoseSignOut } from "./0015-whose-sign-out.ts";
import { previousSecretsInUse } from "./0016-previous-secrets-in-use.ts";

export const signOnMigrations: MigrationSet = {
  owner: "sign-on",
  migrations: [
    firstTables,
    codeExpiry,
    applicationsWhole,
    signingKeyRotation,
    signIns,
    passwordLinks,
    authorizationRequestsWhole,
    refreshWindow,
    signingOut,
    operators,
    deletedApplications,
    oneRowPerFamily,
    signInsById,
    linksForAState,
    whoseSignOut,
    previousSecretsInUse,
  ],
};
