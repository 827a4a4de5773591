// Resumable uploads by tus 1.0, header by header: what each request is answered, and what is left when it is refused.
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { connect } from 'node:net';
import { after, before, test } from 'node:test';
import { png, startGallery, until } from '../support/gallery.mjs';

let gallery;
let ada;
let bob;

before(async () => {
  gallery = await startGallery('--upload-mb', '1');
  ada = await gallery.signUp('ada');
  bob = await gallery.signUp('bob');
});
after(() => gallery.stop());

const digest = (algorithm, bytes) => `${algorithm} ${createHash(algorithm).update(bytes).digest('base64')}`;
const offsetOf = async (account, url) => Number((await account.tus('HEAD', url)).headers.get('Upload-Offset'));
const patch = (account, url, offset, bytes, headers = {}) =>
  account.tus('PATCH', url, { 'Upload-Offset': String(offset), ...headers }, bytes);

/** A PATCH whose body is sent in parts, when the test wants it. */
async function slowPatch(account, url, offset, length) {
  const socket = connect(gallery.port, '127.0.0.1');
  socket.on('error', () => {});
  await new Promise((resolve) => socket.once('connect', resolve));
  socket.write([`PATCH ${new URL(url).pathname} HTTP/1.1`, `Host: ${gallery.address}`, `Authorization: ${account.headers.Authorization}`,
    'Tus-Resumable: 1.0.0', 'Content-Type: application/offset+octet-stream', `Upload-Offset: ${offset}`,
    `Content-Length: ${length}`, '', ''].join('\r\n'));
  return socket;
}

// OPTIONS tells what there is, to anyone.
test('the server says what it knows', async () => {
  for (const path of ['/uploads', '/uploads/01ARZ3NDEKTSV4RRFFQ69G5FAV']) {
    const answer = await fetch(gallery.url(path), { method: 'OPTIONS' });
    assert.equal(answer.status, 204);
    assert.equal(answer.headers.get('Tus-Resumable'), '1.0.0');
    assert.equal(answer.headers.get('Tus-Version'), '1.0.0');
    assert.equal(answer.headers.get('Tus-Extension'), 'creation,creation-with-upload,checksum,expiration,termination');
    assert.equal(answer.headers.get('Tus-Max-Size'), String(1 << 20));
    assert.equal(answer.headers.get('Tus-Checksum-Algorithm'), 'sha1,sha256,md5');
  }
});

// An upload in three parts becomes an image with what its metadata said; HEAD tells how far it is at any time, and where
// the image is afterwards.
test('an upload in parts', async () => {
  const file = png(1, 3000);
  const limit = await ada.limit();
  const url = await ada.create(file.length, { filename: 'Straße 1.png', title: 'A street', albumId: 'streets', visibility: 'shared', other: '' });
  assert.equal(await ada.limit(), limit - 1);
  const fresh = await ada.tus('HEAD', url);
  assert.equal(fresh.status, 200);
  assert.equal(fresh.headers.get('Cache-Control'), 'no-store');
  assert.equal(fresh.headers.get('Upload-Offset'), '0');
  assert.equal(fresh.headers.get('Upload-Length'), String(file.length));
  assert.match(fresh.headers.get('Upload-Metadata'), /^filename U3RyYcOfZSAxLnBuZw==,title /);
  const lasts = (answer) => Date.parse(answer.headers.get('Upload-Expires')) > Date.now() + 23 * 3600_000;
  assert.ok(lasts(fresh));

  const first = await patch(ada, url, 0, file.subarray(0, 10));
  assert.equal(first.status, 204);
  assert.ok(lasts(first));
  assert.equal(first.headers.get('Upload-Offset'), '10');
  assert.equal(first.headers.get('X-Image-Id'), null);
  assert.equal((await patch(ada, url, 10, file.subarray(10, 2000), { 'Upload-Checksum': digest('sha1', file.subarray(10, 2000)) })).status, 204);
  assert.equal(await offsetOf(ada, url), 2000);
  const last = await patch(ada, url, 2000, file.subarray(2000));
  assert.equal(last.status, 204);
  assert.equal(last.headers.get('Upload-Offset'), String(file.length));
  const id = last.headers.get('X-Image-Id');
  const image = await ada.developed(id);
  assert.deepEqual([image.originalFilename, image.title, image.albumId, image.visibility, image.fileSize],
    ['Straße 1.png', 'A street', 'streets', 'shared', file.length]);

  // Who did not hear the last answer asks again.
  const again = await ada.tus('HEAD', url);
  assert.deepEqual([again.status, again.headers.get('Upload-Offset'), again.headers.get('Upload-Length'), again.headers.get('X-Image-Id')],
    [200, String(file.length), String(file.length), id]);
  assert.equal((await bob.tus('HEAD', url)).status, 404);
  assert.deepEqual(gallery.spooled(), []);
});

// The first bytes may come with the creation, all of them too; clients that cannot send PATCH say so in a header.
test('creation with upload, and methods by a header', async () => {
  const file = png(2, 500);
  const begun = await ada.tus('POST', '/uploads', { 'Upload-Length': String(file.length) }, file.subarray(0, 100));
  assert.equal(begun.status, 201);
  assert.equal(begun.headers.get('Upload-Offset'), '100');
  const url = new URL(begun.headers.get('Location'), gallery.url('/')).href;
  const rest = await ada.tus('POST', url, { 'X-HTTP-Method-Override': 'PATCH', 'Upload-Offset': '100' }, file.subarray(100));
  assert.equal(rest.status, 204);
  assert.ok(rest.headers.get('X-Image-Id'));

  const whole = png(3);
  const done = await ada.tus('POST', '/uploads', { 'Upload-Length': String(whole.length), 'Upload-Checksum': digest('md5', whole) }, whole);
  assert.equal(done.status, 201);
  assert.equal((await ada.image(done.headers.get('X-Image-Id'))).originalFilename, 'photo');
});

// Bytes that the account has already are answered with the image that has them, then and later; nothing is taken from the limit.
test('a duplicate', async () => {
  const file = png(4);
  const limit = await ada.limit();
  const ids = [];
  for (let i = 0; i < 2; i += 1) {
    const url = await ada.create(file.length);
    const last = await patch(ada, url, 0, file);
    assert.equal(last.headers.get('X-Image-Duplicate'), i === 0 ? null : 'true');
    const head = await ada.tus('HEAD', url);
    assert.equal(head.headers.get('Upload-Offset'), String(file.length));
    ids.push(last.headers.get('X-Image-Id'), head.headers.get('X-Image-Id'));
  }
  assert.equal(new Set(ids).size, 1);
  assert.equal(await ada.limit(), limit - 1);
  assert.deepEqual(gallery.spooled(), []);
});

// What is wrong with a request is told by its status, and changes nothing.
test('refusals', async () => {
  const file = png(5, 400);
  const limit = await ada.limit();
  const creations = [
    [{}, 400], [{ 'Upload-Length': '-1' }, 400], [{ 'Upload-Length': 'many' }, 400], [{ 'Upload-Length': '0' }, 400],
    [{ 'Upload-Length': String((1 << 20) + 1) }, 413], [{ 'Upload-Defer-Length': '1' }, 400],
    [{ 'Upload-Length': '5', 'Upload-Concat': 'partial' }, 400], [{ 'Upload-Length': '5', 'Tus-Resumable': '0.2.2' }, 412],
    [{ 'Upload-Length': '5', 'Upload-Metadata': 'title ???' }, 400],
    [{ 'Upload-Length': '5', 'Upload-Metadata': `visibility ${btoa('nobody')}` }, 400],
    [{ 'Upload-Length': '5', 'Upload-Metadata': `expiresIn ${btoa('soon')}` }, 400],
    [{ 'Upload-Length': '5', 'Upload-Metadata': `title ${btoa('x'.repeat(300))}` }, 400],
  ];
  for (const [headers, status] of creations) {
    const answer = await ada.tus('POST', '/uploads', headers);
    assert.equal(answer.status, status, JSON.stringify(headers));
    assert.equal(answer.headers.get('Tus-Resumable'), '1.0.0');
    assert.ok((await answer.json()).detail);
  }
  assert.equal((await ada.send('POST', '/uploads', { headers: { 'Tus-Resumable': '1.0.0', 'Upload-Length': '5' }, body: file })).status, 415);
  assert.equal(await ada.limit(), limit);

  const url = await ada.create(file.length);
  assert.equal((await patch(ada, url, 0, file.subarray(0, 100))).status, 204);
  const appends = [
    [{ 'Upload-Offset': '0' }, 409], [{ 'Upload-Offset': '101' }, 409], [{}, 400], [{ 'Upload-Offset': 'x' }, 400],
    [{ 'Upload-Offset': '100', 'Content-Type': 'image/png' }, 415], [{ 'Upload-Offset': '100', 'Tus-Resumable': '2.0.0' }, 412],
    [{ 'Upload-Offset': '100', 'Upload-Checksum': digest('sha256', file) }, 460],
    [{ 'Upload-Offset': '100', 'Upload-Checksum': 'crc64 AAAA' }, 400], [{ 'Upload-Offset': '100', 'Upload-Checksum': 'sha1' }, 400],
  ];
  for (const [headers, status] of appends) {
    const answer = await ada.tus('PATCH', url, headers, file.subarray(100, 200));
    assert.equal(answer.status, status, JSON.stringify(headers));
    assert.ok((await answer.json()).code);
    assert.equal(await offsetOf(ada, url), 100, JSON.stringify(headers));
  }
  assert.equal((await patch(ada, url, 100, Buffer.concat([file.subarray(100), Buffer.from('!')]))).status, 413);
  assert.equal(await offsetOf(ada, url), 100);
  assert.equal((await patch(ada, url, 100, file.subarray(100), { 'Upload-Checksum': digest('sha256', file.subarray(100)) })).status, 204);
});

// Nobody gets at an upload without its account.
test('strangers', async () => {
  const file = png(6);
  const url = await ada.create(file.length);
  const headers = { 'Tus-Resumable': '1.0.0', 'Upload-Offset': '0', 'Content-Type': 'application/offset+octet-stream' };
  assert.equal((await fetch(gallery.url('/uploads'), { method: 'POST', headers: { 'Tus-Resumable': '1.0.0', 'Upload-Length': '5' } })).status, 401);
  for (const method of ['HEAD', 'PATCH', 'DELETE']) {
    const body = method === 'PATCH' ? file : undefined;
    assert.equal((await fetch(url, { method, headers, body })).status, 401, method);
    assert.equal((await bob.send(method, url, { headers, body })).status, 404, method);
    assert.equal((await ada.send(method, gallery.url('/uploads/..%2Fsecret'), { headers, body })).status, 404, method);
    assert.equal((await ada.send(method, gallery.url('/uploads/01ARZ3NDEKTSV4RRFFQ69G5FAV'), { headers, body })).status, 404, method);
  }
  assert.equal(await offsetOf(ada, url), 0);
  assert.equal((await ada.tus('DELETE', url)).status, 204);
});

// A file that is no photo is told by its bytes, whatever is claimed of it, and kept.
test('no photo', async () => {
  const text = Buffer.alloc(1000, 'no photo ');
  const url = await ada.create(text.length, { filename: 'photo.jpg', filetype: 'image/jpeg' });
  assert.equal((await patch(ada, url, 0, text.subarray(0, 5))).status, 204);
  const done = await patch(ada, url, 5, text.subarray(5));
  assert.equal(done.status, 204);
  const image = await ada.image(done.headers.get('X-Image-Id'));
  assert.deepEqual([image.mimeType, image.assetType], ['text/plain', 'DOCUMENT']);
});

// An upload that is given up is gone with its bytes, and comes back to the limit.
test('termination', async () => {
  const file = png(7, 2000);
  const limit = await ada.limit();
  const url = await ada.create(file.length);
  await patch(ada, url, 0, file.subarray(0, 1000));
  assert.equal(gallery.spooled().length, 1);
  assert.equal((await ada.tus('DELETE', url)).status, 204);
  for (const method of ['HEAD', 'DELETE']) assert.equal((await ada.tus(method, url)).status, 404);
  assert.equal((await patch(ada, url, 1000, file.subarray(1000))).status, 404);
  assert.equal(await ada.limit(), limit);
  assert.deepEqual(gallery.spooled(), []);
});

// Of two requests at once one is refused; every byte that arrived before the other went away is kept.
test('two requests at once, and one that is cut off', async () => {
  const file = png(8, 600_000);
  const url = await ada.create(file.length);
  const first = await slowPatch(ada, url, 0, file.length);
  first.write(file.subarray(0, 400_000));
  await until(() => gallery.spooledBytes(url) > 0, 'the first piece is there');
  assert.equal((await patch(ada, url, 0, file.subarray(0, 5))).status, 423);
  first.destroy();
  await until(async () => (await offsetOf(ada, url)) === 400_000, 'what arrived is kept');
  const last = await until(async () => {
    const answer = await patch(ada, url, 400_000, file.subarray(400_000));
    return answer.status === 204 ? answer : undefined;
  }, 'the upload goes on');
  assert.equal((await ada.image(last.headers.get('X-Image-Id'))).fileSize, file.length);
});

// A client that vanished without a word does not keep others from going on for long, behind what it has sent.
test('a request that does nothing is taken over', async () => {
  const file = png(9, 600_000);
  const url = await ada.create(file.length);
  const silent = await slowPatch(ada, url, 0, file.length);
  silent.write(file.subarray(0, 300_000));
  await until(() => gallery.spooledBytes(url) > 0, 'the first piece is there');
  assert.equal((await patch(ada, url, 0, file.subarray(0, 5))).status, 423);
  const taken = await until(async () => {
    const offset = await offsetOf(ada, url);
    const answer = await patch(ada, url, offset, file.subarray(offset));
    return answer.status === 204 ? { offset, headers: answer.headers } : undefined;
  }, 'the upload is taken over');
  assert.ok(taken.offset > 0);
  silent.destroy();
  assert.equal((await ada.image(taken.headers.get('X-Image-Id'))).fileSize, file.length);
});
