import { type Call, type MethodDefinition, type Registration, registration } from "../../../src/runtime/rpc/call.ts";

/** A service of the tests, described as the generated definitions describe ours; its messages are JSON. */
const method = <Request, Response, Q extends boolean = false, R extends boolean = false>(
  name: string,
  { requestStream = false as Q, responseStream = false as R } = {},
) => ({
  path: `/gatehouse.test.v1.Echo/${name}`,
  requestStream,
  responseStream,
  requestSerialize: (value: Request) => Buffer.from(JSON.stringify(value)),
  requestDeserialize: (bytes: Buffer) => JSON.parse(bytes.toString()) as Request,
  responseSerialize: (value: Response) => Buffer.from(JSON.stringify(value)),
  responseDeserialize: (bytes: Buffer) => JSON.parse(bytes.toString()) as Response,
});

export interface Text {
  readonly text: string;
}

export const EchoService = {
  say: method<Text, Text>("Say"),
  count: method<{ readonly upTo: number }, { readonly number: number }, false, true>("Count", { responseStream: true }),
  sum: method<{ readonly number: number }, { readonly total: number }, true>("Sum", { requestStream: true }),
} as const satisfies Record<string, MethodDefinition>;

/** What the methods of one test do; a method that is not given answers that it is not expected. */
export interface EchoMethods {
  say?(request: Text, call: Call): Promise<Text>;
  count?(request: { readonly upTo: number }, call: Call): AsyncIterable<{ readonly number: number }>;
  sum?(requests: AsyncIterable<{ readonly number: number }>, call: Call): Promise<{ readonly total: number }>;
}

const unexpected = (): never => {
  throw new Error("This method is not expected to be called.");
};

export const echo = (methods: EchoMethods): Registration =>
  registration(EchoService, {
    say: methods.say ?? (async () => unexpected()),
    count: methods.count ?? unexpected,
    sum: methods.sum ?? (async () => unexpected()),
  });
