import type { Sizes } from '../api/types'

type SizeName = keyof Sizes

interface Measured {
  width?: number
  height?: number
  sizes?: Sizes
}

/** What an undeveloped photo is taken for until its size is known: the usual camera's 3 to 2. */
const RATIO_UNKNOWN = 1.5

/** Longest sides in pixels, as the server makes them; none is larger than its original. */
const LONGEST_SIDES: [SizeName, number][] = [['THUMB', 256], ['SMALL', 512], ['MEDIUM', 1024], ['LARGE', 2048]]

/** Width by height, kept within what a row of tiles can hold. */
export function ratioOf({ width, height }: Measured, preview?: { width: number; height: number }): number {
  const measured = width && height ? { width, height } : preview
  const ratio = measured ? measured.width / measured.height : RATIO_UNKNOWN
  return Math.min(Math.max(ratio, 0.4), 3.5)
}

/** The candidates for an <img>, with the real width of each rendition. Empty when there are none. */
export function srcsetOf({ width, height, sizes }: Measured): string {
  if (!width || !height || !sizes) return ''
  const candidates = new Map<number, string>()
  for (const [name, side] of LONGEST_SIDES) {
    const url = sizes[name]
    const scale = Math.min(1, side / Math.max(width, height))
    const pixels = Math.max(1, Math.round(width * scale))
    if (url !== undefined && !candidates.has(pixels)) candidates.set(pixels, url)
  }
  return [...candidates].map(([pixels, url]) => `${url} ${pixels}w`).join(', ')
}

/** The pixels across that a picture is drawn with in a box that it covers: more than the box where it is wider. */
export function drawnWidth({ width, height }: Measured, box: { width: number; height: number }): number {
  return Math.ceil(Math.max(box.width, width && height ? (box.height * width) / height : 0))
}

/** About how high a row of tiles is, to say something of a picture's width before there is a layout. */
const ROW_PIXELS = 220

/** The `sizes` of an <img> in a tile, until its real width is known. */
export function sizesOf(image: Measured): string {
  return `min(100vw, ${drawnWidth(image, { width: 0, height: ROW_PIXELS })}px)`
}

/** The rendition to fall back on where a browser picks none: the first of these that exists. */
export function urlOf(sizes: Sizes | undefined, ...names: SizeName[]): string | undefined {
  for (const name of names) {
    const url = sizes?.[name]
    if (url !== undefined) return url
  }
  return undefined
}
