import type { ApiKey, Invitation, ManagedAccount, Scope } from '../api/types'
import { byteWords, countWords, dayWords } from './words'

/** One or two letters that stand for a person: of the first and the last word of the name. */
export function initialsOf(name: string): string {
  const words = name.split(/[\s._-]+/).filter((word) => word !== '')
  const letters = [words[0], words.length > 1 ? words[words.length - 1] : undefined].map((word) => [...(word ?? '')][0] ?? '')
  return letters.join('').toLocaleUpperCase()
}

// The first that fits: most browsers name others beside themselves.
const BROWSERS: readonly [RegExp, string][] = [
  [/\bEdgA?\//, 'Edge'], [/\bOPR\//, 'Opera'], [/\bSamsungBrowser\//, 'Samsung Internet'], [/\bVivaldi\//, 'Vivaldi'],
  [/\b(Firefox|FxiOS)\//, 'Firefox'], [/\b(HeadlessChrome|Chromium|Chrome|CriOS)\//, 'Chrome'], [/\bVersion\/[\d.]+.*\bSafari\//, 'Safari'],
]
const SYSTEMS: readonly [RegExp, string][] = [
  [/\biPhone\b/, 'iPhone'], [/\biPad\b/, 'iPad'], [/\bAndroid\b/, 'Android'], [/\bWindows\b/, 'Windows'], [/\bCrOS\b/, 'ChromeOS'],
  [/\bMac OS X\b|\bMacintosh\b/, 'Mac'], [/\bLinux\b/, 'Linux'],
]

export interface Device {
  name: string
  kind: 'phone' | 'computer' | 'program'
}

/** What a session is used with, by how it introduced itself: Firefox on Linux. */
export function deviceOf(userAgent: string): Device {
  const find = (list: readonly [RegExp, string][]) => list.find(([pattern]) => pattern.test(userAgent))?.[1]
  const browser = find(BROWSERS)
  const system = find(SYSTEMS)
  // A program's name stands before the first slash.
  if (browser === undefined) return { name: userAgent.split('/')[0]?.trim() || 'An unknown device', kind: 'program' }
  const kind = system === 'iPhone' || system === 'iPad' || system === 'Android' ? 'phone' : 'computer'
  return { name: system === undefined ? browser : `${browser} on ${system}`, kind }
}

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

/** How long ago something was, then the day that it was on. */
export function agoWords(iso: string, now: number): string {
  const ago = now - Date.parse(iso)
  if (ago < 2 * MINUTE) return 'just now'
  if (ago < HOUR) return `${Math.floor(ago / MINUTE)} minutes ago`
  if (ago < DAY) return `${countWords(Math.floor(ago / HOUR), 'hour', 'hours')} ago`
  return `on ${dayWords(iso)}`
}

/** When a key was last used, which is known to the hour. */
export function keyUseWords({ lastUsedAt }: Pick<ApiKey, 'lastUsedAt'>, now: number): string {
  if (lastUsedAt === null) return 'never used'
  return now - Date.parse(lastUsedAt) < HOUR ? 'used in the last hour' : `used ${agoWords(lastUsedAt, now)}`
}

export function keyEndWords({ expiresAt }: Pick<ApiKey, 'expiresAt'>, now: number): string {
  if (expiresAt === null) return 'no end'
  return `${Date.parse(expiresAt) <= now ? 'ended' : 'ends'} on ${dayWords(expiresAt)}`
}

/** What a key may do, in the words of the API, and what that means. */
export const SCOPES: readonly { scope: Scope; label: string; meaning: string }[] = [
  { scope: 'read', label: 'Read', meaning: 'look at photos, at what others share, and at jobs' },
  { scope: 'upload', label: 'Upload', meaning: 'add photos' },
  { scope: 'edit', label: 'Edit', meaning: 'change, share and restore photos' },
  { scope: 'delete', label: 'Delete', meaning: 'move photos to the trash, and empty it' },
  { scope: 'administer', label: 'Administer', meaning: 'do what administrators do' },
]

/** Can read, upload and delete. */
export function scopeWords(scopes: readonly Scope[]): string {
  const names = SCOPES.filter(({ scope }) => scopes.includes(scope)).map(({ scope }) => scope)
  const last = names.pop() ?? 'nothing'
  return `Can ${names.length === 0 ? '' : `${names.join(', ')} and `}${last}`
}

export function roleWords({ administrator }: Pick<ManagedAccount | Invitation, 'administrator'>): string {
  return administrator ? 'Administrator' : 'Member'
}

export const STATE_WORDS: Record<ManagedAccount['state'], string> = { active: 'Active', disabled: 'Disabled', deleting: 'Being deleted' }

/** Who an account is that is known by its id, as far as names were found out (AccountNames). */
export function accountWords(names: ReadonlyMap<string, string | null>, id: string): string {
  const name = names.get(id)
  return name === undefined ? '…' : name ?? 'a deleted account'
}

const NUMBER = new Intl.NumberFormat('en')

/** How much is stored, and of how much that may be. */
export function storageWords({ usedBytes, quotaBytes }: Pick<ManagedAccount, 'usedBytes' | 'quotaBytes'>): string {
  return quotaBytes === null ? byteWords(usedBytes) : `${byteWords(usedBytes)} of ${byteWords(quotaBytes)}`
}

export function limitWords(limit: number | null): string {
  return limit === null ? 'No limit' : NUMBER.format(limit)
}
