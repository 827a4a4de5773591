import type { Exif, FeedImage, Image } from '../api/types'
import { nounOf, typeOf, type Asset } from '../state/assets'
import type { IconName } from './icons'

/** What a photo is called: its title, or else its file's name. */
export function captionOf(image: Image): string {
  return image.title ?? image.originalFilename
}

/** What a photo shows, for those who cannot see it. */
export function namedBy(image: Image): string {
  return image.altText ?? captionOf(image)
}

/** What something shows that somebody else has shared, whose file's name nobody else knows. */
export function sharedName({ altText, title, ...asset }: FeedImage): string {
  return altText ?? title ?? `A shared ${nounOf(asset)}`
}

/** What happens to it before it can be shown: photos are developed. */
export function waitingWords(asset: Asset): string {
  return typeOf(asset) === 'IMAGE' ? 'Developing' : 'Getting ready'
}

/** What a tile says of something that is not as it should be; nothing of a file that just has no picture. */
export function warningWords(code: string | undefined): string {
  if (code === undefined || code === 'no-preview') return ''
  return code === 'unplayable' ? 'Cannot be played' : 'Incomplete'
}

/** Stands for a file without a picture. */
export function fileIcon(asset: Asset): IconName {
  const type = typeOf(asset)
  if (type !== 'DOCUMENT') return ({ IMAGE: 'photo', VIDEO: 'film', AUDIO: 'sound' } as const)[type]
  return asset.pages || (asset.mimeType ?? '').startsWith('text/') ? 'document' : 'file'
}

const DATE = new Intl.DateTimeFormat(undefined, { dateStyle: 'long', timeStyle: 'short' })

export function dateWords(iso: string): string {
  const date = new Date(iso)
  return Number.isNaN(date.getTime()) ? iso : DATE.format(date)
}

const DAY = new Intl.DateTimeFormat(undefined, { dateStyle: 'long' })

export function dayWords(iso: string): string {
  const date = new Date(iso)
  return Number.isNaN(date.getTime()) ? iso : DAY.format(date)
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

const TAKEN = new Intl.DateTimeFormat(undefined, { dateStyle: 'full', timeStyle: 'short', timeZone: 'UTC' })

/** When a photo was taken, by the clock of the place: whoever looks at it elsewhere sees the same hour. */
export function takenWords(iso: string): { when: string; offset?: string } {
  const [, clock, offset] = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)([+-]\d\d:\d\d|Z)?$/.exec(iso) ?? []
  const date = new Date(`${clock}Z`)
  if (clock === undefined || Number.isNaN(date.getTime())) return { when: iso }
  const when = TAKEN.format(date)
  return offset === undefined ? { when } : { when, offset: offset === 'Z' ? 'UTC' : `UTC${offset.replace('-', '−')}` }
}

/** Seconds, as the camera wrote them: 1/250 s, 2.5 s. */
export function shutterWords(seconds: string): string {
  return `${seconds} s`
}

/** f/2.8, f/2.0, f/16. */
export function apertureWords(aperture: number): string {
  return `f/${aperture < 9.95 ? aperture.toFixed(1) : Math.round(aperture)}`
}

export function focalLengthWords(millimetres: number): string {
  return `${Math.round(millimetres * 10) / 10} mm`
}

export function isoWords(iso: number): string {
  return `ISO ${iso}`
}

/** Degrees with the half of the globe, to some ten metres; and how high. */
export function placeWords({ latitude, longitude, altitude }: NonNullable<Exif['gps']>): { position: string; altitude?: string } {
  const degrees = (value: number, positive: string, negative: string) =>
    `${Math.abs(value).toFixed(4)}° ${value < 0 ? negative : positive}`
  const position = `${degrees(latitude, 'N', 'S')}, ${degrees(longitude, 'E', 'W')}`
  if (altitude === undefined) return { position }
  return { position, altitude: `${Math.abs(Math.round(altitude))} m ${altitude <= -0.5 ? 'below' : 'above'} the sea` }
}
