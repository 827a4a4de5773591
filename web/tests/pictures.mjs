// Pictures for the tests: painted here, so that no photo of anybody lies in the repository.
import * as zlib from 'node:zlib'

const TABLE = Array.from({ length: 256 }, (_, byte) => {
  let value = byte
  for (let bit = 0; bit < 8; ++bit) value = value & 1 ? (value >>> 1) ^ 0xedb88320 : value >>> 1
  return value >>> 0
})

// node:zlib has it from Node.js 22 on only.
function crc32(bytes) {
  if (zlib.crc32) return zlib.crc32(bytes)
  let crc = 0xffffffff
  for (const byte of bytes) crc = TABLE[(crc ^ byte) & 255] ^ (crc >>> 8)
  return (crc ^ 0xffffffff) >>> 0
}

function chunk(type, data) {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const framed = Buffer.alloc(body.length + 8)
  framed.writeUInt32BE(data.length, 0)
  body.copy(framed, 4)
  framed.writeUInt32BE(crc32(body), body.length + 4)
  return framed
}

const mix = (from, to, part) => from.map((value, index) => value + (to[index] - value) * part)
const hue = (degrees, light) =>
  [0, 120, 240].map((shift) => light * (0.72 + 0.28 * Math.cos(((degrees - shift) * Math.PI) / 180)))

/** A landscape as a PNG: sky, sun and three ranges of hills, in colours of the seed. `level` 0 makes it large. */
export function paint({ width = 600, height = 400, seed = 1, level = 1 } = {}) {
  const random = (n) => Math.abs(Math.sin(seed * 12.9898 + n * 78.233) * 43758.5453) % 1
  const base = random(1) * 360
  const [high, low] = [hue(base + 210, 190), hue(base + 30, 250)]
  const sun = { x: width * (0.2 + 0.6 * random(2)), y: height * (0.2 + 0.25 * random(3)), radius: height * 0.08 }
  const ranges = [0, 1, 2].map((n) => {
    const colour = hue(base + 190 + n * 25, 150 - n * 45)
    const crest = Array.from({ length: width }, (_, x) =>
      height * (0.5 + 0.15 * n + 0.09 * Math.sin((x / width) * (4 + 5 * random(4 + n)) + 9 * random(9 + n))))
    return { colour, crest }
  })
  const rows = Buffer.alloc((width * 3 + 1) * height)
  for (let y = 0, at = 0; y < height; ++y) {
    rows[at++] = 0 // No filter.
    const sky = mix(high, low, y / height)
    for (let x = 0; x < width; ++x) {
      let colour = Math.hypot(x - sun.x, y - sun.y) < sun.radius ? [255, 250, 230] : sky
      for (const range of ranges) if (y > range.crest[x]) colour = range.colour
      for (const value of colour) rows[at++] = Math.max(0, Math.min(255, value))
    }
  }
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  header.set([8, 2, 0, 0, 0], 8)
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
  return Buffer.concat([signature, chunk('IHDR', header), chunk('IDAT', zlib.deflateSync(rows, { level })), chunk('IEND', Buffer.alloc(0))])
}
