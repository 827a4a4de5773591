// Resumable uploads with tus-js-client, whose process and whose server are killed in the middle; and the limits of uploads.
import assert from 'node:assert/strict';
import { fork } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import * as tus from 'tus-js-client';
import { png, startGallery, until } from '../support/gallery.mjs';

const WORKER = fileURLToPath(new URL('../support/tus_worker.mjs', import.meta.url));
const BYTES = 12 << 20;

let gallery;
let ada;
let folder;

before(async () => {
  gallery = await startGallery();
  ada = await gallery.signUp('ada');
  folder = mkdtempSync(join(tmpdir(), 'tintype-tus-'));
});
after(async () => {
  rmSync(folder, { recursive: true, force: true });
  await gallery.stop();
});

/** A file of so many bytes on disk. */
function fileOf(seed) {
  const bytes = png(seed, BYTES);
  const path = join(folder, `${seed}.png`);
  writeFileSync(path, bytes);
  return { path, bytes };
}

/** A line to the server that is cut whenever the test says so, and is slow enough to have a middle. */
async function startLine() {
  const sockets = new Set();
  const server = createServer((client) => {
    const upstream = connect(gallery.port, '127.0.0.1');
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      socket.on('error', () => {});
      socket.on('close', () => { sockets.delete(socket); client.destroy(); upstream.destroy(); });
    }
    client.on('data', (bytes) => {
      line.passed += bytes.length;
      upstream.write(bytes);
      client.pause();
      setTimeout(() => client.resume(), 5);
    });
    upstream.pipe(client);
  });
  const line = { passed: 0, cut: () => sockets.forEach((socket) => socket.destroy()), stop: () => { line.cut(); server.close(); } };
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  line.endpoint = `http://127.0.0.1:${server.address().port}/api/v1/uploads`;
  return line;
}

/** Runs a client in a process of its own. It resumes what its store knows of. */
function startWorker(endpoint, path, store) {
  const worker = fork(WORKER, [endpoint, path, store, ada.token], { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
  const told = { sent: 0 };
  worker.on('message', (message) => Object.assign(told, message));
  return { worker, told, exited: new Promise((resolve) => worker.once('exit', resolve)) };
}

async function originalOf(id) {
  const image = await ada.developed(id);
  return Buffer.from(await (await fetch(`http://${gallery.address}${image.sizes.ORIGINAL}`)).arrayBuffer());
}

const sha256 = (bytes) => createHash('sha256').update(bytes).digest('hex');

// The process that uploads is killed in the middle; another one goes on where it was, from the link that the first had stored.
test('a client that is killed goes on', async () => {
  const { path, bytes } = fileOf(1);
  const store = join(folder, 'client.json');
  const line = await startLine();
  const first = startWorker(line.endpoint, path, store);
  await until(() => line.passed > BYTES / 4, 'a quarter was sent');
  first.worker.kill('SIGKILL');
  await first.exited;
  const before = line.passed;
  assert.ok(before < BYTES, 'it was not over yet');
  const second = startWorker(line.endpoint, path, store);
  await second.exited;
  assert.equal(second.told.error, undefined);
  assert.ok(second.told.resumed, 'it went on with the same upload');
  assert.ok(line.passed - before < BYTES * 0.95, `it sent ${line.passed - before} bytes again`);
  assert.equal(sha256(await originalOf(second.told.imageId)), sha256(bytes));
  line.stop();
});

// The server is killed in the middle and started again: the same client goes on by itself, and loses little.
test('a server that is killed goes on', async () => {
  const { path, bytes } = fileOf(2);
  const line = await startLine();
  const client = startWorker(line.endpoint, path, join(folder, 'server.json'));
  for (const part of [0.25, 0.5]) {
    await until(() => line.passed > BYTES * part, `${part} was sent`);
    // A pause of the line shows what the server has, and makes that survive.
    line.cut();
    await until(() => line.passed > BYTES * (part + 0.1), 'it went on after a cut');
    await gallery.kill();
    await gallery.start();
  }
  await client.exited;
  assert.equal(client.told.error, undefined);
  assert.equal(sha256(await originalOf(client.told.imageId)), sha256(bytes));
  assert.ok(line.passed < BYTES * 2, `it sent ${line.passed} bytes for ${BYTES}`);
  await until(() => gallery.spooled().length === 0, 'an empty spool');
  line.stop();
});

// A line that is cut again and again: nothing that arrived is sent again.
test('a bad line', async () => {
  const { path, bytes } = fileOf(3);
  const line = await startLine();
  const client = startWorker(line.endpoint, path, join(folder, 'line.json'));
  for (let cuts = 1; cuts <= 5; cuts += 1) {
    await until(() => line.passed > (BYTES * cuts) / 7, `${cuts} parts were sent`);
    line.cut();
  }
  await client.exited;
  assert.equal(client.told.error, undefined);
  assert.equal(sha256(await originalOf(client.told.imageId)), sha256(bytes));
  // What was on its way in the kernels' buffers when the line was cut.
  assert.ok(line.passed < BYTES * 1.8, `it sent ${line.passed} bytes for ${BYTES}`);
  line.stop();
});

// Pausing and going on in one process, in parts of a size, and giving up with the bytes.
test('pause, resume and terminate', async () => {
  const bytes = png(4, 1 << 20);
  const limit = await ada.limit();
  const options = { endpoint: gallery.url('/uploads'), headers: ada.headers, chunkSize: 100_000, metadata: { filename: 'paused.png' } };
  const imageId = await new Promise((resolve, reject) => {
    let paused = false;
    const upload = new tus.Upload(bytes, {
      ...options,
      onError: reject,
      onChunkComplete: async (_, sent) => {
        if (paused || sent < 300_000) return;
        paused = true;
        await upload.abort();
        upload.start();
      },
      onSuccess: ({ lastResponse }) => resolve(lastResponse.getHeader('X-Image-Id')),
    });
    upload.start();
  });
  assert.equal((await ada.image(imageId)).originalFilename, 'paused.png');
  const given = await new Promise((resolve, reject) => {
    const upload = new tus.Upload(png(5, 1 << 20), {
      ...options, onError: reject, onChunkComplete: (_, sent) => { if (sent >= 300_000) upload.abort(true).then(() => resolve(upload), reject); },
    });
    upload.start();
  });
  assert.equal((await ada.tus('HEAD', given.url)).status, 404);
  await until(async () => (await ada.limit()) === limit - 1, 'the limit is back');
});

// An upload of which nothing more is heard goes with its bytes, and the limit comes back.
test('expiry', async () => {
  const short = await startGallery('--upload-kept', '1');
  try {
    const eve = await short.signUp('eve');
    const limit = await eve.limit();
    const file = png(6, 2000);
    const url = await eve.create(file.length);
    assert.equal((await eve.tus('PATCH', url, { 'Upload-Offset': '0' }, file.subarray(0, 1000))).status, 204);
    const direct = await (await eve.send('POST', '/uploads/direct', { body: { size: file.length } })).json();
    assert.equal(await eve.limit(), limit - 2);
    await until(async () => (await eve.limit()) === limit, 'the limit is back');
    assert.deepEqual(short.spooled(), []);
    assert.ok([404, 410].includes((await eve.tus('HEAD', url)).status));
    assert.equal((await fetch(direct.url, { method: 'PUT', body: file })).status, 403);
    assert.equal((await eve.send('POST', `/uploads/${direct.id}/complete`)).status, 404);
  } finally {
    await short.stop();
  }
});

// As many uploads at once, and as many beginnings a minute, as the settings say; the answers tell which limit it was.
test('limits', async () => {
  const strict = await startGallery('--uploads-in-progress', '2', '--uploads-per-minute', '5', '--upload-limit', '3');
  try {
    const eve = await strict.signUp('eve');
    const begin = () => eve.tus('POST', '/uploads', { 'Upload-Length': '1000' });
    const urls = [];
    for (let i = 0; i < 2; i += 1) {
      const answer = await begin();
      assert.equal(answer.status, 201);
      urls.push(new URL(answer.headers.get('Location'), strict.url('/')).href);
    }
    const third = await begin();
    assert.deepEqual([third.status, (await third.json()).code], [429, 'TooManyUploads']);
    assert.equal((await eve.tus('DELETE', urls[0])).status, 204);
    assert.equal((await begin()).status, 201);
    const photo = () => eve.send('POST', '/images', { headers: { 'Content-Type': 'image/png' }, body: png(Math.random() * 1000) });
    assert.equal((await photo()).status, 202);
    const often = await photo();
    assert.deepEqual([often.status, (await often.json()).code], [429, 'TooManyRequests']);
    assert.ok(Number(often.headers.get('Retry-After')) >= 1);
    const fred = await strict.signUp('fred');
    for (let i = 0; i < 3; i += 1) {
      assert.equal((await fred.send('POST', '/images', { headers: { 'Content-Type': 'image/png' }, body: png(i) })).status, 202);
    }
    const full = await fred.tus('POST', '/uploads', { 'Upload-Length': '1000' });
    assert.deepEqual([full.status, (await full.json()).code], [403, 'UploadLimitReached']);
  } finally {
    await strict.stop();
  }
});

