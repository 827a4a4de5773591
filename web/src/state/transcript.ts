/** A piece of what was said, with its time in seconds. */
export interface Segment {
  start: number
  end: number
  text: string
}

export interface Transcript {
  /** A language tag; empty when it is not known. */
  language: string
  segments: readonly Segment[]
}

/** As Amazon Transcribe writes it, as far as the page reads it. Times are texts there. */
interface Written {
  results?: {
    language_code?: unknown
    transcripts?: { transcript?: unknown }[]
    items?: Item[]
    audio_segments?: { transcript?: unknown; start_time?: unknown; end_time?: unknown }[]
  }
}

interface Item {
  type?: unknown
  start_time?: unknown
  end_time?: unknown
  alternatives?: { content?: unknown }[]
}

/** Of words without segments: a pause or a length after which another piece begins. */
const PAUSE_SECONDS = 1.5
const WORDS_MAX = 24
/** A piece stays the current one for so long after its end, so that nothing flickers between two. */
const LINGER_SECONDS = 0.6

function secondsOf(value: unknown): number | undefined {
  const seconds = typeof value === 'string' && value.trim() !== '' ? Number(value) : value
  return typeof seconds === 'number' && Number.isFinite(seconds) && seconds >= 0 ? seconds : undefined
}

const listOf = <T>(value: readonly T[] | undefined): readonly T[] => (Array.isArray(value) ? value : [])

/** Reads a transcript. Without segments they are made of the words, at pauses and at the ends of sentences. */
export function transcriptOf(written: object): Transcript {
  const { results } = written as Written
  const language = typeof results?.language_code === 'string' ? results.language_code : ''
  const segments = listOf(results?.audio_segments).flatMap((segment): Segment[] => {
    const start = secondsOf(segment?.start_time)
    const text = typeof segment?.transcript === 'string' ? segment.transcript.trim() : ''
    if (start === undefined || text === '') return []
    return [{ start, end: Math.max(start, secondsOf(segment.end_time) ?? start), text }]
  })
  const found = segments.length > 0 ? segments : segmentsOfWords(listOf(results?.items))
  return { language, segments: [...found].sort((a, b) => a.start - b.start) }
}

export function segmentsOfWords(items: readonly Item[]): Segment[] {
  const segments: Segment[] = []
  let words = 0
  let closed = true
  for (const item of items) {
    const content = item?.alternatives?.[0]?.content
    if (typeof content !== 'string' || content === '') continue
    const last = segments[segments.length - 1]
    if (item.type === 'punctuation') {
      if (!last) continue
      last.text += content
      closed = /[.?!。？！]/.test(content)
      continue
    }
    const start = secondsOf(item.start_time) ?? last?.end ?? 0
    const end = Math.max(start, secondsOf(item.end_time) ?? start)
    if (!last || closed || words >= WORDS_MAX || start - last.end > PAUSE_SECONDS) {
      segments.push({ start, end, text: content })
      words = 1
      closed = false
    } else {
      last.text += ` ${content}`
      last.end = end
      words += 1
    }
  }
  return segments
}

/** Which of the segments, which are in order, is said at a moment; -1 when none is. */
export function segmentAt(segments: readonly Segment[], seconds: number): number {
  let low = 0
  let high = segments.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((segments[middle]?.start ?? Infinity) <= seconds) low = middle + 1
    else high = middle
  }
  const segment = segments[low - 1]
  return segment !== undefined && seconds <= segment.end + LINGER_SECONDS ? low - 1 : -1
}

/** Those in which all words of a question occur, in whatever case. */
export function segmentsWith(segments: readonly Segment[], question: string): readonly Segment[] {
  const words = question.toLocaleLowerCase().split(/\s+/).filter((word) => word !== '')
  if (words.length === 0) return segments
  return segments.filter(({ text }) => {
    const said = text.toLocaleLowerCase()
    return words.every((word) => said.includes(word))
  })
}

/** The name of a language, in the reader's; the tag itself where that is not known. */
export function languageName(tag: string): string {
  try {
    return new Intl.DisplayNames(undefined, { type: 'language' }).of(tag) ?? tag
  } catch {
    return tag
  }
}
