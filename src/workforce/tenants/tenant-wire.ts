import type { Tenant } from "#generated/proto/gatehouse/workforce/v1/workforce.ts";
import { toWireAddress, type Wire } from "../wire.ts";

/** A tenant as the gateway shows it: the wire's client (spec §2.2, R-G4). */
export const toWireClient = ({ id, name, address }: Tenant): Wire["PlatformClient"] => ({
  id,
  name,
  location: toWireAddress(address),
});
