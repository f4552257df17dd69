import type { Language } from "../../src/portal/reference/samples.ts";
import { capital, snake } from "./name-cases.ts";

/** The member of each event's data to print, in the wire's spelling. */
const PRINTED: Readonly<Record<string, string>> = {
  client: "name",
  user: "email",
  worker: "fullName",
  organization_unit_type: "name",
  organization_unit: "name",
  organization_location: "name",
  subscription: "label",
  delivery: "eventId",
  secret: "label",
  recovery: "state",
  webhook: "label",
};

const camel = (type: string): string => type.split(/[._]/).map(capital).join("");

/** The name of an event's data in the contract. */
const snapshotOf = (type: string): string => `${camel(type.split(".")[0] ?? "")}Snapshot`;

/** A receiver of one event in each language; with curl one's own receiver is tried. */
export function eventPrograms(type: string, example: object): Readonly<Record<Language, string>> {
  const member = PRINTED[type.split(".")[0] ?? ""];
  if (member === undefined) throw new Error(`tools/samples/event-programs.ts does not say what to print of ${type}.`);
  return {
    curl: curl(example as { readonly id: string }),
    TypeScript: typescript(type, member),
    Python: python(type, member),
    Go: go(type, member),
    Java: java(type, member),
  };
}

const curl = (example: { readonly id: string }): string => `# Sends one to your own endpoint, signed as Gatehouse signs.
body='${JSON.stringify(example).replaceAll("'", "'\\''")}'
id=${example.id}
now=$(date +%s)
secret=\${WEBHOOK_SECRET:?is empty}
key=$(printf %s "\${secret#whsec_}" | openssl base64 -d -A | od -An -v -tx1 | tr -d ' \\n')
signature=$(printf %s "$id.$now.$body" |
  openssl dgst -sha256 -mac HMAC -macopt "hexkey:$key" -binary | openssl base64 -A)
curl -i "\${ENDPOINT:-http://localhost:3000/}" \\
  -H "content-type: application/json" \\
  -H "webhook-id: $id" \\
  -H "webhook-timestamp: $now" \\
  -H "webhook-signature: v1,$signature" \\
  --data-binary "$body"`;

const typescript = (
  type: string,
  member: string,
): string => `import { createServer, type IncomingMessage } from "node:http";
import { buffer } from "node:stream/consumers";
import { EventRefused, verifyEvent } from "gatehouse-sdk";

const secret = process.env.WEBHOOK_SECRET ?? "";

/** Events have less than 1 MiB: of more, no more is read. */
async function* limited(request: IncomingMessage) {
  let length = 0;
  for await (const chunk of request) {
    length += chunk.length;
    if (length > 1_048_576) throw new Error("the body is too long");
    yield chunk;
  }
}

createServer(async (request, response) => {
  try {
    const event = await verifyEvent(secret, request.headers, await buffer(limited(request)));
    if (event.type === "${type}") console.log(event.id, event.data.${member});
    response.writeHead(204).end();
  } catch (error) {
    response.writeHead(error instanceof EventRefused ? 400 : 500).end();
  }
}).listen(Number(process.env.PORT ?? 3000));`;

const python = (type: string, member: string): string => `import os
from http.server import BaseHTTPRequestHandler, HTTPServer

from gatehouse_sdk import EventRefused, verify_event


class Receiver(BaseHTTPRequestHandler):
    timeout = 15

    def do_POST(self):
        length = self.headers.get("content-length", "")
        # Events have less than 1 MiB.
        if not (length.isdecimal() and int(length) <= 1 << 20):
            self.send_error(413 if length.isdecimal() else 411)
            return
        body = self.rfile.read(int(length))
        try:
            event = verify_event(os.environ["WEBHOOK_SECRET"], self.headers, body)
            if event.type == "${type}":
                print(event.id, event.data.${snake(member)}, flush=True)
            self.send_response(204)
        except EventRefused:
            self.send_response(400)
        self.end_headers()


HTTPServer(("", int(os.environ.get("PORT", "3000"))), Receiver).serve_forever()`;

const go = (type: string, member: string): string => `package main

import (
	"cmp"
	"fmt"
	"io"
	"log"
	"net/http"
	"os"

	gatehouse "gatehouse.example/sdk/go"
)

func main() {
	http.HandleFunc("/", func(answer http.ResponseWriter, request *http.Request) {
		body, err := io.ReadAll(http.MaxBytesReader(answer, request.Body, 1<<20))
		if err != nil {
			answer.WriteHeader(http.StatusBadRequest)
			return
		}
		event, err := gatehouse.VerifyEvent(os.Getenv("WEBHOOK_SECRET"), request.Header, body)
		if err != nil {
			answer.WriteHeader(http.StatusBadRequest)
			return
		}
		data, ok := event.Data.(*gatehouse.${snapshotOf(type)})
		if ok && event.Type == "${type}" {
			fmt.Println(event.ID, data.${capital(member)})
		}
		answer.WriteHeader(http.StatusNoContent)
	})
	log.Fatal(http.ListenAndServe(":"+cmp.Or(os.Getenv("PORT"), "3000"), nil))
}`;

const java = (type: string, member: string): string => `import com.sun.net.httpserver.HttpServer;
import example.gatehouse.sdk.EventRefusedException;
import example.gatehouse.sdk.Events;
import example.gatehouse.sdk.model.${snapshotOf(type)};
import java.net.InetSocketAddress;

public class Receive${camel(type)} {
  public static void main(String[] args) throws Exception {
    var port = Integer.parseInt(System.getenv().getOrDefault("PORT", "3000"));
    var server = HttpServer.create(new InetSocketAddress(port), 0);
    server.createContext("/", exchange -> {
      // Events have less than 1 MiB: a longer body is cut off, and fails the verification.
      var body = exchange.getRequestBody().readNBytes(1 << 20);
      try {
        var event = Events.verify(System.getenv("WEBHOOK_SECRET"), exchange.getRequestHeaders(), body);
        if (event.getType().equals("${type}")) {
          event.data(${snapshotOf(type)}.class)
              .ifPresent(data -> System.out.println(event.getId() + " " + data.get${capital(member)}()));
        }
        exchange.sendResponseHeaders(204, -1);
      } catch (EventRefusedException refused) {
        exchange.sendResponseHeaders(400, -1);
      }
      exchange.close();
    });
    server.start();
  }
}`;
