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

/** A PNG file of these chunks, each a type and its bytes, and its end. */
export function framed(...chunks) {
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
  return Buffer.concat([signature, ...chunks.map(([type, data]) => chunk(type, data)), chunk('IEND', Buffer.alloc(0))])
}

const mix = (from, to, part) => from.map((value, index) => value + (to[index] - value) * part)
const hue = (degrees, light) =>
  [0, 120, 240].map((shift) => light * (0.72 + 0.28 * Math.cos(((degrees - shift) * Math.PI) / 180)))

/** A PNG of that size whose pixels `colourAt` gives, as [red, green, blue] of 0 to 255, with an EXIF block if there is one. */
export function encodePng(width, height, colourAt, { level = 1, exif } = {}) {
  const rows = Buffer.alloc((width * 3 + 1) * height)
  for (let y = 0, at = 0; y < height; ++y) {
    rows[at++] = 0 // No filter.
    for (let x = 0; x < width; ++x) for (const value of colourAt(x, y)) rows[at++] = Math.max(0, Math.min(255, value))
  }
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  header.set([8, 2, 0, 0, 0], 8)
  return framed(['IHDR', header], ...(exif === undefined ? [] : [['eXIf', exif]]), ['IDAT', zlib.deflateSync(rows, { level })])
}

/** A directory of TIFF that stands at `offset`. Values are text, whole numbers, or lists of [numerator, denominator]. */
function directory(offset, entries) {
  const head = Buffer.alloc(2 + 12 * entries.length + 4)
  head.writeUInt16LE(entries.length)
  const kept = []
  let behind = offset + head.length
  entries.forEach(([tag, value], index) => {
    const at = 2 + 12 * index
    const [type, count, raw] = typeof value === 'string' ? [2, value.length + 1, Buffer.from(`${value}\0`, 'latin1')]
      : typeof value === 'number' ? [4, 1, Buffer.from(Uint32Array.of(value).buffer)]
        : [5, value.length, Buffer.from(Uint32Array.from(value.flat()).buffer)]
    head.writeUInt16LE(tag, at)
    head.writeUInt16LE(type, at + 2)
    head.writeUInt32LE(count, at + 4)
    if (raw.length <= 4) return void raw.copy(head, at + 8)
    head.writeUInt32LE(behind, at + 8)
    const padded = Buffer.concat([raw, Buffer.alloc(raw.length % 2)])
    kept.push(padded)
    behind += padded.length
  })
  return Buffer.concat([head, ...kept])
}

/** What a camera of the make ACME writes: how a photo was taken, when, and at Lake Constance. */
export function cameraExif() {
  const camera = [[0x829a, [[1, 250]]], [0x829d, [[28, 10]]], [0x8827, 200], [0x9003, '2026:11:14 15:12:00'], [0x9011, '+01:00'],
    [0x920a, [[35, 1]]], [0xa434, 'ACME 35mm F2']]
  const place = [[1, 'N'], [2, [[47, 1], [32, 1], [4560, 100]]], [3, 'E'], [4, [[9, 1], [41, 1], [240, 100]]], [6, [[398, 1]]]]
  const first = (cameraAt, placeAt) => directory(8, [[0x010f, 'ACME'], [0x0110, 'Box One'], [0x8769, cameraAt], [0x8825, placeAt]])
  const cameraAt = 8 + first(0, 0).length
  const cameraPart = directory(cameraAt, camera)
  const placeAt = cameraAt + cameraPart.length
  return Buffer.concat([Buffer.from('II*\0\x08\0\0\0', 'latin1'), first(cameraAt, placeAt), cameraPart, directory(placeAt, place)])
}

/** A landscape as a PNG: sky, sun and three ranges of hills, in colours of the seed. `level` 0 makes it large. */
export function paint({ width = 600, height = 400, seed = 1, ...options } = {}) {
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
  return encodePng(width, height, (x, y) => {
    let colour = Math.hypot(x - sun.x, y - sun.y) < sun.radius ? [255, 250, 230] : mix(high, low, y / height)
    for (const range of ranges) if (y > range.crest[x]) colour = range.colour
    return colour
  }, options)
}
