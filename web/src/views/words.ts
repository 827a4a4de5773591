import type { Image } from '../api/types'

/** What a photo is called: its title, or else its file's name. */
export function captionOf(image: Image): string {
  return image.title ?? image.originalFilename
}

/** What a photo shows, for those who cannot see it. */
export function namedBy(image: Image): string {
  return image.altText ?? captionOf(image)
}

const DATE = new Intl.DateTimeFormat(undefined, { dateStyle: 'long', timeStyle: 'short' })

export function dateWords(iso: string): string {
  const date = new Date(iso)
  return Number.isNaN(date.getTime()) ? iso : DATE.format(date)
}

/** Bytes as people say them: 640 KB, 2.4 MB. */
export function byteWords(bytes: number): string {
  if (bytes < 1000) return countWords(bytes, 'byte', 'bytes')
  const units = ['KB', 'MB', 'GB', 'TB']
  let value = bytes / 1000
  let unit = 0
  while (value >= 999.5 && unit < units.length - 1) {
    value /= 1000
    ++unit
  }
  return `${value < 9.95 ? value.toFixed(1) : Math.round(value)} ${units[unit]}`
}

export function countWords(count: number, one: string, many: string): string {
  return `${count} ${count === 1 ? one : many}`
}
