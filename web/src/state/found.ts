import type { Api } from '../api/client'
import { ApiError } from '../api/problem'
import type { AnalysisRecord, AnalysisResult } from '../api/types'

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
}

/** A kind of analysis that was not done, or failed, and why. */
export interface NotFound {
  kind: string
  reason: string
  failed: boolean
}

/** What is known of the contents of a photo. */
export interface Found {
  /** Something is still being looked for. */
  pending: boolean
  /** Things or text were looked for, found or not. */
  looked: boolean
  labels: readonly FoundLabel[]
  lines: readonly string[]
  missing: readonly NotFound[]
}

export const NOTHING_YET: Found = { pending: true, looked: false, labels: [], lines: [], missing: [] }

const LABEL = 'rekognition.label'
const TEXT = 'rekognition.text'

/** Kinds that a page shows something of, or tells why it does not, in words. */
const KIND_WORDS: Record<string, string> = {
  [LABEL]: 'Things',
  [TEXT]: 'Text',
  'rekognition.face': 'Faces',
  'rekognition.celeb': 'Known people',
  'rekognition.moderation': 'Unsafe content',
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

/** Labels of things that have boxes first, as sure as the server is; what they are a kind of says little on its own. */
export function labelsOf(result: AnalysisResult): FoundLabel[] {
  return (result.Labels ?? [])
    .filter(({ Instances }) => Instances.length > 0)
    .map(({ Name, Confidence, Instances }) => ({
      name: Name,
      confidence: Confidence,
      boxes: Instances.map(({ BoundingBox: { Left, Top, Width, Height } }) => ({ left: Left, top: Top, width: Width, height: Height })),
    }))
}

export function linesOf(result: AnalysisResult): string[] {
  return (result.TextDetections ?? []).filter(({ Type }) => Type === 'LINE').map(({ DetectedText }) => DetectedText)
}

export function missingOf(kinds: readonly Kind[]): NotFound[] {
  return kinds.flatMap(({ name, status, reason }) => {
    const kind = KIND_WORDS[name]
    const failed = status === 'ERROR'
    return kind !== undefined && (failed || status === 'SKIPPED') ? [{ kind, reason, failed }] : []
  })
}

/** Asks for a photo's record and for the results that there are. A photo that is not developed yet has no record. */
export async function findIn(api: Pick<Api, 'analysis' | 'analysisResult'>, id: string): Promise<Found> {
  const record = await api.analysis(id).catch((error) => {
    if (error instanceof ApiError && error.status === 404) return undefined
    throw error
  })
  if (record === undefined) return NOTHING_YET
  const kinds = kindsOf(record.data)
  const isDone = (name: string) => kinds.some((kind) => kind.name === name && kind.status === 'COMPLETED')
  const result = async (name: string): Promise<AnalysisResult> =>
    isDone(name) ? api.analysisResult(id, name) : {}
  const [labels, text] = await Promise.all([result(LABEL), result(TEXT)])
  return {
    pending: kinds.some(({ status }) => status === 'NOT_STARTED' || status === 'IN_PROGRESS'),
    looked: isDone(LABEL) || isDone(TEXT),
    labels: labelsOf(labels),
    lines: linesOf(text),
    missing: missingOf(kinds),
  }
}
