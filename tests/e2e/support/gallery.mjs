// A running server with the photo product, for tests of its REST API, that can be killed and started again.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { deflateSync } from 'node:zlib';
import { checkRequests } from './contract.mjs';

/** Starts a server with an empty data directory. `settings` are further arguments. */
export async function startGallery(...settings) {
  const gallery = new Gallery(settings);
  await gallery.start();
  return gallery;
}

// Of an encrypted file (docs/formats/blobs.md), which is there before the first byte of the upload.
const SPOOL_HEADER_BYTES = 88;

export class Gallery {
  constructor(settings) {
    this.settings = settings;
    this.dataDir = mkdtempSync(join(tmpdir(), 'tintype-uploads-'));
    this.port = 0;
    this.endCheck = checkRequests((url) => url.startsWith(`http://${this.address}/`));
  }

  /** Listens where it did before, if it did: links of uploads name the place. */
  async start() {
    const binary = process.env.TINTYPE_BIN;
    if (!binary) throw new Error('TINTYPE_BIN must name the tintype binary');
    this.child = spawn(binary, ['serve', '--data-dir', this.dataDir, '--http-address', `127.0.0.1:${this.port}`,
      '--dynamodb-address', '127.0.0.1:0', '--metrics-address', '127.0.0.1:0', '--workers', '1', ...this.settings],
    // Most tests want several people, and no models that look at every photo; others say so by a flag, which wins.
    { stdio: ['ignore', 'pipe', 'pipe'], env: { TINTYPE_SIGN_UP: 'open', TINTYPE_MODELS_DIR: '/nonexistent', ...process.env } });
    this.exited = once(this.child, 'exit');
    this.log = '';
    this.child.stderr.on('data', (text) => (this.log += text));
    for await (const line of createInterface({ input: this.child.stdout })) {
      if (line.startsWith('http ')) this.address = line.slice('http '.length);
      if (line === 'ready') {
        this.child.stdout.resume();
        this.port = Number(this.address.split(':').pop());
        return;
      }
    }
    throw new Error(`tintype ended before it was ready:\n${this.log}`);
  }

  async kill() {
    this.child.kill('SIGKILL');
    await this.exited;
  }

  async stop() {
    this.child.kill('SIGTERM');
    const [code, signal] = await this.exited;
    rmSync(this.dataDir, { recursive: true, force: true });
    if (code !== 0) throw new Error(`tintype exited with code ${code}, signal ${signal}:\n${this.log}`);
    await this.endCheck();
  }

  url(path) {
    return `http://${this.address}/api/v1${path}`;
  }

  /** A new account, an ordinary one with a limit: before the first of them comes the administrator, who has none. */
  async signUp(username) {
    const { setupRequired } = await (await fetch(this.url('/auth/state'))).json();
    if (setupRequired) await this.signUpAdministrator();
    return this.#signUp(username);
  }

  /** The first account, with the token that the server left in its directory. */
  signUpAdministrator(username = 'root') {
    return this.#signUp(username, { setupToken: this.setupToken });
  }

  async #signUp(username, more = {}) {
    const body = { email: `${username}@example.com`, username, password: 'correct horse battery', ...more };
    const answer = await fetch(this.url('/auth/signup'), {
      method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body),
    });
    if (answer.status !== 201) throw new Error(`${username} cannot sign up: ${answer.status} ${await answer.text()}`);
    return new Account(this, (await answer.json()).accessToken);
  }

  /** The token that the first account needs. */
  get setupToken() {
    return readFileSync(join(this.dataDir, 'setup-token'), 'utf8').trim();
  }

  /** An account that has signed up elsewhere. */
  async logIn({ email, password }) {
    const answer = await fetch(this.url('/auth/login'), {
      method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify({ email, password }),
    });
    if (answer.status !== 200) throw new Error(`${email} cannot log in: ${answer.status} ${await answer.text()}`);
    return new Account(this, (await answer.json()).accessToken);
  }

  /** Ends the server and starts it again with other settings. */
  async restart(...settings) {
    this.child.kill('SIGTERM');
    await this.exited;
    this.settings = settings;
    await this.start();
  }

  /** The ids of the uploads whose bytes lie in the spool. */
  spooled() {
    return readdirSync(join(this.dataDir, 'uploads')).map((name) => name.replace(/\.sealed$/, ''));
  }

  /** How many bytes of an upload have come to the spool, acknowledged or not, and a little more, as they are encrypted. */
  spooledBytes(url) {
    return Math.max(0, statSync(join(this.dataDir, 'uploads', `${url.split('/').pop()}.sealed`)).size - SPOOL_HEADER_BYTES);
  }

  /** Polls until `check` returns something true, and returns that. */
  static async until(check, what, seconds = 30) {
    const deadline = Date.now() + seconds * 1000;
    for (;;) {
      const found = await check();
      if (found) return found;
      if (Date.now() > deadline) throw new Error(`never happened: ${what}`);
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }
}

export const until = Gallery.until;

/** Somebody who has signed up. */
export class Account {
  constructor(gallery, token) {
    this.gallery = gallery;
    this.token = token;
    this.headers = { Authorization: `Bearer ${token}` };
  }

  /** A request as this account, the answer whatever its status. A body that is no bytes is sent as JSON. */
  async send(method, path, { headers = {}, body } = {}) {
    const sent = { ...this.headers, ...headers };
    if (body !== undefined && !(body instanceof Uint8Array)) {
      sent['Content-Type'] = 'application/json';
      body = JSON.stringify(body);
    }
    return fetch(path.startsWith('http') ? path : this.gallery.url(path), { method, headers: sent, body });
  }

  /** The same of tus. */
  tus(method, path, headers = {}, body = undefined) {
    const type = body === undefined && method !== 'PATCH' ? {} : { 'Content-Type': 'application/offset+octet-stream' };
    return this.send(method, path, { headers: { 'Tus-Resumable': '1.0.0', ...type, ...headers }, body });
  }

  /** Begins a resumable upload; where it is. */
  async create(length, metadata = {}) {
    const pairs = Object.entries(metadata).map(([name, text]) => `${name} ${Buffer.from(text).toString('base64')}`);
    const answer = await this.tus('POST', '/uploads', { 'Upload-Length': String(length), 'Upload-Metadata': pairs.join(',') });
    if (answer.status !== 201) throw new Error(`no upload: ${answer.status} ${await answer.text()}`);
    return new URL(answer.headers.get('Location'), this.gallery.url('/uploads')).href;
  }

  async limit() {
    return (await (await this.send('GET', '/me/limit')).json()).limit;
  }

  async image(id) {
    const answer = await this.send('GET', `/images/${id}`);
    return answer.status === 200 ? answer.json() : undefined;
  }

  /** All images, newest first. */
  async images() {
    return (await (await this.send('GET', '/images?limit=100')).json()).items;
  }

  async change(image, change) {
    const answer = await this.send('PATCH', `/images/${image.id}`, { headers: { 'If-Match': `"${image.version}"` }, body: change });
    if (answer.status !== 200) throw new Error(`no change: ${answer.status} ${await answer.text()}`);
    return answer.json();
  }

  async upload(bytes, filename) {
    const headers = { 'Content-Type': 'image/png', 'X-Filename': encodeURIComponent(filename) };
    const answer = await this.send('POST', '/images', { headers, body: bytes });
    if (answer.status !== 202) throw new Error(`no upload: ${answer.status} ${await answer.text()}`);
    return answer.json();
  }

  async developed(id) {
    return until(async () => {
      const image = await this.image(id);
      return image?.processingStatus === 'completed' ? image : undefined;
    }, `${id} is developed`);
  }
}

const CRC_TABLE = Array.from({ length: 256 }, (_, byte) => {
  let crc = byte;
  for (let bit = 0; bit < 8; bit += 1) crc = crc & 1 ? (crc >>> 1) ^ 0xedb88320 : crc >>> 1;
  return crc >>> 0;
});

function crc32(bytes) {
  let crc = 0xffffffff;
  for (const byte of bytes) crc = (crc >>> 8) ^ CRC_TABLE[(crc ^ byte) & 0xff];
  return (crc ^ 0xffffffff) >>> 0;
}

function chunk(name, content) {
  const named = Buffer.concat([Buffer.from(name), content]);
  const framed = Buffer.alloc(named.length + 8);
  framed.writeUInt32BE(content.length, 0);
  named.copy(framed, 4);
  framed.writeUInt32BE(crc32(named), named.length + 4);
  return framed;
}

/** A PNG of its own for each seed, padded to at least so many bytes. */
export function png(seed, bytes = 0) {
  const header = Buffer.from([0, 0, 0, 16, 0, 0, 0, 16, 8, 0, 0, 0, 0]);
  const rows = Buffer.alloc(16 * 17);
  for (let y = 0; y < 16; y += 1) for (let x = 0; x < 16; x += 1) rows[y * 17 + 1 + x] = (x * 16 + y * seed * 7 + seed) & 0xff;
  const text = Buffer.alloc(Math.max(0, bytes - 200), `padding ${seed} `);
  text.write("Comment\0");
  const parts = [Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), chunk('IHDR', header)];
  if (bytes > 0) parts.push(chunk('tEXt', text.length > 8 ? text : Buffer.from('Comment\0x')));
  parts.push(chunk('IDAT', deflateSync(rows)), chunk('IEND', Buffer.alloc(0)));
  return Buffer.concat(parts);
}
