import { describe, expect, it } from 'vitest'
import { languageName, segmentAt, segmentsOfWords, segmentsWith, transcriptOf } from './transcript'

const word = (content: string, start: number, end = start + 0.4) =>
  ({ type: 'pronunciation', start_time: String(start), end_time: String(end), alternatives: [{ content, confidence: '0.9' }] })
const mark = (content: string) => ({ type: 'punctuation', alternatives: [{ content, confidence: '0.0' }] })

describe('transcriptOf', () => {
  it('reads segments and the language, in order', () => {
    const { language, segments } = transcriptOf({
      jobName: '1', status: 'COMPLETED',
      results: {
        language_code: 'de', transcripts: [{ transcript: 'Eins. Zwei.' }],
        items: [word('Eins', 0)],
        audio_segments: [
          { id: 1, transcript: ' Zwei. ', start_time: '2.5', end_time: '3.75' },
          { id: 0, transcript: 'Eins.', start_time: '0.0', end_time: '1.2' },
        ],
      },
    })
    expect(language).toBe('de')
    expect(segments).toEqual([{ start: 0, end: 1.2, text: 'Eins.' }, { start: 2.5, end: 3.75, text: 'Zwei.' }])
  })

  // Whatever the file holds, the page shows what makes sense of it.
  it('passes over what makes no sense', () => {
    for (const written of [{}, { results: null }, { results: {} }, { results: { items: 'none', audio_segments: 5 } }]) {
      expect(transcriptOf(written)).toEqual({ language: '', segments: [] })
    }
    const strange = { results: { audio_segments: [null, { transcript: 7, start_time: '1' }, { transcript: 'x', start_time: 'soon' },
      { transcript: 'y', start_time: '', end_time: '1' }, { transcript: 'kept', start_time: 4, end_time: '1' }] } }
    expect(transcriptOf(strange).segments).toEqual([{ start: 4, end: 4, text: 'kept' }])
  })

  it('makes segments of words where there are none', () => {
    expect(transcriptOf({ results: { items: [word('Hello', 1), mark('.'), word('You', 2)], audio_segments: [] } }).segments)
      .toEqual([{ start: 1, end: 1.4, text: 'Hello.' }, { start: 2, end: 2.4, text: 'You' }])
  })
})

describe('segmentsOfWords', () => {
  // A comma goes on, a full stop and a pause do not.
  it('breaks at ends of sentences and at pauses', () => {
    expect(segmentsOfWords([word('One', 0), mark(','), word('two', 0.5), mark('!'), word('Three', 1), word('four', 5)]).map(({ text }) => text))
      .toEqual(['One, two!', 'Three', 'four'])
  })

  it('breaks what never ends', () => {
    const endless = segmentsOfWords(Array.from({ length: 60 }, (_, n) => word(`w${n}`, n * 0.5)))
    expect(endless).toHaveLength(3)
    expect(endless[1]?.start).toBe(12)
  })

  it('passes over marks before any word, and words without any text', () =>
    expect(segmentsOfWords([mark('.'), { type: 'pronunciation' }, word('', 1)])).toEqual([]))
})

describe('segmentAt', () => {
  const segments = [{ start: 1, end: 2, text: 'a' }, { start: 2, end: 3, text: 'b' }, { start: 10, end: 11, text: 'c' }]
  it.each([[0, -1], [1, 0], [1.9, 0], [2, 1], [3.5, 1], [5, -1], [10, 2], [11.5, 2], [12, -1], [NaN, -1]])(
    'at %d seconds says %d', (seconds, at) => expect(segmentAt(segments, seconds)).toBe(at))
  it('says none of none', () => expect(segmentAt([], 1)).toBe(-1))
})

it('finds what was said, by all of its words', () => {
  const segments = ['The boat to Lindau', 'A boat', 'Lindau'].map((text, start) => ({ start, end: start, text }))
  expect(segmentsWith(segments, ' BOAT  lind').map(({ start }) => start)).toEqual([0])
  expect(segmentsWith(segments, '  ')).toBe(segments)
  expect(segmentsWith(segments, 'train')).toEqual([])
})

it('names a language, or its tag', () => {
  expect(languageName('de')).toMatch(/German|Deutsch/)
  expect(languageName('not a tag!')).toBe('not a tag!')
})
