import type { Api } from '../api/client'
import { ApiError } from '../api/problem'
import type { AnalysisRecord, AnalysisResult, AssetType, Image } from '../api/types'
import { typeOf } from './assets'
import { transcriptOf, type Transcript } from './transcript'

/** A rectangle in parts of the picture's width and height. */
export interface Box {
  left: number
  top: number
  width: number
  height: number
}

export interface FoundLabel {
  name: string
  /** In percent. */
  confidence: number
  boxes: readonly Box[]
  /** The seconds at which it comes into a video; none of a picture. */
  times: readonly number[]
}

export interface FoundLine {
  text: string
  /** The seconds at which it comes into a video; none of a picture. */
  times: readonly number[]
}

/** What somebody may not want to see. */
export interface FoundWarning {
  name: string
  /** In percent. */
  confidence: number
  times: readonly number[]
}

export interface FoundEntities {
  /** What they are, in the plural. */
  type: string
  names: readonly string[]
}

export interface FoundSentiment {
  /** As one says it: positive, negative, neutral, mixed. */
  feeling: string
  /** In percent, where it is told. */
  share: number | undefined
  /** How it was found. */
  method: string
}

/** A kind of analysis that was not done, or failed, and why. */
export interface NotFound {
  kind: string
  reason: string
  failed: boolean
}

/** What is known of the contents of an asset. */
export interface Found {
  /** Something is still being looked for. */
  pending: boolean
  /** Something was looked for, found or not. */
  looked: boolean
  labels: readonly FoundLabel[]
  lines: readonly FoundLine[]
  warnings: readonly FoundWarning[]
  transcript: Transcript | undefined
  phrases: readonly string[]
  entities: readonly FoundEntities[]
  sentiment: FoundSentiment | undefined
  missing: readonly NotFound[]
}

const NOTHING = {
  labels: [], lines: [], warnings: [], transcript: undefined, phrases: [], entities: [], sentiment: undefined, missing: [],
} satisfies Partial<Found>

export const NOTHING_YET: Found = { pending: true, looked: false, ...NOTHING }

const LABEL = 'rekognition.label'
const TEXT = 'rekognition.text'
const MODERATION = 'rekognition.moderation'
const SPEECH = 'transcribe'
const PHRASES = 'comprehend.keyphrase'
const ENTITIES = 'comprehend.entity'
const SENTIMENT = 'comprehend.sentiment'

interface KnownKind {
  words: string
  /** What has it. The record says of the others that they have none, which is nothing to tell anybody. */
  of: readonly AssetType[]
}

const SEEN: readonly AssetType[] = ['IMAGE', 'VIDEO']
const READ: readonly AssetType[] = ['VIDEO', 'AUDIO', 'DOCUMENT']

/** Kinds that a page shows something of, or tells why it does not, in words. */
const KINDS: Record<string, KnownKind> = {
  [LABEL]: { words: 'Things', of: SEEN },
  [TEXT]: { words: 'Text', of: SEEN },
  'rekognition.face': { words: 'Faces', of: SEEN },
  'rekognition.celeb': { words: 'Known people', of: SEEN },
  [MODERATION]: { words: 'Unsafe content', of: SEEN },
  [SPEECH]: { words: 'Speech', of: ['VIDEO', 'AUDIO'] },
  [PHRASES]: { words: 'Key phrases', of: READ },
  [ENTITIES]: { words: 'Names and dates', of: READ },
  [SENTIMENT]: { words: 'Mood', of: READ },
}

interface Kind {
  name: string
  status: string
  reason: string
}

/** The kinds in a record, each by its name: those of a service stand below that. */
export function kindsOf(data: AnalysisRecord['data']): Kind[] {
  const kinds: Kind[] = []
  const visit = (value: unknown, path: readonly string[]) => {
    if (typeof value !== 'object' || value === null) return
    const { status, reason } = value as { status?: unknown; reason?: unknown }
    if (typeof status === 'string') {
      kinds.push({ name: path.join('.'), status, reason: typeof reason === 'string' ? reason : '' })
    } else if (path.length < 2) {
      for (const [name, part] of Object.entries(value)) visit(part, [...path, name])
    }
  }
  visit(data, [])
  return kinds
}

/** What a result holds under a name. Of a video each entry has its time, in milliseconds, and what was found below `inner`. */
interface Entry<T> {
  what: T
  time: number | undefined
}

function entriesOf<T>(result: object, name: string, inner: string): Entry<T>[] {
  const list: unknown = Reflect.get(result, name)
  if (!Array.isArray(list)) return []
  return list.flatMap((entry: unknown): Entry<T>[] => {
    if (typeof entry !== 'object' || entry === null) return []
    const what: unknown = Reflect.get(entry, inner)
    if (typeof what !== 'object' || what === null) return [{ what: entry as T, time: undefined }]
    const time: unknown = Reflect.get(entry, 'Timestamp')
    return [{ what: what as T, time: typeof time === 'number' && time >= 0 ? time / 1000 : undefined }]
  })
}

/** The moments at which something begins, by all at which it was seen: not those that follow such a one at once, in the order
 * of all that were looked at. */
export function beginnings(times: readonly number[], looked: readonly number[]): number[] {
  const seen = new Set(times)
  return looked.filter((time, at) => seen.has(time) && (at === 0 || !seen.has(looked[at - 1] ?? -1)))
}

/** What belongs together, each with the moments at which it begins, in the order in which it comes. */
function grouped<T>(entries: readonly Entry<T>[], nameOf: (what: T) => string): { key: string; all: T[]; times: number[] }[] {
  const looked = [...new Set(entries.flatMap(({ time }) => (time === undefined ? [] : [time])))].sort((a, b) => a - b)
  const groups = new Map<string, { key: string; all: T[]; times: number[] }>()
  for (const { what, time } of entries) {
    const key = nameOf(what)
    const group = groups.get(key) ?? { key, all: [], times: [] }
    group.all.push(what)
    if (time !== undefined) group.times.push(time)
    groups.set(key, group)
  }
  return [...groups.values()].map((group) => ({ ...group, times: beginnings(group.times, looked) }))
}

type Label = Exclude<NonNullable<AnalysisResult['Labels']>[number], { Timestamp: number }>
type TextDetection = Exclude<NonNullable<AnalysisResult['TextDetections']>[number], { Timestamp: number }>

/** Labels of things that have boxes first, as sure as the server is; what they are a kind of says little on its own. */
export function labelsOf(result: AnalysisResult): FoundLabel[] {
  const entries = entriesOf<Label>(result, 'Labels', 'Label').filter(({ what }) => (what.Instances?.length ?? 0) > 0)
  return grouped(entries, ({ Name }) => Name).map(({ key, all, times }) => ({
    name: key,
    confidence: Math.max(...all.map(({ Confidence }) => Confidence)),
    // In a video things move: an outline would be of one moment.
    boxes: times.length > 0 ? [] : all.flatMap(({ Instances }) => Instances.map(({ BoundingBox: { Left, Top, Width, Height } }) =>
      ({ left: Left, top: Top, width: Width, height: Height }))),
    times,
  }))
}

export function linesOf(result: AnalysisResult): FoundLine[] {
  const entries = entriesOf<TextDetection>(result, 'TextDetections', 'TextDetection').filter(({ what }) => what.Type === 'LINE')
  // A picture may say the same twice; a film says it in every frame.
  if (entries.every(({ time }) => time === undefined)) return entries.map(({ what }) => ({ text: what.DetectedText, times: [] }))
  return grouped(entries, ({ DetectedText }) => DetectedText.trim().toLocaleLowerCase())
    .map(({ all, times }) => ({ text: all[0]?.DetectedText ?? '', times }))
}

interface ModerationLabel {
  Name?: string
  Confidence?: number
  ParentName?: string
}

/** The most certain first. What another one is a kind of says less than that one. */
export function warningsOf(result: object): FoundWarning[] {
  const entries = entriesOf<ModerationLabel>(result, 'ModerationLabels', 'ModerationLabel')
    .filter(({ what }) => typeof what.Name === 'string' && what.Name !== '')
  const parents = new Set(entries.map(({ what }) => what.ParentName ?? ''))
  return grouped(entries.filter(({ what }) => !parents.has(what.Name ?? '')), ({ Name = '' }) => Name)
    .map(({ key, all, times }) => ({ name: key, confidence: Math.max(...all.map(({ Confidence = 0 }) => Confidence)), times }))
    .sort((a, b) => b.confidence - a.confidence)
}

/** A text says much; a panel, what it says most of all. */
const PHRASES_MAX = 20
const NAMES_MAX = 24

function unique(texts: readonly string[]): string[] {
  const seen = new Map<string, string>()
  for (const text of texts) {
    const key = text.trim().toLocaleLowerCase()
    if (key !== '' && !seen.has(key)) seen.set(key, text.trim())
  }
  return [...seen.values()]
}

interface Scored {
  Text?: unknown
  Score?: unknown
  Type?: unknown
}

function scored(result: object, name: string): { text: string; type: string }[] {
  return entriesOf<Scored>(result, name, '')
    .flatMap(({ what: { Text, Score, Type } }) => (typeof Text === 'string'
      ? [{ text: Text, type: typeof Type === 'string' ? Type : '', score: typeof Score === 'number' ? Score : 0 }] : []))
    .sort((a, b) => b.score - a.score)
}

export function phrasesOf(result: object): string[] {
  return unique(scored(result, 'KeyPhrases').map(({ text }) => text)).slice(0, PHRASES_MAX)
}

/** Comprehend's types, in the order in which they are shown. */
const ENTITY_WORDS: readonly (readonly [string, string])[] = [
  ['PERSON', 'People'], ['LOCATION', 'Places'], ['ORGANIZATION', 'Organizations'], ['EVENT', 'Events'], ['DATE', 'Dates'],
  ['TITLE', 'Titles'], ['COMMERCIAL_ITEM', 'Products'], ['QUANTITY', 'Numbers'],
]

export function entitiesOf(result: object): FoundEntities[] {
  const all = scored(result, 'Entities')
  const known = new Set(ENTITY_WORDS.map(([type]) => type))
  const groups = [
    ...ENTITY_WORDS.map(([type, words]) => ({ type: words, of: all.filter((entity) => entity.type === type) })),
    { type: 'Other', of: all.filter(({ type }) => !known.has(type)) },
  ]
  return groups.map(({ type, of }) => ({ type, names: unique(of.map(({ text }) => text)).slice(0, NAMES_MAX) }))
    .filter(({ names }) => names.length > 0)
}

const FEELINGS: Record<string, string> = { POSITIVE: 'Positive', NEGATIVE: 'Negative', NEUTRAL: 'Neutral', MIXED: 'Mixed' }

export function sentimentOf(result: object): FoundSentiment | undefined {
  const { Sentiment, SentimentScore, Method } = result as { Sentiment?: unknown; SentimentScore?: unknown; Method?: unknown }
  const feeling = typeof Sentiment === 'string' ? FEELINGS[Sentiment] : undefined
  if (feeling === undefined) return undefined
  const share: unknown = typeof SentimentScore === 'object' && SentimentScore !== null ? Reflect.get(SentimentScore, feeling) : undefined
  return {
    feeling,
    share: typeof share === 'number' && share >= 0 && share <= 1 ? Math.round(share * 100) : undefined,
    method: typeof Method === 'string' ? Method : '',
  }
}

export function missingOf(kinds: readonly Kind[], type: AssetType): NotFound[] {
  return kinds.flatMap(({ name, status, reason }) => {
    const kind = KINDS[name]
    const failed = status === 'ERROR'
    return kind?.of.includes(type) && (failed || status === 'SKIPPED') ? [{ kind: kind.words, reason, failed }] : []
  })
}

/** What one kind lacks is no reason to show nothing of the others. */
function withoutMissing(error: unknown): AnalysisResult {
  if (error instanceof ApiError && error.status === 404) return {}
  throw error
}

/** Asks for a record and for the results that there are. What is not developed yet has no record. */
export async function findIn(
  api: Pick<Api, 'analysis' | 'analysisResult'>, image: Pick<Image, 'id' | 'assetType'>,
): Promise<Found> {
  const record = await api.analysis(image.id).catch((error) => {
    if (error instanceof ApiError && error.status === 404) return undefined
    throw error
  })
  if (record === undefined) return NOTHING_YET
  const type = typeOf(image)
  const kinds = kindsOf(record.data)
  const isDone = (name: string) => kinds.some((kind) => kind.name === name && kind.status === 'COMPLETED')
  const result = async (name: string): Promise<AnalysisResult> =>
    isDone(name) ? api.analysisResult(image.id, name).catch(withoutMissing) : {}
  const [labels, text, moderation, speech, phrases, entities, sentiment] = await Promise.all([
    result(LABEL), result(TEXT), result(MODERATION), result(SPEECH), result(PHRASES), result(ENTITIES), result(SENTIMENT),
  ])
  return {
    pending: kinds.some(({ status }) => status === 'NOT_STARTED' || status === 'IN_PROGRESS'),
    looked: Object.keys(KINDS).some(isDone),
    labels: labelsOf(labels),
    lines: linesOf(text),
    warnings: warningsOf(moderation),
    transcript: isDone(SPEECH) ? transcriptOf(speech) : undefined,
    phrases: phrasesOf(phrases),
    entities: entitiesOf(entities),
    sentiment: sentimentOf(sentiment),
    missing: missingOf(kinds, type),
  }
}
