import { sendRaw } from "../support/http.ts";
import { openProcesses, type ProcessGatehouse } from "../support/processes.ts";
import { withScope } from "../support/scope.ts";

const LIST = "/v1/instance-integrations";
const TWO_LENGTHS = "Content-Length: 4\r\nTransfer-Encoding: chunked";

describe("where Node is told to read HTTP leniently (--insecure-http-parser)", () =>
  withScope((closeLater) => {
    let gatehouse: ProcessGatehouse;
    beforeAll(async () => {
      gatehouse = await openProcesses(closeLater, { nodeFlags: ["--insecure-http-parser"] });
    });

    const AMBIGUOUS = [
      ["a bare line feed", `GET ${LIST} HTTP/1.1\nHost: a\n\n`],
      ["a folded header", `GET ${LIST} HTTP/1.1\r\nHost: a\r\nx: 1\r\n 2\r\n\r\n`],
      ["NUL in a header", `GET ${LIST} HTTP/1.1\r\nHost: a\r\nx: a\0b\r\n\r\n`],
      [
        "both Content-Length and Transfer-Encoding",
        `GET ${LIST} HTTP/1.1\r\nHost: a\r\n${TWO_LENGTHS}\r\n\r\n0\r\n\r\nGET / HTTP/1.1\r\nHost: a\r\n\r\n`,
      ],
    ] as const;

    it.each(AMBIGUOUS)("the public listener refuses %s all the same (S54)", async (_, bytes) => {
      const { answers } = await sendRaw(gatehouse.url, bytes);
      expect(answers.map(({ status }) => status)).toEqual([400]);
      expect(answers[0]).toMatchContract({ method: "GET", url: LIST, unrouted: true });
    });

    it.each(AMBIGUOUS)("the management address refuses %s too (S54)", async (_, bytes) => {
      const { answers } = await sendRaw(gatehouse.managementUrl, bytes);
      expect(answers.map(({ status }) => status)).toEqual([400]);
    });
  }));
