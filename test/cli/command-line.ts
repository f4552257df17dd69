import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable, Writable } from "node:stream";
import { WriteStream } from "node:tty";
import { AuditService } from "../../generated/proto/gatehouse/audit/v1/audit.ts";
import { InspectionService } from "../../generated/proto/gatehouse/sign_on/v1/inspection.ts";
import { OperatorService as SignOnOperatorService } from "../../generated/proto/gatehouse/sign_on/v1/operator.ts";
import { PeopleService } from "../../generated/proto/gatehouse/sign_on/v1/people.ts";
import { SigningKeysService } from "../../generated/proto/gatehouse/sign_on/v1/signing_keys.ts";
import { StoreService } from "../../generated/proto/gatehouse/store/v1/store.ts";
import { EventsService } from "../../generated/proto/gatehouse/webhooks/v1/events.ts";
import { OperatorService as WebhooksOperatorService } from "../../generated/proto/gatehouse/webhooks/v1/operator.ts";
import { SubscriptionsService } from "../../generated/proto/gatehouse/webhooks/v1/subscriptions.ts";
import { TestEventsService } from "../../generated/proto/gatehouse/webhooks/v1/test_events.ts";
import { BulkService } from "../../generated/proto/gatehouse/workforce/v1/bulk.ts";
import { ErasureService } from "../../generated/proto/gatehouse/workforce/v1/erasure.ts";
import { OperatorService as WorkforceOperatorService } from "../../generated/proto/gatehouse/workforce/v1/operator.ts";
import { PlatformService } from "../../generated/proto/gatehouse/workforce/v1/platform.ts";
import { runCommand } from "../../src/cli/program.ts";
import {
  type Call,
  type Implementation,
  type Peer,
  type Registration,
  type ServiceDefinition,
  unimplemented,
} from "../../src/runtime/rpc/call.ts";
import { serveSocket } from "../../src/runtime/rpc/socket-server.ts";
import { quietBoundary } from "../support/carriers.ts";
import type { Closer } from "../support/scope.ts";

/** Everything written to a stream, with the shape of a terminal if asked for. */
class Paper extends Writable {
  text = "";
  readonly isTTY: boolean;
  readonly columns: number | undefined;

  constructor(columns?: number) {
    super();
    this.isTTY = columns !== undefined;
    this.columns = columns;
  }

  /** As a terminal answers it: from the environment. */
  getColorDepth(): number {
    return WriteStream.prototype.getColorDepth.call(this as unknown as WriteStream, process.env);
  }

  override _write(chunk: Buffer, _encoding: BufferEncoding, done: () => void): void {
    this.text += chunk.toString();
    done();
  }
}

export interface RunOptions {
  readonly stdin?: string;
  /** Whether standard input is a terminal, at which commands may ask. */
  readonly typed?: boolean;
  /** Width of the terminal that standard output is; no terminal without one. */
  readonly columns?: number;
  /** Width of the terminal that standard error is; no terminal without one. */
  readonly errorColumns?: number;
}

export interface Ran {
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs `gatehouse <words>` in this process. */
export async function gatehouse(
  words: readonly string[],
  { stdin = "", typed = false, columns, errorColumns }: RunOptions = {},
): Promise<Ran> {
  const [stdout, stderr] = [new Paper(columns), new Paper(errorColumns)];
  const input = Object.assign(Readable.from(stdin === "" ? [] : [stdin]), { isTTY: typed });
  const streams = { stdin: input, stdout, stderr };
  const exitCode = await runCommand(words, streams as unknown as Parameters<typeof runCommand>[1]);
  return { exitCode, stdout: stdout.text, stderr: stderr.text };
}

type Stub<S extends ServiceDefinition> = Partial<Implementation<S>>;

export interface Stubs {
  readonly platform?: Stub<typeof PlatformService>;
  readonly bulk?: Stub<typeof BulkService>;
  readonly erasure?: Stub<typeof ErasureService>;
  readonly workforce?: Stub<typeof WorkforceOperatorService>;
  readonly signOn?: Stub<typeof SignOnOperatorService>;
  readonly signingKeys?: Stub<typeof SigningKeysService>;
  readonly people?: Stub<typeof PeopleService>;
  readonly inspection?: Stub<typeof InspectionService>;
  readonly audit?: Stub<typeof AuditService>;
  readonly store?: Stub<typeof StoreService>;
  readonly webhooks?: Stub<typeof WebhooksOperatorService>;
  readonly events?: Stub<typeof EventsService>;
  readonly subscriptions?: Stub<typeof SubscriptionsService>;
  readonly testEvents?: Stub<typeof TestEventsService>;
}

/** A call that a stub received. */
export interface Received {
  readonly path: string;
  readonly request: unknown;
  readonly requestId: string;
  readonly actor: string;
}

export interface StubGatehouse {
  /** Runs a command against this Gatehouse. */
  run(words: readonly string[], options?: RunOptions): Promise<Ran>;
  readonly received: Received[];
  readonly socketDirectory: string;
}

/** Sockets with services that answer as a test says; every other method is unimplemented. */
export async function openStub(closeLater: (closer: Closer) => void, stubs: Stubs): Promise<StubGatehouse> {
  const folder = await mkdtemp(join(tmpdir(), "gh-cli-"));
  closeLater(() => rm(folder, { recursive: true, force: true }));
  const socketDirectory = join(folder, "sockets");
  const received: Received[] = [];
  const serve = async (peer: Peer, registrations: readonly Registration[]) => {
    const path = join(socketDirectory, `${peer}.sock`);
    const server = await serveSocket({ path, peer, registrations, interceptors: quietBoundary() });
    closeLater(() => server.stop(0));
  };
  const stub = <S extends ServiceDefinition>(definition: S, given: Stub<S> = {}): Registration => ({
    definition,
    methods: Object.fromEntries(
      Object.entries(definition).map(([name, { path }]) => [
        name,
        (request: unknown, call: Call) => {
          // Names for people are read beside what a command does.
          if (name === "readNames" && given[name as keyof typeof given] === undefined) return { names: [] };
          const { requestId, actor } = call;
          received.push({ path: path.slice(path.lastIndexOf("/") + 1), request, requestId, actor });
          const method = (given as Record<string, ((request: unknown, call: Call) => unknown) | undefined>)[name];
          if (method === undefined) throw unimplemented(path);
          return method(request, call);
        },
      ]),
    ),
  });
  await serve("platform", [
    stub(PlatformService, stubs.platform),
    stub(BulkService, stubs.bulk),
    stub(ErasureService, stubs.erasure),
  ]);
  await serve("operator", [
    stub(WorkforceOperatorService, stubs.workforce),
    stub(SignOnOperatorService, stubs.signOn),
    stub(SigningKeysService, stubs.signingKeys),
    stub(PeopleService, stubs.people),
    stub(InspectionService, stubs.inspection),
    stub(AuditService, stubs.audit),
    stub(StoreService, stubs.store),
    stub(WebhooksOperatorService, stubs.webhooks),
    stub(EventsService, stubs.events),
    stub(SubscriptionsService, stubs.subscriptions),
    stub(TestEventsService, stubs.testEvents),
  ]);
  return {
    socketDirectory,
    received,
    run: (words, options) => gatehouse([...words, "--socket-directory", socketDirectory], options),
  };
}

/** An id of the form that Gatehouse gives, the same for the same letter. */
export const idOf = (prefix: string, letter = "A"): string => `${prefix}_${letter.repeat(21)}`;
