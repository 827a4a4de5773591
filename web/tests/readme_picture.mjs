// node tests/readme_picture.mjs [FILE]: makes README's picture of the gallery, docs/images/gallery.png, anew. The server is
// the one that TINTYPE_BIN names; the photos are painted here, so that no photo of anybody lies in the repository.
import { mkdirSync, statSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { startGallery } from '../../tests/e2e/support/gallery.mjs'
import { encodePng } from './pictures.mjs'
import { shrunkPng } from './png_palette.mjs'
import { ADA, developed, openBrowser, openPage, signUp } from './support.mjs'

const BYTES_MAX = 300_000
const file = process.argv[2] ?? fileURLToPath(new URL('../../docs/images/gallery.png', import.meta.url))

const clamp = (value, low = 0, high = 1) => Math.max(low, Math.min(high, value))
const mix = (from, to, part) => from.map((value, n) => value + (to[n] - value) * clamp(part))
const smooth = (from, to, value) => {
  const t = clamp((value - from) / (to - from))
  return t * t * (3 - 2 * t)
}
const rgb = (hex) => [1, 3, 5].map((at) => parseInt(hex.slice(at, at + 2), 16))

/** A number from 0 to 1 that is always the same for the same place. */
function chance(x, y, seed) {
  const mixed = Math.imul(x | 0, 374761393) ^ Math.imul(y | 0, 668265263) ^ Math.imul(seed | 0, 1442695041)
  const more = Math.imul(mixed ^ (mixed >>> 13), 1274126177)
  return ((more ^ (more >>> 16)) >>> 0) / 4294967296
}

/** Smooth noise, 0 to 1. */
function noise(x, y, seed) {
  const [left, top] = [Math.floor(x), Math.floor(y)]
  const [across, down] = [smooth(0, 1, x - left), smooth(0, 1, y - top)]
  const at = (right, below) => chance(left + right, top + below, seed)
  const upper = at(0, 0) + (at(1, 0) - at(0, 0)) * across
  const lower = at(0, 1) + (at(1, 1) - at(0, 1)) * across
  return upper + (lower - upper) * down
}

/** Noise of every size, the finer the fainter. */
function clouds(x, y, seed, octaves = 5) {
  let sum = 0
  let part = 0.5
  for (let n = 0; n < octaves; ++n, part /= 2) sum += part * noise(x * 2 ** n, y * 2 ** n, seed + n)
  return sum
}

const gradient = (...stops) => {
  const colours = stops.map(([at, hex]) => [at, rgb(hex)])
  return (at) => {
    const next = colours.findIndex(([stop]) => stop >= at)
    if (next === 0) return colours[0][1]
    if (next < 0) return colours[colours.length - 1][1]
    const [[from, before], [to, after]] = [colours[next - 1], colours[next]]
    return mix(before, after, (at - from) / (to - from))
  }
}

/** Ranges of mountains, each behind the next, in haze. `u` and `v` are 0 to 1 across and down; `wide` is width by height. */
function mountains({ sky, far, near, ranges = 5, top = 0.38, rough = 0.2, seed, sun, water }) {
  const heaven = gradient(...sky)
  const [distant, close] = [rgb(far), rgb(near)]
  return (u, v, wide) => {
    const mirrored = water !== undefined && v > water
    const height = mirrored ? water - (v - water) * 0.9 : v
    const x = mirrored ? u + 0.004 * Math.sin(v * 260) * (v - water) * 6 : u
    let colour = heaven(height)
    if (sun) {
      const away = Math.hypot((x - sun.x) * wide, height - sun.y)
      colour = mix(colour, rgb(sun.colour), smooth(sun.radius * 1.12, sun.radius, away) + 0.5 * Math.exp(-away * 5))
    }
    for (let n = 0; n < ranges; ++n) {
      const depth = n / Math.max(1, ranges - 1)
      const crest = top + depth * 0.42 + rough * (0.5 - clouds(x * wide * (1.4 + n * 0.7) + n * 17, n * 9.3, seed + n * 31)) * (1.3 - depth * 0.6)
      if (height > crest) {
        const haze = smooth(0, 0.22, height - crest) * 0.3
        const shade = (clouds(x * wide * 9, height * 14, seed + 77 + n) - 0.48) * 26 * (0.3 + depth)
        colour = mix(mix(distant, close, depth), distant, haze).map((value) => value + shade)
      }
    }
    if (mirrored) colour = mix(colour, heaven(0.1), 0.16 + 0.2 * smooth(water, 1, v)).map((value) => value * 0.9)
    return colour
  }
}

/** The sea under a low sun, with its light on the water. */
function sea({ sky, deep, sun, horizon = 0.55, seed }) {
  const heaven = gradient(...sky)
  return (u, v, wide) => {
    if (v < horizon) {
      const away = Math.hypot((u - sun.x) * wide, v - sun.y)
      const veil = smooth(0.5, 0.75, clouds(u * wide * 2.2, v * 9, seed)) * 0.5
      return mix(mix(heaven(v / horizon), rgb('#ffffff'), veil * 0.45), rgb(sun.colour), smooth(sun.radius * 1.1, sun.radius, away) + 0.6 * Math.exp(-away * 6))
    }
    const depth = (v - horizon) / (1 - horizon)
    const wave = clouds(u * wide * (5 + 10 * (1 - depth)), depth * 26 + 3 / (depth + 0.12), seed + 5)
    const path = Math.exp(-Math.abs(u - sun.x) * wide * (9 - 5 * depth)) * smooth(0.42, 0.62, wave)
    return mix(mix(heaven(1), rgb(deep), 0.25 + depth * 0.75).map((value) => value * (0.86 + 0.3 * wave)), rgb(sun.colour), path)
  }
}

/** Dunes: soft crests with a lit and a shaded side. */
function dunes({ sky, light, dark, seed }) {
  const heaven = gradient(...sky)
  return (u, v, wide) => {
    let colour = heaven(v)
    for (let n = 0; n < 4; ++n) {
      const crest = 0.42 + n * 0.15 + 0.09 * Math.sin(u * wide * (2.2 + n * 0.6) + n * 2.4 + seed) + 0.03 * Math.sin(u * wide * 6 + n)
      if (v > crest) {
        const slope = Math.cos(u * wide * (2.2 + n * 0.6) + n * 2.4 + seed)
        const ripple = 5 * Math.sin((v * 240 + Math.sin(u * 30) * 6) * (1 - n * 0.15)) * smooth(0, 0.12, v - crest)
        colour = mix(rgb(dark), rgb(light), 0.5 + 0.45 * slope - (v - crest) * 0.8 + n * 0.06).map((value) => value + ripple)
      }
    }
    return colour
  }
}

/** A night with stars, a moon and fir trees. */
function night({ sky, trees, moon, seed, aurora }) {
  const heaven = gradient(...sky)
  return (u, v, wide) => {
    let colour = heaven(v)
    if (aurora) {
      const curtain = 0.3 + 0.1 * Math.sin(u * wide * 3 + seed) + 0.12 * clouds(u * wide * 3, 1, seed)
      const glow = smooth(curtain + 0.02, curtain, v) * smooth(0, curtain, v) * (0.5 + 0.5 * noise(u * wide * 26, 0, seed))
      colour = mix(colour, rgb(aurora), glow * 0.85)
    }
    const cell = [Math.floor(u * wide * 60), Math.floor(v * 60)]
    const star = chance(...cell, seed)
    const offset = Math.hypot(u * wide * 60 - cell[0] - 0.5, v * 60 - cell[1] - 0.5)
    if (star > 0.93) colour = mix(colour, [255, 250, 235], smooth(0.22 * star, 0, offset) * (star - 0.85) * 7)
    if (moon) colour = mix(colour, [250, 244, 226], smooth(moon.radius * 1.06, moon.radius, Math.hypot((u - moon.x) * wide, v - moon.y)))
    for (let n = 0; n < 3; ++n) {
      const spot = u * wide * (9 + 5 * (2 - n))
      const tree = Math.floor(spot)
      const tall = 0.1 + 0.16 * chance(tree, n, seed) + n * 0.03
      const ground = 0.74 + n * 0.08 + 0.03 * Math.sin(u * wide * 4 + n)
      const reach = (v - (ground - tall)) / tall
      const branch = 0.42 * reach * (0.75 + 0.25 * Math.abs(Math.sin(reach * 16)))
      if (v > ground || (reach > 0 && Math.abs(spot - tree - 0.5) < branch)) colour = mix(rgb(trees), [4, 8, 14], n * 0.4)
    }
    return colour
  }
}

/** Lights out of focus. */
function lights({ ground, colours, seed }) {
  const discs = Array.from({ length: 46 }, (_, n) => ({
    x: chance(n, 1, seed), y: 0.15 + 0.8 * chance(n, 2, seed), radius: 0.03 + 0.07 * chance(n, 3, seed),
    colour: rgb(colours[n % colours.length]), strength: 0.25 + 0.5 * chance(n, 4, seed),
  }))
  const behind = gradient(...ground)
  return (u, v, wide) => discs.reduce((colour, { x, y, radius, colour: light, strength }) => {
    const away = Math.hypot((u - x) * wide, v - y)
    return away < radius ? mix(colour, light, strength * (0.75 + 0.25 * smooth(radius * 0.7, radius, away)) * smooth(radius, radius * 0.94, away)) : colour
  }, behind(v))
}

/** A field of flowers, the nearer the larger. */
function meadow({ sky, grass, petals, seed }) {
  const heaven = gradient(...sky)
  const green = gradient(...grass)
  const flowers = Array.from({ length: 420 }, (_, n) => {
    const depth = chance(n, 5, seed) ** 0.7
    return { x: chance(n, 6, seed), y: 0.5 + 0.52 * depth, radius: 0.005 + 0.03 * depth * depth, colour: rgb(petals[n % petals.length]) }
  }).sort((a, b) => a.y - b.y)
  return (u, v, wide) => {
    const hill = 0.46 + 0.04 * Math.sin(u * wide * 2.2 + seed)
    if (v < hill) return mix(heaven(v / hill), [255, 255, 255], smooth(0.5, 0.68, clouds(u * wide * 2.6, v * 4, seed)) * 0.75)
    const blade = (clouds(u * wide * 40, v * 18, seed + 3) - 0.48) * 46 * smooth(hill, 1, v)
    let colour = green((v - hill) / (1 - hill)).map((value) => value + blade)
    for (const { x, y, radius, colour: petal } of flowers) {
      if (Math.abs(v - y) > radius) continue
      const [right, down] = [(u - x) * wide, v - y]
      const away = Math.hypot(right, down)
      const edge = radius * (0.72 + 0.28 * Math.abs(Math.cos(2.5 * Math.atan2(down, right))))
      if (away < edge) colour = away < radius * 0.28 ? [246, 205, 92] : petal.map((value) => value - 34 * (away / radius))
    }
    return colour
  }
}

/** Houses along a street at dusk, with windows that are lit. */
function town({ sky, walls, seed }) {
  const heaven = gradient(...sky)
  return (u, v, wide) => {
    let colour = heaven(v)
    for (let n = 0; n < 3; ++n) {
      const spot = u * wide * (7 - n * 1.4) + n * 0.37
      const house = Math.floor(spot)
      const inside = spot - house
      const roof = 0.3 + n * 0.17 + 0.16 * chance(house, n, seed) + 0.13 * Math.abs(inside - 0.5) * (chance(house, n + 9, seed) > 0.4 ? 1 : 0)
      if (v < roof) continue
      colour = mix(rgb(walls[n]), heaven(1), 0.1 * (2 - n)).map((value) => value * (0.9 + 0.2 * chance(house, n + 4, seed)))
      const [column, row] = [inside * 5, (v - roof) * (24 - n * 3)]
      const window = column % 1 > 0.3 && column % 1 < 0.75 && row % 1 > 0.35 && row % 1 < 0.8 && row > 0.8 && inside > 0.08 && inside < 0.92
      if (window) colour = chance(house * 7 + Math.floor(column), Math.floor(row), seed + n) > 0.52 ? [255, 208, 122] : mix(colour, [20, 24, 40], 0.45)
    }
    return colour
  }
}

const DAWN = [[0, '#3d5a80'], [0.35, '#98a9c4'], [0.55, '#f2c6a0'], [1, '#fbe6cf']]
const DUSK = [[0, '#2b2d5b'], [0.4, '#8a4f7d'], [0.75, '#f08a5d'], [1, '#ffd29d']]
const DAY = [[0, '#3f8fd2'], [0.6, '#9fd0ef'], [1, '#dff1fa']]
const NIGHT = [[0, '#071226'], [0.6, '#16305a'], [1, '#37568a']]

/** Oldest first. What each shows is also its alternative text. */
const PHOTOS = [
  ['Dunes in the evening', 800, 800, dunes({ sky: [[0, '#6ea7cf'], [0.6, '#f6d9b0']], light: '#f2b36b', dark: '#9c5a3c', seed: 2 })],
  ['Lights of the market', 800, 600, lights({ ground: [[0, '#1b1420'], [1, '#3d2531']], colours: ['#ffb347', '#ff7f66', '#ffe3a3', '#7fb7c9', '#e88fb0'], seed: 12 })],
  ['Fog over the valley', 640, 900, mountains({ sky: [[0, '#b9c8cf'], [1, '#eef1ee']], far: '#c3d0d0', near: '#2f4a4a', ranges: 6, top: 0.26, rough: 0.26, seed: 40 })],
  ['A night at the hut', 960, 640, night({ sky: NIGHT, trees: '#0d1b2a', moon: { x: 0.74, y: 0.24, radius: 0.07 }, seed: 21 })],
  ['Old town, blue hour', 900, 620, town({ sky: [[0, '#1f2a5a'], [0.6, '#6a5a9c'], [1, '#f3a683']], walls: ['#6f6a8e', '#4d4468', '#2b2440'], seed: 31 })],
  ['The first snow', 960, 640, mountains({ sky: DAY, far: '#dfeaf2', near: '#5b7690', ranges: 4, top: 0.3, rough: 0.34, seed: 63 })],
  ['Northern lights', 1100, 640, night({ sky: [[0, '#04101f'], [0.7, '#0d3145'], [1, '#1c5560']], trees: '#07151c', seed: 8, aurora: '#6ef2b0' })],
  ['A whole bay at dusk', 2400, 640, sea({ sky: DUSK, deep: '#2a2450', sun: { x: 0.32, y: 0.46, radius: 0.075, colour: '#fff0c9' }, seed: 5 })],
  ['Poppies behind the house', 860, 640, meadow({ sky: DAY, grass: [[0, '#8fbf6a'], [1, '#33682f']], petals: ['#e4572e', '#d7263d', '#f08a5d', '#fff4ec'], seed: 3 })],
  ['Evening by the sea', 640, 860, sea({ sky: [[0, '#4f78a8'], [0.55, '#f0b58a'], [1, '#ffe0b0']], deep: '#23435e', sun: { x: 0.56, y: 0.42, radius: 0.06, colour: '#fff3d6' }, seed: 15 })],
  ['Lake Sils, quite still', 960, 640, mountains({ sky: DAWN, far: '#a9bcd0', near: '#27445c', ranges: 4, top: 0.2, rough: 0.22, seed: 18, water: 0.6 })],
  ['Seven ridges', 960, 600, mountains({ sky: DUSK, far: '#e5a184', near: '#2a1f3d', ranges: 7, top: 0.42, rough: 0.2, seed: 7, sun: { x: 0.62, y: 0.36, radius: 0.07, colour: '#ffe9c7' } })],
]

function photoOf([, width, height, colourAt], index) {
  // A little grain, as a sensor has it.
  const grain = (x, y) => (chance(x, y, index) - 0.5) * 3
  return encodePng(width, height, (x, y) => {
    const more = grain(x, y)
    return colourAt((x + 0.5) / width, (y + 0.5) / height, width / height).map((value) => value + more)
  })
}

const gallery = await startGallery()
const browser = await openBrowser()
try {
  const page = await openPage(browser, `http://${gallery.address}`, { colorScheme: 'light', viewport: { width: 1280, height: 860 } })
  await signUp(page, ADA, gallery.setupToken)
  const ada = await gallery.logIn(ADA)
  for (const [index, photo] of PHOTOS.entries()) {
    const [title] = photo
    const { id } = await ada.upload(photoOf(photo, index), `IMG_${4100 + index}.png`)
    await ada.change(await ada.developed(id), { title, altText: title })
    if (index % 5 === 3) await ada.send('POST', `/images/${id}/share`)
  }
  await page.reload()
  await developed(page, PHOTOS.length)
  const screenshot = await page.screenshot({ animations: 'disabled' })
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, await shrunkPng(page, screenshot, BYTES_MAX))
  const { size } = statSync(file)
  console.log(`${file}: ${size} bytes`)
  if (size > BYTES_MAX) throw new Error(`more than ${BYTES_MAX} bytes`)
  await page.assertClean()
} finally {
  await browser.close()
  await gallery.stop()
}
