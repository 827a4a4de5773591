// A client of resumable uploads in a process of its own, to be killed: ENDPOINT FILE STORE TOKEN. It goes on with what STORE
// knows of, and tells its parent how it ended.
import { createReadStream, statSync } from 'node:fs';
import * as tus from 'tus-js-client';

const [endpoint, path, store, token] = process.argv.slice(2);

const upload = new tus.Upload(createReadStream(path), {
  endpoint,
  headers: { Authorization: `Bearer ${token}` },
  uploadSize: statSync(path).size,
  chunkSize: Number.POSITIVE_INFINITY,
  metadata: { filename: 'resumed.png' },
  retryDelays: Array(60).fill(200),
  urlStorage: new tus.FileUrlStorage(store),
  fingerprint: () => Promise.resolve(`file ${path}`),
  storeFingerprintForResuming: true,
  onError: (error) => process.send({ error: String(error) }, () => process.exit(1)),
  onSuccess: ({ lastResponse }) => process.send({ imageId: lastResponse.getHeader('X-Image-Id') }, () => process.exit(0)),
});

const previous = await upload.findPreviousUploads();
if (previous.length > 0) {
  upload.resumeFromPreviousUpload(previous[0]);
  process.send({ resumed: true });
}
upload.start();
