/** An HTTP proxy in front of a real server that shows the failures of the conformance suite. Only imported by tests. */
import http, { type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Fault } from '../conformance/source.ts';

/** Answer in place of the server's. `cut`: a number of bytes after which the connection is destroyed. */
export interface FaultAnswer {
  status: number;
  headers?: Record<string, string>;
  body?: string;
}

export interface FaultRules {
  /** Returns an answer for a request while there is a fault; null passes the request on. */
  answer(fault: Fault, request: IncomingMessage): FaultAnswer | null;
  /** Returns the number of entries in the body of a listing. */
  entriesOf(body: string): number;
  /** Returns the answer to a request without the file. Absent if the listings of the server are never changed. */
  hide?(path: string, request: IncomingMessage, body: string): string;
}

export interface FaultProxy {
  port: number;
  fault: Fault | null;
  /** Method and URL of each request. */
  requests: string[];
  close(): Promise<void>;
}

/** Destroys the connection in the middle of the response that exceeds the number of entries. */
function cutter(rules: FaultRules): (fault: Fault | null, body: Buffer, response: ServerResponse) => void {
  let entries = 0;
  return (fault, body, response) => {
    entries += rules.entriesOf(body.toString());
    if (fault?.kind !== 'cut' || entries <= fault.afterEntries) return void response.end(body);
    response.write(body.subarray(0, body.length / 2), () => response.destroy());
  };
}

export async function startFaultProxy(upstreamPort: number, rules: FaultRules): Promise<FaultProxy> {
  const agent = new http.Agent({ keepAlive: true });
  const send = cutter(rules);
  const server = http.createServer((request, response) => {
    proxy.requests.push(`${request.method} ${request.url}`);
    const { fault } = proxy;
    const answer = fault === null ? null : rules.answer(fault, request);
    if (answer !== null) {
      request.resume();
      response.writeHead(answer.status, answer.headers).end(answer.body ?? '');
      return;
    }
    const { method, url, headers } = request;
    const passed = http.request({ port: upstreamPort, host: '127.0.0.1', method, path: url, headers, agent });
    passed.on('error', () => response.destroy());
    passed.on('response', (upstream) => {
      const { statusCode = 502, headers: answered } = upstream;
      const isHiding = fault?.kind === 'hidden' && /xml/.test(answered['content-type'] ?? '');
      if (isHiding) delete answered['content-length'];
      response.writeHead(statusCode, answered);
      if (fault?.kind !== 'cut' && !isHiding) return void upstream.pipe(response);
      const parts: Buffer[] = [];
      upstream.on('data', (part: Buffer) => parts.push(part));
      upstream.on('end', () => {
        const body = Buffer.concat(parts);
        if (!isHiding) return send(proxy.fault, body, response);
        response.end(rules.hide?.(fault.path, request, body.toString()) ?? body);
      });
    });
    request.pipe(passed);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const proxy: FaultProxy = {
    port: (server.address() as AddressInfo).port,
    fault: null,
    requests: [],
    close: async () => {
      agent.destroy();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return proxy;
}
