// Uploads to the storage itself by a link, and temporary images.
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
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

const begin = (account, body) => account.send('POST', '/uploads/direct', { body });
const complete = (account, id) => account.send('POST', `/uploads/${id}/complete`);
const put = ({ url, headers }, body) => fetch(url, { method: 'PUT', headers, body });
const sha256 = (bytes) => createHash('sha256').update(bytes).digest('hex');

// A link, the file, a word: the image; and the word said twice is the same image.
test('a direct upload', async () => {
  const file = png(1, 3000);
  const answer = await begin(ada, {
    filename: 'direct.png', size: file.length, contentType: 'image/png', sha256: sha256(file), title: 'Direct', visibility: 'shared',
  });
  assert.equal(answer.status, 201);
  const link = await answer.json();
  assert.equal(link.method, 'PUT');
  assert.ok(Date.parse(link.expiresAt) > Date.now());
  assert.equal((await complete(ada, link.id)).status, 409);
  assert.equal((await put(link, file)).status, 200);
  assert.equal((await complete(bob, link.id)).status, 404);
  const done = await complete(ada, link.id);
  assert.equal(done.status, 202);
  const image = await done.json();
  assert.deepEqual([image.originalFilename, image.title, image.visibility, image.fileSize], ['direct.png', 'Direct', 'shared', file.length]);
  // What comes by the link now is of no use to anybody.
  assert.equal((await put(link, file)).status, 404);
  await ada.developed(image.id);
  const again = await complete(ada, link.id);
  assert.deepEqual([again.status, (await again.json()).id], [202, image.id]);

  // The same bytes again are the same image.
  const limit = await ada.limit();
  const second = await (await begin(ada, { size: file.length })).json();
  assert.equal((await put(second, file)).status, 200);
  for (let i = 0; i < 2; i += 1) {
    const duplicate = await complete(ada, second.id);
    assert.deepEqual([duplicate.status, (await duplicate.json()).id], [200, image.id]);
  }
  assert.equal(await ada.limit(), limit);
});

// What is wrong is told, and what cannot be mended is given up.
test('refusals', async () => {
  const file = png(2, 3000);
  const limit = await ada.limit();
  for (const [body, status] of [[{}, 400], [{ size: 0 }, 400], [{ size: 'x' }, 400], [{ size: (1 << 20) + 1 }, 413],
    [{ size: 5, sha256: 'abc' }, 400], [{ size: 5, title: 7 }, 400], [{ size: 5, visibility: 'nobody' }, 400],
    [{ size: 5, contentType: 'image/png\r\nX: y' }, 400], [{ size: 5, expiresIn: 0 }, 400]]) {
    const answer = await begin(ada, body);
    assert.equal(answer.status, status, JSON.stringify(body));
  }
  assert.equal((await fetch(gallery.url('/uploads/direct'), { method: 'POST', body: '{"size":5}' })).status, 401);

  const link = await (await begin(ada, { size: file.length })).json();
  assert.equal((await put(link, file.subarray(1))).status, 400);
  assert.equal((await put({ url: link.url.replace(/signature=..../, 'signature=AAAA') }, file)).status, 403);
  assert.equal((await put({ url: link.url.replace(/expires=\d+/, 'expires=9999999999') }, file)).status, 403);
  assert.equal((await put(link, file)).status, 200);
  assert.equal((await ada.send('DELETE', `/uploads/${link.id}`)).status, 204);
  assert.equal((await complete(ada, link.id)).status, 404);

  const other = await (await begin(ada, { size: file.length, sha256: sha256('another file') })).json();
  assert.equal((await put(other, file)).status, 200);
  const refused = await complete(ada, other.id);
  assert.deepEqual([refused.status, (await refused.json()).code], [400, 'ChecksumMismatch']);
  assert.equal((await complete(ada, other.id)).status, 404);
  await until(async () => (await ada.limit()) === limit, 'the limit is back');
});

// A temporary image is there until its time, by whichever way it came.
test('temporary images', async () => {
  const limit = await ada.limit();
  const files = [png(10), png(11), png(12)];
  const plain = await ada.send('POST', '/images?expiresIn=3', { headers: { 'Content-Type': 'image/png' }, body: files[0] });
  const url = await ada.create(files[1].length, { expiresIn: '3' });
  const part = await ada.tus('PATCH', url, { 'Upload-Offset': '0' }, files[1]);
  const link = await (await begin(ada, { size: files[2].length, expiresIn: 3 })).json();
  await put(link, files[2]);
  const ids = [(await plain.json()).id, part.headers.get('X-Image-Id'), (await (await complete(ada, link.id)).json()).id];
  for (const id of ids) assert.ok((await ada.image(id)).ttl > Date.now() / 1000);
  for (const id of ids) await until(async () => (await ada.image(id)) === undefined, `${id} vanishes`);
  await until(async () => (await ada.limit()) === limit, 'the limit is back');
});
