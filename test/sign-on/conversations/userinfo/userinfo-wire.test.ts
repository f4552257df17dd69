import type { GetUserinfoResponse } from "../../../../generated/proto/gatehouse/sign_on/v1/tokens.ts";
import { toUserinfo } from "../../../../src/sign-on/conversations/userinfo/userinfo-handler.ts";

const REPLY: GetUserinfoResponse = {
  subject: "person_1",
  audience: "app_1",
  name: "Maren Dahl",
  firstName: "Maren",
  lastName: "Dahl",
  givenName: "Maren",
  familyName: "Dahl",
  email: "m@harbour.example",
  emailVerified: false,
  workerProfileId: "profile_1",
  users: [{ id: "user_1", tenantId: "client_1" }],
  workers: [{ id: "worker_1", tenantId: "client_2" }],
  lastLoginContext: { worker: false, tenantId: "client_1" },
};

describe("the body of userinfo (spec §2.7)", () => {
  it("says everything in wire words, `aub` beside `aud` (R-S4)", () => {
    expect(toUserinfo(REPLY)).toEqual({
      sub: "person_1",
      aud: "app_1",
      aub: "app_1",
      name: "Maren Dahl",
      firstName: "Maren",
      lastName: "Dahl",
      given_name: "Maren",
      family_name: "Dahl",
      email: "m@harbour.example",
      email_verified: false,
      workerProfileId: "profile_1",
      userIds: [{ id: "user_1", clientId: "client_1" }],
      workerIds: [{ id: "worker_1", clientId: "client_2" }],
      lastLoginContext: { userType: "USER", clientId: "client_1" },
    });
  });

  it("leaves out what has no value; never null, never empty (R-D2)", () => {
    const names = { name: null, firstName: undefined, lastName: null, givenName: null, familyName: undefined };
    const nothing = { ...names, email: null, emailVerified: null };
    const bare = toUserinfo({ ...REPLY, ...nothing, users: [], workers: [], lastLoginContext: null });
    expect(bare).toEqual({
      sub: "person_1",
      aud: "app_1",
      aub: "app_1",
      workerProfileId: "profile_1",
      userIds: [],
      workerIds: [],
    });
    expect(Object.values(bare)).not.toContain(undefined);
  });

  it("says WORKER for a worker's seat (R-S22)", () => {
    const worker = toUserinfo({ ...REPLY, lastLoginContext: { worker: true, tenantId: "client_2" } });
    expect(worker.lastLoginContext).toEqual({ userType: "WORKER", clientId: "client_2" });
  });
});
