import { Gatehouse } from "#generated/sdk/typescript/dist/gatehouse.js";
import { startMock } from "../conformance/mock.ts";
import { sendRaw } from "../support/http.ts";
import { closingAfterAll } from "../support/scope.ts";

const START_MS = 60_000;

describe("the mock, read by an SDK", () => {
  const closeLater = closingAfterAll();
  let baseUrl: string;
  let gatehouse: Gatehouse;
  beforeAll(async () => {
    baseUrl = await startMock(closeLater);
    gatehouse = new Gatehouse({ baseUrl, apiKey: "any" });
  }, START_MS);

  const place = ["installation_7Kq2mZx9Lw4TnB6RcV8Yd", "client_3HsYp8QdWm5KzR1XbN7Vt"] as const;
  it.each([
    ["workers", () => gatehouse.workers(...place)],
    ["users", () => gatehouse.users(...place)],
  ] as const)("has a last page of %s", async (_, iterate) => {
    const ids: string[] = [];
    for await (const { id } of iterate()) ids.push(id);
    expect(ids.length).toBeGreaterThan(0);
    expect(ids.slice(ids.length / 2)).toEqual(ids.slice(0, ids.length / 2));
  });

  it("goes on after a request whose address is none", async () => {
    await sendRaw(baseUrl, "GET // HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n");
    expect(await gatehouse.instanceIntegrations()).not.toEqual([]);
  });
});
