// npm's sharp at the work of the darkroom, and how alike pictures are. Run by bench/renditions, with sharp's folder as SHARP.
//
//   sharp_renditions.mjs develop '{"files", "sizes", "quality", "effort", "threads", "at_a_time", "keep"}'
//   sharp_renditions.mjs similarity A B

import { createRequire } from "node:module";
import { writeFile } from "node:fs/promises";

const sharp = createRequire(process.env.SHARP + "/")("sharp");
sharp.cache(false);

// Decoded once, to the largest size; each smaller size from the one before. The encoders of all sizes run beside each other, as far
// as sharp has threads. Reading the file for each size anew is slower, and so is one pipeline after the other.
async function develop(file, { sizes, quality, effort }) {
  const encoded = [];
  let pixels = sharp(file, { sequentialRead: true }).rotate();
  for (const size of sizes) {
    const { data, info } = await pixels.resize(size, size, { fit: "inside", withoutEnlargement: true }).raw()
      .toBuffer({ resolveWithObject: true });
    const raw = { width: info.width, height: info.height, channels: info.channels };
    encoded.push(sharp(data, { raw }).webp({ quality, effort }).toBuffer());
    pixels = sharp(data, { raw });
  }
  return Promise.all(encoded);
}

async function developAll(job) {
  sharp.concurrency(job.threads);
  await develop(job.files[0], job);
  const started = process.hrtime.bigint();
  const before = process.cpuUsage();
  let next = 0;
  let bytes = 0;
  const work = async () => {
    while (next < job.files.length) {
      const number = next++;
      const made = await develop(job.files[number], job);
      bytes += made.reduce((sum, one) => sum + one.length, 0);
      if (job.keep) {
        await Promise.all(made.map((one, i) => writeFile(`${job.keep}/${number}-${job.sizes[i]}.webp`, one)));
      }
    }
  };
  await Promise.all(Array.from({ length: job.at_a_time }, work));
  const cpu = process.cpuUsage(before);
  console.log(JSON.stringify({
    photos: job.files.length, wall_s: Number(process.hrtime.bigint() - started) / 1e9, cpu_s: (cpu.user + cpu.system) / 1e6, bytes,
  }));
}

const WINDOW = 8;
const STEP = 4;
const C1 = (0.01 * 255) ** 2;
const C2 = (0.03 * 255) ** 2;

function ssimAt(a, b, width, left, top) {
  let sumA = 0, sumB = 0, squaresA = 0, squaresB = 0, products = 0;
  for (let y = top; y < top + WINDOW; ++y) {
    for (let at = y * width + left; at < y * width + left + WINDOW; ++at) {
      sumA += a[at];
      sumB += b[at];
      squaresA += a[at] * a[at];
      squaresB += b[at] * b[at];
      products += a[at] * b[at];
    }
  }
  const count = WINDOW * WINDOW;
  const meanA = sumA / count, meanB = sumB / count;
  const spread = squaresA / count - meanA * meanA + squaresB / count - meanB * meanB;
  const both = products / count - meanA * meanB;
  return ((2 * meanA * meanB + C1) * (2 * both + C2)) / ((meanA * meanA + meanB * meanB + C1) * (spread + C2));
}

// The structural similarity of the luminance, in windows of 8 x 8.
async function similarity(first, second) {
  const [a, b] = await Promise.all([first, second].map((file) =>
    sharp(file).removeAlpha().greyscale().raw().toBuffer({ resolveWithObject: true })));
  if (a.info.width !== b.info.width || a.info.height !== b.info.height) {
    throw new Error(`${first} and ${second} differ in size`);
  }
  let total = 0, windows = 0;
  for (let top = 0; top + WINDOW <= a.info.height; top += STEP) {
    for (let left = 0; left + WINDOW <= a.info.width; left += STEP) {
      total += ssimAt(a.data, b.data, a.info.width, left, top);
      ++windows;
    }
  }
  console.log(total / windows);
}

const [task, ...rest] = process.argv.slice(2);
await (task === "develop" ? developAll(JSON.parse(rest[0])) : similarity(...rest));
