/** Methods whose operation has another name in the contract. Every other method has its operation's. */
const OPERATIONS: Readonly<Record<string, string>> = {
  beginLogout: "logout",
  changeAccount: "submitAccount",
  signInToAccount: "submitAccountSignIn",
  changePassword: "submitPasswordChange",
  listTenants: "listClients",
  getTenant: "getClient",
  listPlacedWorkers: "listWorkersV2",
  getPlacedWorker: "getWorkerV2",
  listOwnDeliveries: "listDeliveries",
  getOwnDelivery: "getDelivery",
  listOwnEvents: "listEvents",
  readFeed: "readEvents",
  rotateSecret: "rotateSigningSecret",
  revokeSecret: "revokeSigningSecret",
  triggerTestEvent: "sendTestEvent",
};

/** Methods that prove a caller whose request is not valid, whatever its operation (R-G15). */
const OF_ANY: ReadonlySet<string> = new Set(["checkCaller", "checkIntegrator"]);

/**
 * The operation, as the contract names it, of a refused request that was noted under the name of its method. Logs and
 * developers know it by this name. Of operations that share a method, as GET and POST of one address, it is the first.
 * `undefined` when the note does not say which it was.
 */
export const askedOperation = (noted: string): string | undefined =>
  OF_ANY.has(noted) ? undefined : (OPERATIONS[noted] ?? noted);
