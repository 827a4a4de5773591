// A screenshot as a smaller PNG: with 256 colours of its own instead of 16 million.
import * as zlib from 'node:zlib'
import { framed } from './pictures.mjs'

const COLOURS = 256

/** The pixels of a PNG file, four bytes each, by the browser's own decoder. */
async function decoded(page, png) {
  const { width, height, base64 } = await page.evaluate(async (text) => {
    const bitmap = await createImageBitmap(new Blob([Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0))]))
    const context = new OffscreenCanvas(bitmap.width, bitmap.height).getContext('2d')
    context.drawImage(bitmap, 0, 0)
    const { data } = context.getImageData(0, 0, bitmap.width, bitmap.height)
    let letters = ''
    for (let at = 0; at < data.length; at += 30_000) letters += String.fromCharCode(...data.subarray(at, at + 30_000))
    return { width: bitmap.width, height: bitmap.height, base64: btoa(letters) }
  }, png.toString('base64'))
  return { width, height, pixels: Buffer.from(base64, 'base64') }
}

/** How often each colour is there, in steps of four. */
function histogram(pixels) {
  const found = new Map()
  for (let at = 0; at < pixels.length; at += 4) {
    const key = ((pixels[at] >> 2) << 12) | ((pixels[at + 1] >> 2) << 6) | (pixels[at + 2] >> 2)
    const entry = found.get(key)
    if (entry) {
      for (let n = 0; n < 3; ++n) entry.sum[n] += pixels[at + n]
      ++entry.count
    } else found.set(key, { sum: [pixels[at], pixels[at + 1], pixels[at + 2]], count: 1 })
  }
  return [...found.values()].map(({ sum, count }) => ({ colour: sum.map((value) => value / count), count }))
}

/** What a box of colours has to be cut along, and how much that is worth. */
function widest(box) {
  const spreads = [0, 1, 2].map((n) => {
    const total = box.reduce((sum, { count }) => sum + count, 0)
    const mean = box.reduce((sum, { colour, count }) => sum + colour[n] * count, 0) / total
    return box.reduce((sum, { colour, count }) => sum + (colour[n] - mean) ** 2 * count, 0)
  })
  const spread = Math.max(...spreads)
  return { axis: spreads.indexOf(spread), spread }
}

/** Cuts the box that differs most within itself, again and again. */
function paletteOf(colours) {
  const boxes = [{ box: colours, ...widest(colours) }]
  while (boxes.length < COLOURS) {
    boxes.sort((a, b) => a.spread - b.spread)
    const { box, axis, spread } = boxes.pop()
    if (spread === 0) return boxes.concat({ box }).map(meanOf)
    box.sort((a, b) => a.colour[axis] - b.colour[axis])
    const half = box.reduce((sum, { count }) => sum + count, 0) / 2
    let cut = 0
    for (let sum = 0; cut < box.length - 1 && (cut === 0 || sum + box[cut].count <= half); ++cut) sum += box[cut].count
    for (const part of [box.slice(0, cut), box.slice(cut)]) boxes.push({ box: part, ...widest(part) })
  }
  return boxes.map(meanOf)
}

function meanOf({ box }) {
  const total = box.reduce((sum, { count }) => sum + count, 0)
  return [0, 1, 2].map((n) => Math.round(box.reduce((sum, { colour, count }) => sum + colour[n] * count, 0) / total))
}

function nearestIn(palette) {
  const known = new Map()
  return (red, green, blue) => {
    const key = (red << 16) | (green << 8) | blue
    let best = known.get(key)
    if (best !== undefined) return best
    let least = Infinity
    palette.forEach(([r, g, b], index) => {
      const distance = 2 * (red - r) ** 2 + 4 * (green - g) ** 2 + 3 * (blue - b) ** 2
      if (distance < least) [least, best] = [distance, index]
    })
    known.set(key, best)
    return best
  }
}

/** Indices into the palette, row by row. What is lost of a pixel's colour goes to its neighbours (Floyd and Steinberg), by
 * that strength: fewer steps are seen in a sky, and the file is larger. */
function dithered({ width, height, pixels }, palette, strength) {
  const nearest = nearestIn(palette)
  const rows = Buffer.alloc((width + 1) * height)
  const lost = new Float32Array((width + 2) * 3 * 2)
  for (let y = 0; y < height; ++y) {
    const [here, below] = y % 2 === 0 ? [0, (width + 2) * 3] : [(width + 2) * 3, 0]
    lost.fill(0, below, below + (width + 2) * 3)
    for (let x = 0; x < width; ++x) {
      const at = (x + 1) * 3
      const wanted = [0, 1, 2].map((n) => Math.max(0, Math.min(255, Math.round(pixels[(y * width + x) * 4 + n] + lost[here + at + n]))))
      const index = nearest(...wanted)
      rows[y * (width + 1) + 1 + x] = index
      wanted.forEach((value, n) => {
        const rest = (value - palette[index][n]) * (strength / 16)
        lost[here + at + 3 + n] += 7 * rest
        lost[below + at - 3 + n] += 3 * rest
        lost[below + at + n] += 5 * rest
        lost[below + at + 3 + n] += rest
      })
    }
  }
  return rows
}

/** The same picture in 256 colours, as smooth as has room in so many bytes. */
export async function shrunkPng(page, png, bytesMax) {
  const picture = await decoded(page, png)
  const palette = paletteOf(histogram(picture.pixels))
  let file
  for (const strength of [0.9, 0.75, 0.6, 0.45, 0.3, 0]) {
    file = encoded(picture, palette, dithered(picture, palette, strength))
    if (file.length <= bytesMax) return file
  }
  return file
}

function encoded({ width, height }, palette, rows) {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  header.set([8, 3, 0, 0, 0], 8)
  return framed(['IHDR', header], ['PLTE', Buffer.from(palette.flat())], ['IDAT', zlib.deflateSync(rows, { level: 9, memLevel: 9 })])
}
