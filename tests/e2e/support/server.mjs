// Starts the server that a test file talks to.
//
// TINTYPE_BIN names the binary. With DYNAMODB_ENDPOINT set, the tests talk to that service instead (dynalite,
// DynamoDB Local, AWS), which tells a wrong expectation from a wrong server; what needs a server of
// ours is then skipped.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

const foreignEndpoint = process.env.DYNAMODB_ENDPOINT;

// DynamoDB Local keeps separate tables for every access key, which gives each test file an empty service.
export const accessKeyId = foreignEndpoint ? `E2E${process.pid}X${Date.now()}` : 'AKIAENDTOENDTESTS000';
export const secretAccessKey = 'end-to-end/secret+key/of/the/tests';
export const credentials = { accessKeyId, secretAccessKey };

/** A reason to skip what only Tintype itself can show, or false. */
export const skipUnlessTintype = foreignEndpoint ? 'DYNAMODB_ENDPOINT is not Tintype' : false;

/** What every client needs: `new DynamoDBClient(clientConfig(server))`. */
export function clientConfig(server, overrides = {}) {
  return { endpoint: server.endpoint, region: 'us-east-1', credentials, ...overrides };
}

/** Starts a server on a free port with an empty data directory and waits until it is ready. */
export async function startServer() {
  if (foreignEndpoint) return { endpoint: foreignEndpoint, stop: async () => {} };
  const binary = process.env.TINTYPE_BIN;
  if (!binary) throw new Error('TINTYPE_BIN must name the tintype binary');
  const dataDir = mkdtempSync(join(tmpdir(), 'tintype-e2e-'));
  const child = spawn(binary, ['serve', '--data-dir', dataDir, '--dynamodb-address', '127.0.0.1:0'], {
    env: {
      ...process.env,
      TINTYPE_HTTP_ADDRESS: '127.0.0.1:0',
      TINTYPE_METRICS_ADDRESS: '127.0.0.1:0',
      TINTYPE_GALLERY: 'off', // Its tables would be among those that a test makes.
      TINTYPE_ROOT_ACCESS_KEY_ID: accessKeyId,
      TINTYPE_ROOT_SECRET_ACCESS_KEY: secretAccessKey,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const exited = once(child, 'exit');
  let log = '';
  child.stderr.on('data', (text) => (log += text));

  const addresses = await readAddresses(child);
  if (!addresses.dynamodb) {
    const [code, signal] = await exited;
    throw new Error(`tintype ended before it was ready (code ${code}, signal ${signal}):\n${log}`);
  }
  return {
    endpoint: `http://${addresses.dynamodb}`,
    dataDir,
    /** Stops the server as an operator would; anything but a clean exit fails the test. */
    async stop() {
      child.kill('SIGTERM');
      const [code, signal] = await exited;
      rmSync(dataDir, { recursive: true, force: true });
      if (code !== 0) throw new Error(`tintype exited with code ${code}, signal ${signal}:\n${log}`);
    },
  };
}

/** The `NAME HOST:PORT` lines that come before `ready`, by name; nothing if the output ends first. */
async function readAddresses(child) {
  const addresses = {};
  for await (const line of createInterface({ input: child.stdout })) {
    if (line === 'ready') {
      // Whatever the server prints later must not fill the pipe.
      child.stdout.resume();
      return addresses;
    }
    const [name, address] = line.split(' ');
    addresses[name] = address;
  }
  return {};
}
