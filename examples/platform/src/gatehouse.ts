import { setTimeout as sleep } from "node:timers/promises";
import { type Client, credentials, loadPackageDefinition, Metadata, type ServiceError, status } from "@grpc/grpc-js";
import { loadSync } from "@grpc/proto-loader";
import { GatehouseRefused, GatehouseSilent, type Violation } from "./failures.ts";

/** Requests and answers have the members that the protos say, with the names that they have there. */
export interface Gatehouse {
  /** @throws GatehouseRefused when Gatehouse says no; GatehouseSilent when no attempt was answered. */
  call<Answer>(method: string, request: object): Promise<Answer>;
  /** The answers to a method that lists: one for each page. @throws as `call`. */
  pages<Answer>(method: string, request: object): AsyncIterable<Answer>;
  close(): void;
}

type Unary = (
  request: object,
  metadata: Metadata,
  options: { readonly deadline: number },
  callback: (error: ServiceError | null, answer: never) => void,
) => void;

/** The largest that Gatehouse sends; a client of gRPC takes 4 MiB by itself, and a page of companies may have more. */
const MESSAGE_BYTES_MAX = 32 * 1024 * 1024;
const DEADLINE_MS = 5_000;
const ATTEMPTS = 5;
const FIRST_PAUSE_MS = 200;
/** Answers that leave open whether the change was made, or say that it will be possible later. */
const PASSING: readonly number[] = [
  status.UNAVAILABLE,
  status.ABORTED,
  status.DEADLINE_EXCEEDED,
  status.RESOURCE_EXHAUSTED,
];

/** Opens the platform's private socket of a Gatehouse on this machine; connects at the first call. */
export function openGatehouse(socket: string, proto: string): Gatehouse {
  // Names as in the protos: so are the fields that a refusal names.
  const definition = loadSync(proto, { keepCase: true, longs: String, enums: String, defaults: true });
  const { gatehouse } = loadPackageDefinition(definition) as never as {
    readonly gatehouse: {
      readonly workforce: {
        readonly v1: { readonly Platform: new (target: string, secret: object, options: object) => Client };
      };
    };
  };
  const client = new gatehouse.workforce.v1.Platform(`unix:${socket}`, credentials.createInsecure(), {
    "grpc.max_receive_message_length": MESSAGE_BYTES_MAX,
  });
  const methods = client as never as Readonly<Record<string, Unary>>;

  const once = (method: string, request: object): Promise<never> =>
    new Promise((resolve, reject) => {
      const metadata = new Metadata();
      // With it, the operator finds the call in Gatehouse's logs.
      if ("request_id" in request) metadata.set("x-request-id", String(request.request_id));
      methods[method]?.call(client, request, metadata, { deadline: Date.now() + DEADLINE_MS }, (error, answer) =>
        error === null ? resolve(answer) : reject(error),
      );
    });

  const call = async <Answer>(method: string, request: object): Promise<Answer> => {
    for (let attempt = 1; ; attempt++) {
      try {
        return await once(method, request);
      } catch (error) {
        const { code, details, metadata } = error as ServiceError;
        if (!PASSING.includes(code)) throw refusedBy(error as ServiceError);
        if (attempt === ATTEMPTS) throw new GatehouseSilent(inShort(details), { cause: error });
        // The same request with the same request id: a change that was made is not made again.
        const seconds = Number(metadata.get("gatehouse-retry-after")[0] ?? 0);
        await sleep(Math.max(seconds * 1_000, FIRST_PAUSE_MS * 2 ** (attempt - 1)));
      }
    }
  };

  return {
    call,
    async *pages<Answer>(method: string, request: object) {
      // An answer says where the next page begins, as the request for it is to say; the last one does not.
      for (let after: object | null = null; ; ) {
        const page: Answer & { readonly next?: object | null } = await call(method, { ...request, after });
        yield page;
        if (page.next === null || page.next === undefined) return;
        after = page.next;
      }
    },
    close: () => client.close(),
  };
}

function refusedBy({ code, details, metadata }: ServiceError): GatehouseRefused {
  const [reason] = metadata.get("gatehouse-reason");
  const [violations] = metadata.get("gatehouse-violations-bin");
  return new GatehouseRefused(
    String(reason ?? status[code]),
    details,
    violations === undefined ? [] : (JSON.parse(violations.toString()) as readonly Violation[]),
  );
}

/** `connect ENOENT sockets/platform.sock`, of what grpc-js says around it. */
const inShort = (details: string): string =>
  details.replace(/^No connection established\. Last error: (?:Error: )?(.*?)\. Resolution note: .*$/s, "$1");
