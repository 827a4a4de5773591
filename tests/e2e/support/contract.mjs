// Has what goes over the wire to a gallery compared with the API's contract, by tests/support/contract.py: whatever a test
// asks by `fetch`, and whatever clients ask by node:http (tus-js-client).
import { spawn } from 'node:child_process';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

const VALIDATOR = fileURLToPath(new URL('../../support/contract.py', import.meta.url));

const bytesOf = (body) => (typeof body === 'string' || body instanceof Uint8Array ? Buffer.from(body) : undefined);

/** A running comparison. Give it exchanges, then ask for its end, which throws when one of them does not fit. */
export class ContractCheck {
  constructor() {
    this.child = spawn('/usr/bin/python3', ['-B', '-W', 'ignore', VALIDATOR], { stdio: ['pipe', 'pipe', 'pipe'] });
    this.ended = once(this.child, 'close');
    this.said = '';
    for (const stream of [this.child.stdout, this.child.stderr]) stream.on('data', (text) => (this.said += text));
    this.child.stdin.on('error', () => undefined); // It has ended: its exit code tells.
  }

  /** Bodies are bytes; a request's is undefined when it is not known. Header names are in lower case. */
  take({ method, url, requestHeaders, requestBody, status, headers, body }) {
    const { pathname, search } = new URL(url);
    this.child.stdin.write(`${JSON.stringify({
      method, target: pathname + search, status, request_headers: requestHeaders, headers,
      request_body: requestBody === undefined ? null : requestBody.toString('base64'), body: body.toString('base64'),
    })}\n`);
  }

  async end() {
    this.child.stdin.end();
    const [code] = await this.ended;
    if (code !== 0) throw new Error(`not as the contract says:\n${this.said}`);
  }
}

/** Compares everything that this process asks at `isOurs(url)`, until the returned function is called and awaited. */
export function checkRequests(isOurs) {
  const check = new ContractCheck();
  const pending = [];
  const plainFetch = globalThis.fetch;
  globalThis.fetch = async (resource, init = {}) => {
    const answer = await plainFetch(resource, init);
    const url = String(resource.url ?? resource);
    if (!isOurs(url)) return answer;
    const copy = answer.clone();
    pending.push(copy.arrayBuffer().then((body) => check.take({
      method: init.method ?? 'GET', url, requestHeaders: Object.fromEntries(new Headers(init.headers)),
      requestBody: init.body === undefined ? Buffer.alloc(0) : bytesOf(init.body), status: answer.status,
      headers: Object.fromEntries(answer.headers), body: Buffer.from(body),
    }), () => undefined)); // An answer that broke off is none.
    return answer;
  };
  const onAnswer = ({ request, response }) => {
    const url = `http://${request.getHeader('host')}${request.path}`;
    if (!isOurs(url)) return;
    const parts = [];
    const push = response.push.bind(response);
    response.push = (part) => {
      if (part !== null) parts.push(part);
      else {
        check.take({
          method: request.method, url, requestHeaders: { ...request.getHeaders() }, requestBody: undefined,
          status: response.statusCode, headers: { ...response.headers }, body: Buffer.concat(parts),
        });
      }
      return push(part);
    };
  };
  subscribe('http.client.response.finish', onAnswer);
  return async () => {
    globalThis.fetch = plainFetch;
    unsubscribe('http.client.response.finish', onAnswer);
    await Promise.all(pending);
    await check.end();
  };
}
