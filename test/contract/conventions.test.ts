import { EVENT_TYPES, SENT_TYPES } from "#generated/event-types.ts";
import { operations as gatewayOperations } from "#generated/operations/gateway.ts";
import { operations as portalOperations } from "#generated/operations/portal.ts";
import { operations as signOnOperations } from "#generated/operations/sign-on.ts";
import { PROBLEMS } from "#generated/problems.ts";
import { idPatternViolation } from "../../src/runtime/basis/id-violation.ts";
import { TOO_MANY } from "../../src/webhooks/gateway/webhook-problem.ts";
import { PING } from "../../src/webhooks/subscriptions/ping.ts";
import { STANDARD_ROLES } from "../../src/workforce/tenants/access-role.ts";
import {
  ALL_CONTRACTS,
  type ContractOperation,
  contract,
  type Node,
  nodesOf,
  operationsOf,
  REST_CONTRACTS,
  resolve,
} from "./contracts.ts";

/** The objects of a part of a document, and of what it refers to. */
function* nodesInUse(document: Node, part: unknown, followed = new Set<unknown>()): Generator<Node> {
  for (const [, node] of nodesOf(part)) {
    yield node;
    const { $ref } = node;
    if ($ref === undefined || followed.has($ref)) continue;
    followed.add($ref);
    yield* nodesInUse(document, resolve(document, node), followed);
  }
}

/** Writes of a subscription whose answers do not show it (R-X423). */
const WRITES_WITHOUT_TAG = ["deleteSubscription", "rotateSigningSecret", "revokeSigningSecret"];

const TABLES = { "sign-on": signOnOperations, gateway: gatewayOperations, portal: portalOperations };

describe.each(REST_CONTRACTS)("every operation of %s.yaml", (name) => {
  const document = contract(name);
  const operations = operationsOf(document);
  const answers = operations.flatMap(({ operationId, responses }) =>
    responses.map(([status, response]) => ({ at: `${operationId} ${status}`, status: Number(status), response })),
  );
  const headersOf = (response: Node) => (response.headers ?? {}) as Node;

  it("is in the generated table with method and path", () => {
    const listed = operations.map(({ operationId, method, path }) => [operationId, { method, path }]);
    expect(Object.fromEntries(listed)).toEqual(TABLES[name]);
    expect(listed.length).toBeGreaterThan(0);
  });

  it("has a summary, a tag that is explained, and a name of its own", () => {
    const tags = new Set((document.tags as readonly Node[]).map((tag) => tag.name));
    const wrong = operations.filter(
      ({ operation }) =>
        typeof operation.summary !== "string" || !(operation.tags as string[])?.every((tag) => tags.has(tag)),
    );
    expect(wrong.map(({ operationId }) => operationId)).toEqual([]);
    expect(new Set(operations.map(({ operationId }) => operationId)).size).toBe(operations.length);
  });

  it("has parameters and bodies of the kinds that the edge validates (0086)", () => {
    const others = operations.flatMap(({ operationId, operation, parameters }) => {
      const { content = {} } = (resolve(document, operation.requestBody) ?? {}) as { readonly content?: Node };
      const bodies = new Set(Object.values(content).map((media) => JSON.stringify((media as Node).schema)));
      const unknown = parameters.filter(
        ({ in: place, schema, style, explode, content: coded }) =>
          !["path", "query", "header"].includes(String(place)) ||
          schema === undefined ||
          [style, explode, coded].some((one) => one !== undefined),
      );
      return [...unknown.map(({ name }) => `${operationId} ${name}`), ...(bodies.size > 1 ? [operationId] : [])];
    });
    expect(others).toEqual([]);
  });

  it("promises x-request-id on each answer", () => {
    const without = answers.filter(
      ({ response }) => resolve(document, headersOf(response)["X-Request-Id"])?.required !== true,
    );
    expect(without.map(({ at }) => at)).toEqual([]);
  });

  it("has words for each form that the edge checks in a request, besides those of ids (R-G1)", () => {
    const forms = operations
      .filter(({ operationId }) => operationId !== "authorize")
      .flatMap(({ operationId, operation, parameters }) =>
        [...nodesInUse(document, [parameters, operation.requestBody])].map((node) => ({ operationId, node })),
      )
      .filter(({ node }) => typeof node.pattern === "string");
    const mute = forms.filter(
      ({ node }) => idPatternViolation(String(node.pattern)) === undefined && typeof node["x-form"] !== "string",
    );
    expect(mute.map(({ operationId, node }) => `${operationId}: ${String(node.pattern)}`)).toEqual([]);
  });

  it("describes the answer to a fault of ours", () => {
    const without = operations.filter(({ responses }) => !responses.some(([status]) => status === "500"));
    expect(without.map(({ operationId }) => operationId)).toEqual([]);
  });

  it("declares where it takes a body that one may be too large or of another type (R-X31, R-X152)", () => {
    const taking = operations.filter(({ operation }) => "requestBody" in operation);
    const without = taking.flatMap(({ operationId, responses }) => {
      const declared = new Set(responses.map(([status]) => status));
      return ["413", "415"].filter((status) => !declared.has(status)).map((status) => `${operationId} ${status}`);
    });
    expect(without).toEqual([]);
    const tooLarge = answers.filter(({ status }) => status === 413).map(({ response }) => String(response.description));
    expect(tooLarge.filter((said) => !said.includes("64 KiB"))).toEqual([]);
  });

  it("declares If-Match, and the answer where it is false, wherever an answer has an entity tag (R-X420)", () => {
    // What is made has a tag from then on, and the list in which it is has none.
    const tagged = operations.filter(({ responses }) =>
      responses.some(([status, one]) => status !== "201" && "ETag" in headersOf(one)),
    );
    const evaluated = operations.filter(
      ({ parameters, responses }) =>
        parameters.some((one) => one.name === "If-Match") && responses.some(([status]) => status === "412"),
    );
    const names = evaluated.map(({ operationId }) => operationId);
    expect(names.filter((one) => !WRITES_WITHOUT_TAG.includes(one))).toEqual(
      tagged.map(({ operationId }) => operationId),
    );
    expect(tagged.length).toBeGreaterThan(0);
  });

  it("describes each answer, parameter and header", () => {
    const bare = [
      ...answers.filter(({ response }) => typeof response.description !== "string").map(({ at }) => at),
      ...operations.flatMap(({ operationId, parameters }) =>
        parameters
          .filter(({ description }) => typeof description !== "string")
          .map((parameter) => `${operationId} ${String(parameter.name)}`),
      ),
      ...answers.flatMap(({ at, response }) =>
        Object.entries(headersOf(response))
          .filter(([, header]) => typeof resolve(document, header).description !== "string")
          .map(([header]) => `${at} ${header}`),
      ),
    ];
    expect(bare).toEqual([]);
  });

  it("limits each text in its paths, by length or by pattern (S40)", () => {
    const texts = operations.flatMap(({ parameters }) => parameters.filter(({ in: place }) => place === "path"));
    const open = texts.filter(({ schema }) => {
      const { maxLength, pattern, maximum } = resolve(document, schema);
      return maxLength === undefined && pattern === undefined && maximum === undefined;
    });
    expect(open.map(({ name: parameter }) => parameter)).toEqual([]);
  });

  it("declares what is answered without an operation (R-D7)", () => {
    const unrouted = resolve(document, document["x-unrouted"]);
    const types: Readonly<Record<string, readonly string[]>> = {
      "sign-on": ["application/json", "text/html"],
      gateway: ["application/problem+json"],
      portal: ["application/problem+json", "text/html"],
    };
    expect(Object.keys(unrouted.content as Node)).toEqual(types[name]);
    expect(resolve(document, headersOf(unrouted)["X-Request-Id"]).required).toBe(true);
  });
});

describe("sign-on.yaml", () => {
  const document = contract("sign-on");
  const answers = operationsOf(document).flatMap(({ operationId, path, responses }) =>
    responses.map(([status, response]) => ({ operationId, path, status: Number(status), response })),
  );

  it("keeps every answer but the discovery documents out of caches (S9, S30)", () => {
    const cached = answers.filter(
      ({ response }) =>
        (resolve(document, (response.headers as Node)["Cache-Control"])?.schema as Node | undefined)?.const !==
        "no-store",
    );
    expect([...new Set(cached.filter(({ status }) => status < 400).map(({ operationId }) => operationId))]).toEqual([
      "getOpenidConfiguration",
      "getAuthorizationServerMetadata",
      "getJwks",
    ]);
    expect(
      cached
        .filter(({ status, path }) => status >= 400 && path.startsWith("/auth/"))
        .map(({ operationId, status }) => `${operationId} ${status}`),
    ).toEqual([]);
  });

  it("gives every page a Content-Security-Policy (S11)", () => {
    const pages = answers.filter(({ response }) => "text/html" in ((response.content ?? {}) as Node));
    const bare = pages.filter(({ response }) => (response.headers as Node)["Content-Security-Policy"] === undefined);
    expect(bare.map(({ operationId, status }) => `${operationId} ${status}`)).toEqual([]);
    expect(pages.length).toBeGreaterThan(0);
  });

  it("says at each parameter that may be as long as a body how long that may be (R-X12, R-X31)", () => {
    const hints = operationsOf(document).flatMap(({ operationId, parameters }) =>
      parameters.filter(({ name }) => name === "id_token_hint").map(({ description }) => [operationId, description]),
    );
    expect(hints).toEqual([
      ["authorize", expect.stringContaining("64 KiB")],
      ["logout", expect.stringContaining("64 KiB")],
    ]);
  });

  it("accepts the same in JSON as in a form at the token endpoint (R-S1)", () => {
    const [token] = operationsOf(document).filter(({ operationId }) => operationId === "exchangeToken");
    const { content } = (token as ContractOperation).operation.requestBody as {
      readonly content: Readonly<Record<string, Node>>;
    };
    expect(Object.keys(content)).toEqual(["application/json", "application/x-www-form-urlencoded"]);
    expect(content["application/json"]?.schema).toEqual(content["application/x-www-form-urlencoded"]?.schema);
  });
});

/** Below a subscription, and change nothing of it. */
const TRIALS = ["sendTestEvent", "signTestMessages"];

describe("gateway.yaml", () => {
  const document = contract("gateway");
  const operations = operationsOf(document);
  const reads = operations.filter(({ path }) => !path.startsWith("/v1/webhooks/"));

  it("requires the key everywhere, and only in its header (R-G11)", () => {
    const { securitySchemes } = document.components as { readonly securitySchemes: Node };
    expect(document.security).toEqual([{ apiKey: [] }]);
    const open = operations.filter(({ operation }) => "security" in operation);
    expect(open.map(({ operationId, operation }) => [operationId, operation.security])).toEqual([
      ["listPublicKeys", []],
    ]);
    expect(securitySchemes).toMatchObject({ apiKey: { type: "apiKey", in: "header", name: "x-api-key" } });
  });

  it("answers 400, 401, 403 and 503 everywhere, and 404 wherever the path has an id (R-G2, R-G5, R-X295)", () => {
    const ofKeys = ["401", "403"];
    const wanted = ({ path, operation }: ContractOperation) => [
      ...["400", "500", "503"],
      ...("security" in operation ? [] : ofKeys),
      ...(path.includes("{") ? ["404"] : []),
    ];
    const without = operations.flatMap((operation) => {
      const declared = new Set(operation.responses.map(([status]) => status));
      return wanted(operation)
        .filter((status) => !declared.has(status))
        .map((status) => `${operation.operationId} ${status}`);
    });
    expect(without).toEqual([]);
  });

  it("makes every error a problem (R-G1)", () => {
    const errors = operations.flatMap(({ operationId, responses }) =>
      responses
        .filter(([status]) => Number(status) >= 400)
        .map(([status, { content }]) => [`${operationId} ${status}`, Object.keys(content as Node)] as const),
    );
    expect(errors.filter(([, types]) => types.join() !== "application/problem+json")).toEqual([]);
    expect(errors.length).toBeGreaterThan(10);
  });

  it("accepts only public ids in its paths, each of the prefix of its kind (R-D5, R-G13)", () => {
    const ids = operations.flatMap(({ parameters }) =>
      parameters
        .filter((parameter) => parameter.in === "path" && (parameter.schema as Node).type !== "integer")
        .map(({ schema }) => (schema as Node).pattern),
    );
    expect(ids.filter((pattern) => !/^\^[a-z]+_\[A-Za-z0-9\]\{21\}\$$/.test(String(pattern)))).toEqual([]);
    expect(ids.length).toBeGreaterThan(0);
  });

  it("limits each number in its paths", () => {
    const numbers = operations.flatMap(({ parameters }) =>
      parameters.filter((one) => one.in === "path" && (one.schema as Node).type === "integer"),
    );
    expect(numbers.filter(({ schema }) => typeof (schema as Node).maximum !== "number")).toEqual([]);
  });

  it("allows a conditional request for every answer about the platform (R-G10)", () => {
    const without = reads.filter(({ parameters, responses }) => {
      const [good, unchanged] = ["200", "304"].map((status) => responses.find(([one]) => one === status)?.[1]);
      const headers = ["ETag", "Vary", "Cache-Control"];
      const promises = [good, unchanged].every((response) =>
        headers.every((name) => resolve(document, (response?.headers as Node | undefined)?.[name])?.required === true),
      );
      return !promises || "content" in (unchanged ?? {}) || !parameters.some(({ name }) => name === "If-None-Match");
    });
    expect(without.map(({ operationId }) => operationId)).toEqual([]);
  });

  it("keeps every successful answer private to its key (R-G10)", () => {
    const good = reads.flatMap(({ responses }) => responses.filter(([status]) => status === "200"));
    const wrong = good.filter(
      ([, { headers }]) =>
        (resolve(document, (headers as Node)["Cache-Control"]).schema as Node).const !== "private, no-cache",
    );
    expect(wrong).toEqual([]);
  });

  it("declares If-Match, and its 412, for every write of a subscription, which a read of it has the tag for (R-X423)", () => {
    const below = operations.filter(({ path }) => path.startsWith("/v1/webhooks/subscriptions/{subscriptionId}"));
    const written = below.filter(({ method, operationId }) => method !== "GET" && !TRIALS.includes(operationId));
    const without = written.filter(
      ({ parameters, responses }) =>
        !(parameters.some(({ name }) => name === "If-Match") && responses.some(([status]) => status === "412")),
    );
    expect(without.map(({ operationId }) => operationId)).toEqual([]);
    expect(written.length).toBeGreaterThan(5);
  });

  it("keeps every answer about an integration's own webhooks out of caches (R-X296)", () => {
    const own = operations.filter((operation) => !reads.includes(operation));
    const cached = own.flatMap(({ operationId, responses }) =>
      responses
        .filter(([, { headers }]) => {
          const header = resolve(document, (headers as Node)["Cache-Control"]);
          return (header.schema as Node).const !== "no-store";
        })
        .map(([status]) => `${operationId} ${status}`),
    );
    expect(cached).toEqual([]);
    expect(own.length).toBeGreaterThan(20);
  });
});

describe.each(ALL_CONTRACTS)("the description of %s.yaml (R-X426)", (name) => {
  it("says that members are added, and words of the lists that are open", () => {
    const document = contract(name);
    const { description } = document.info as { readonly description: string };
    const open = [...nodesOf(document)].filter(([, node]) => "x-extensible-enum" in node);
    expect(open.length).toBeGreaterThan(0);
    expect(description).toContain("members");
    expect(description).toContain("`x-extensible-enum` gain words");
    expect(description).toContain("`enum` are complete");
  });
});

describe("the lists that must be equal", () => {
  it("event types: AsyncAPI, its channel, the gateway's webhooks and the generated list (spec §6)", () => {
    const events = contract("webhooks.asyncapi");
    const { messages } = events.components as { readonly messages: Readonly<Record<string, Node>> };
    const channel = (events.channels as { readonly endpoint: { readonly messages: Node } }).endpoint.messages;
    const named = Object.values(messages).map(({ name }) => name);
    const typed = Object.values(messages).map(
      ({ payload }) =>
        (resolve(events, (resolve(events, payload).properties as Node).type) as { const?: unknown }).const,
    );
    const offered = Object.values(channel).map((message) => resolve(events, message).name);
    const webhooks = Object.keys(contract("gateway").webhooks as Node);
    expect(named).toEqual(SENT_TYPES);
    expect(typed).toEqual(SENT_TYPES);
    expect(offered).toEqual(SENT_TYPES);
    expect(webhooks.toSorted()).toEqual(SENT_TYPES.toSorted());
    expect(SENT_TYPES).toEqual([...EVENT_TYPES, PING]);
  });

  it("codes of problems: schema, examples and the pages that explain them (R-G1)", () => {
    const document = contract("gateway");
    const { schemas } = document.components as { readonly schemas: { readonly Problem: Node } };
    const { code } = schemas.Problem.properties as {
      readonly code: { readonly "x-extensible-enum": readonly string[] };
    };
    expect(code["x-extensible-enum"].toSorted()).toEqual(Object.keys(PROBLEMS).toSorted());
    const examples = [...nodesOf(document)].flatMap(([, node]) =>
      "requestId" in node && "code" in node && typeof node.code === "string" ? [node] : [],
    );
    const wrong = examples.filter((example) => {
      const known = PROBLEMS[example.code as keyof typeof PROBLEMS];
      return known?.status !== example.status || known?.title !== example.title;
    });
    expect(wrong).toEqual([]);
    expect(examples.length).toBeGreaterThan(5);
  });

  it("roles: the description of a role's name, and those that every client begins with (spec §2.6)", () => {
    const standard = STANDARD_ROLES.map(({ name }) => name);
    for (const name of ["gateway", "webhooks.asyncapi"] as const) {
      const { schemas } = contract(name).components as { readonly schemas: { readonly UserRole: Node } };
      const { description } = (schemas.UserRole.properties as Readonly<Record<"name", { description: string }>>).name;
      expect(standard.filter((role) => !description.includes(role))).toEqual([]);
    }
    expect(standard).toContain("Owner");
  });

  it("roles: the description of a role's name says that a standard one can have another, which a client gave it (R-G17)", () => {
    for (const name of ["gateway", "webhooks.asyncapi"] as const) {
      const { schemas } = contract(name).components as { readonly schemas: { readonly UserRole: Node } };
      expect((schemas.UserRole.properties as Readonly<Record<"name", Node>>).name.description).toContain("renamed");
    }
  });

  it("pages: each that looks at a part of its list says that it may be empty though there is a next one (R-X298, R-X339)", () => {
    const { schemas } = contract("gateway").components as { readonly schemas: Readonly<Record<string, Node>> };
    const pages = Object.entries(schemas).filter(([name]) => name.endsWith("Page") && name !== "FeedPage");
    const partly = pages.filter(([, { properties }]) =>
      String((properties as Readonly<Record<"data", Node>>).data.description).includes("even empty"),
    );
    expect(partly.map(([name]) => name).toSorted()).toEqual(["DeliveryPage", "EventPage"]);
  });

  it("limits: the description of 429, and every limit that an integration has beside that of its key (R-G12)", () => {
    const { responses } = contract("gateway").components as {
      readonly responses: { readonly TooManyRequests: { readonly description: string } };
    };
    const limited = ["pings", "test events", "test messages", "waiting reads"];
    expect(limited.filter((one) => !responses.TooManyRequests.description.includes(one))).toEqual([]);
    expect(limited).toHaveLength(TOO_MANY.length);
  });

  it.each([
    {
      event: "WorkerUpdated",
      snapshot: "WorkerSnapshot",
      unchanging: ["workerId", "clientId", "createdAt", "links"],
      words: {
        ...{ firstName: "names", lastName: "names", fullName: "names", email: "e-mail address" },
        ...{ jobTitles: "job titles", phone: "phone", location: "address", organizationLocation: "location" },
        ...{ organizationUnits: "units", organizationUnit: "units", endedAt: "end of the employment" },
      },
    },
    {
      event: "UserUpdated",
      snapshot: "UserSnapshot",
      unchanging: ["userId", "clientId", "createdAt", "links"],
      words: {
        ...{ firstName: "first or last name", lastName: "first or last name", fullName: "first or last name" },
        ...{ email: "e-mail address", status: "status", manager: "manager", role: "role" },
      },
    },
  ])(
    "what $event says may have changed, and what its data have (spec §6)",
    ({ event, snapshot, unchanging, words }) => {
      const { messages, schemas } = contract("webhooks.asyncapi").components as {
        readonly messages: Readonly<Record<string, { readonly description: string }>>;
        readonly schemas: Readonly<Record<string, { readonly properties: Node }>>;
      };
      const changing = Object.keys(schemas[snapshot]?.properties ?? {}).filter((name) => !unchanging.includes(name));
      expect(changing.toSorted()).toEqual(Object.keys(words).toSorted());
      const said = messages[event]?.description ?? "";
      expect(Object.values(words).filter((word) => !said.includes(word))).toEqual([]);
    },
  );

  it("versions: all contracts have the same", () => {
    const versions = ALL_CONTRACTS.map((name) => (contract(name).info as Node).version);
    expect(new Set(versions).size).toBe(1);
  });
});

/** Repeats a repetition, but each round begins with a space, which nothing within it can be. */
const SIGNATURES = "( v1a?,[A-Za-z0-9+/]+={0,2})*";

describe.each(ALL_CONTRACTS)("%s.yaml", (name) => {
  const patterns = [...nodesOf(contract(name))].flatMap(([pointer, { pattern }]) =>
    typeof pattern === "string" ? [[pointer, pattern] as const] : [],
  );

  it("anchors every pattern at its start, and nests no repetition (S42)", () => {
    const wrong = patterns.filter(
      ([, pattern]) => !pattern.startsWith("^") || /\([^)]*[+*][^)]*\)[+*]/.test(pattern.replace(SIGNATURES, "")),
    );
    expect(wrong).toEqual([]);
    expect(patterns.length).toBeGreaterThan(0);
  });

  it("has only patterns that are regular expressions of the u flag", () => {
    expect(() => patterns.map(([, pattern]) => new RegExp(pattern, "u"))).not.toThrow();
  });
});
