// Pictures resized on request by npm's sharp behind Fastify, as such services are written. Run by bench/resize, with the folder of
// both packages as MODULES, the photos' folder as PHOTOS, PORT, and sharp's threads for one picture as THREADS.

import { createRequire } from "node:module";
import { join } from "node:path";

const require = createRequire(process.env.MODULES + "/");
const sharp = require("sharp");
const fastify = require("fastify")();

sharp.cache(false);
sharp.concurrency(Number(process.env.THREADS));

fastify.get("/:photo", async (request, reply) => {
  const { w, h, format, q, effort } = request.query;
  let picture = sharp(join(process.env.PHOTOS, request.params.photo), { sequentialRead: true }).rotate()
    .resize(Number(w), Number(h), { fit: "inside", withoutEnlargement: true });
  picture = format === "webp" ? picture.webp({ quality: Number(q), effort: Number(effort) }) : picture.jpeg({ quality: Number(q) });
  reply.type(`image/${format}`);
  return picture.toBuffer();
});

await fastify.listen({ host: "127.0.0.1", port: Number(process.env.PORT) });
