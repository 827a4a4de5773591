import type { AssetType, Image, Sizes } from '../api/types'
import { urlOf } from './pictures'

/** What tiles and viewers ask of an asset: one of the library, of the trash, or of what others share. */
export interface Asset {
  assetType?: AssetType
  duration?: number
  pages?: number
  width?: number
  height?: number
  sizes?: Sizes
  originalFilename?: string
  mimeType?: string
  processingStatus?: Image['processingStatus']
  processingWarning?: Image['processingWarning']
}

/** Whoever shares something may leave out what it is; the first servers knew photos alone. */
export function typeOf({ assetType }: Asset): AssetType {
  return assetType ?? 'IMAGE'
}

export function isPlayable(asset: Asset): boolean {
  return typeOf(asset) === 'VIDEO' || typeOf(asset) === 'AUDIO'
}

/** Whether there is a picture to show: the asset itself, a frame, a cover, or a first page. */
export function hasPicture({ width, sizes }: Asset): boolean {
  return width !== 0 && urlOf(sizes, 'LARGE', 'MEDIUM', 'SMALL', 'THUMB') !== undefined
}

/** Crops and rotations are for pictures, and not for those that stand for something else. */
export function isEditable(asset: Asset): boolean {
  return typeOf(asset) === 'IMAGE' && asset.processingStatus === 'completed' && hasPicture(asset)
}

/** A drawn sound is as wide as a film; the waveform below a player says the same. */
const DRAWN_RATIO_MIN = 1.6

/** Whether the picture of a sound is its cover. */
export function hasCover(asset: Asset): boolean {
  const { width, height } = asset
  return hasPicture(asset) && width !== undefined && height !== undefined && width < height * DRAWN_RATIO_MIN
}

export type Playback = 'ready' | 'preparing' | 'never'

/** Warnings that say that there will be nothing to play. */
const NEVER_PLAYS: ReadonlySet<string> = new Set(['unplayable', 'no-preview'])

/** Whether a video or a sound can be played; undefined of everything else. */
export function playbackOf(asset: Asset): Playback | undefined {
  if (!isPlayable(asset)) return undefined
  if (asset.sizes?.PROXY !== undefined) return 'ready'
  const never = asset.processingStatus === 'failed' || NEVER_PLAYS.has(asset.processingWarning?.code ?? '')
  return never ? 'never' : 'preparing'
}

/** Whether the server is through with it: it is developed, and what can be played can be. */
export function isSettled(image: Image): boolean {
  if (image.processingStatus === 'failed') return true
  return image.processingStatus === 'completed' && playbackOf(image) !== 'preparing'
}

/** Seconds as players say them: 0:07, 12:30, 1:02:03. */
export function durationText(seconds: number): string {
  // A sound of a third of a second is no sound of none.
  const whole = Number.isFinite(seconds) && seconds > 0 ? Math.max(1, Math.round(seconds)) : 0
  return clockText(whole)
}

/** A moment as players say it: the second that has begun. */
export function timeText(seconds: number): string {
  return clockText(Number.isFinite(seconds) && seconds > 0 ? Math.floor(seconds) : 0)
}

function clockText(whole: number): string {
  const two = (value: number) => String(value).padStart(2, '0')
  const [hours, minutes, rest] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60, whole % 60]
  return hours > 0 ? `${hours}:${two(minutes)}:${two(rest)}` : `${minutes}:${two(rest)}`
}

export type BadgeIcon = 'play' | 'sound' | 'document'

/** What a tile says of an asset that is no picture. */
export interface Badge {
  icon: BadgeIcon
  /** Beside the icon; may be empty. */
  text: string
  /** For those who do not see it. */
  words: string
}

const BADGES: Record<Exclude<AssetType, 'IMAGE'>, [BadgeIcon, string]> = {
  VIDEO: ['play', 'Video'], AUDIO: ['sound', 'Sound'], DOCUMENT: ['document', 'Document'],
}

export function badgeOf(asset: Asset): Badge | undefined {
  const type = typeOf(asset)
  if (type === 'IMAGE') return undefined
  const [icon, name] = BADGES[type]
  if (type === 'DOCUMENT') {
    const { pages } = asset
    if (pages === undefined || pages === 0) return { icon, text: '', words: name }
    return { icon, text: String(pages), words: `${name}, ${pages === 1 ? '1 page' : `${pages} pages`}` }
  }
  const text = asset.duration === undefined ? '' : durationText(asset.duration)
  return { icon, text, words: text === '' ? name : `${name}, ${text}` }
}

/** What people call it. */
export function nounOf(asset: Asset): string {
  const type = typeOf(asset)
  if (type === 'DOCUMENT') return asset.pages ? 'document' : 'file'
  return { IMAGE: 'photo', VIDEO: 'video', AUDIO: 'sound' }[type]
}

/** PDF, ZIP: the end of a file's name where it has a short one, else what its type says. */
export function formatOf({ originalFilename = '', mimeType = '' }: Asset): string {
  const ending = /\.([A-Za-z0-9]{1,6})$/.exec(originalFilename)?.[1] ?? /^[a-z]+\/(?:x-)?([a-z0-9]{1,6})$/.exec(mimeType)?.[1]
  return ending?.toUpperCase() ?? 'File'
}

const SHOWN_BY_BROWSERS: ReadonlySet<string> = new Set(['application/pdf', 'text/plain'])

/** Whether a browser shows the original by itself, and does not only save it. */
export function opensInBrowser({ mimeType = '' }: Asset): boolean {
  return SHOWN_BY_BROWSERS.has(mimeType.split(';')[0]?.trim().toLowerCase() ?? '')
}

/** Of longer documents the server has no pictures of the pages behind these. */
const PAGES_WITH_PICTURES = 100

/** How many pages of a document can be turned. */
export const pagesToTurn = (pages: number | undefined): number => Math.min(pages ?? 1, PAGES_WITH_PICTURES)

/** Whether browsers show it moving, from the file itself: renditions are of its first picture, as edits are. */
export const isAnimated = ({ mimeType = '', pages = 1, sizes }: Asset): boolean =>
  pages > 1 && ['image/gif', 'image/webp', 'image/png', 'image/avif'].includes(mimeType) && sizes?.ORIGINAL !== undefined && sizes.FULL === undefined
