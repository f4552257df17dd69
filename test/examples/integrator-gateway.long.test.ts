import { example } from "./support/gatehouse-stand-in.ts";
import { API_KEY } from "./support/sample-process.ts";
import { sampleSuite } from "./support/sample-suite.ts";

sampleSuite("the sample integrator reads the gateway (spec §4.2)", (context) => {
  const { deliver, pageText } = context;

  const [configured, other] = example("gateway/instance-integrations");
  const clients = example("gateway/clients");
  const clientsPath = ({ id }: { id: string }) => `/v1/instance-integrations/${id}/clients`;

  it("shows instance integrations, clients and workers, and which instance integration is not configured", async () => {
    const [first, second] = clients;
    context.gatehouse.answer("/v1/instance-integrations", 200, [configured, other]);
    context.gatehouse.answer(clientsPath(configured), 200, clients);
    context.gatehouse.answer(clientsPath(other), 404, example("gateway/problem-instance-integration-not-configured"));
    context.gatehouse.answer(`${clientsPath(configured)}/${first.id}/workers`, 200, example("gateway/workers"));
    context.gatehouse.answer(`${clientsPath(configured)}/${second.id}/workers`, 200, []);
    const text = await pageText("/");
    for (const shown of ["Europe", "North America", "Harbour Bakery", "Ines Okafor", "Baker, Shift lead"]) {
      expect(text).toContain(shown);
    }
    expect(text).toContain("Instance integration not configured");
    expect(text).toContain("the answer is an empty list");
    expect(context.gatehouse.requests.every(({ apiKey }) => apiKey === API_KEY)).toBe(true);
  });

  it.each([
    [401, "problem-unauthorized", "The API key (header x-api-key) is missing or wrong."],
    [404, "problem-instance-integration-not-found", "Instance integration not found"],
    [500, "problem-internal-error", "Something went wrong on our side."],
    [503, "problem-unavailable", "The service cannot answer at the moment."],
  ])("shows a %d problem with its text and requestId", async (status, name, detail) => {
    context.gatehouse.answer("/v1/instance-integrations", status, example(`gateway/${name}`));
    const text = await pageText("/");
    expect(text).toContain(`${status} ${example(`gateway/${name}`).title}`);
    expect(text).toContain(detail);
    expect(text).toContain("req_4tGJ9sWmQ2xZbL7NcR5Kd");
  });

  it.each(["<html>Bad gateway</html>", "{}", "null"])("survives an answer outside the contract: %s", async (body) => {
    for (const status of [200, 502]) {
      context.gatehouse.answer("/v1/instance-integrations", status, body);
      expect(await pageText("/")).toContain(`${status} An answer that the contract does not list`);
    }
  });

  it("survives an answer that stops in the middle", async () => {
    context.gatehouse.stall("/v1/instance-integrations", '[{"id":');
    const text = await pageText("/");
    expect(text).toContain("The gateway does not answer");
    expect(text).toContain("no answer in time");
  });

  it("follows links.self of an event", async () => {
    const event = example("events/user.updated");
    context.gatehouse.answer(event.data.links.self, 200, example("gateway/user"));
    await deliver(event);
    expect(await pageText("/")).toContain('href="/events/1/current"');
    expect(await pageText("/events/1/current")).toContain("2026-06-29T10:00:00.000Z");
    expect(context.gatehouse.requests.at(-1)).toEqual({ path: event.data.links.self, apiKey: API_KEY });
  });

  it.each([
    ["organization_unit.created", "units", true, "is in the structure now."],
    ["organization_unit_type.created", "unitsTypes", true, "is in the structure now."],
    ["organization_location.created", "locations", true, "is in the structure now."],
    ["organization_location.deleted", "locations", false, "is not in the structure any more."],
  ])("says whether the structure lists the subject of %s (spec §6 rule 3)", async (type, list, isListed, says) => {
    const event = example(`events/${type}`);
    const listed = isListed ? [{ id: event.entity.id, name: "Quayside" }] : [];
    const structure = { ...example("gateway/organization-structure"), [list]: listed };
    context.gatehouse.answer(event.data.links.self, 200, structure);
    await deliver(event);
    const text = await pageText("/events/1/current");
    expect(text).toContain(event.entity.id);
    expect(text).toContain(says);
  });

  it.each(["worker.onboarded", "worker.updated", "user.created"])("shows the content of %s", async (type) => {
    const event = example(`events/${type}`);
    context.gatehouse.answer(event.data.links.self, 200, example("gateway/worker-v2"));
    await deliver(event);
    expect(await pageText("/")).toContain(event.data.fullName);
    const text = await pageText("/events/1/current");
    expect(text).toContain(event.type);
    expect(text).not.toContain("the structure");
  });
});
