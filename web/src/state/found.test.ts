import { describe, expect, it } from 'vitest'
import { ApiError } from '../api/problem'
import type { AnalysisRecord } from '../api/types'
import {
  beginnings, entitiesOf, findIn, kindsOf, labelsOf, linesOf, missingOf, NOTHING_YET, phrasesOf, sentimentOf, warningsOf,
} from './found'

const DATA = {
  rekognition: {
    label: { status: 'COMPLETED', output: 's3://images/1/rekognition/label.json' },
    text: { status: 'IN_PROGRESS' },
    face: { status: 'SKIPPED', reason: 'No model.' },
  },
  transcribe: { status: 'SKIPPED', reason: 'An image has none.' },
  image: { properties: { status: 'COMPLETED' } },
} as AnalysisRecord['data']

const record = (data: AnalysisRecord['data']) => ({ data }) as AnalysisRecord
const BOX = { Left: 0.25, Top: 0.5, Width: 0.5, Height: 0.25 }
const RESULT = {
  Labels: [
    { Name: 'Dog', Confidence: 91, Instances: [{ BoundingBox: BOX, Confidence: 91 }], Parents: [{ Name: 'Animal' }] },
    { Name: 'Animal', Confidence: 91, Instances: [], Parents: [] },
  ],
}

const PHOTO = { id: '1', assetType: 'IMAGE' } as const
const VIDEO = { id: '1', assetType: 'VIDEO' } as const

describe('what was found in a photo', () => {
  it('names kinds by their place in the record', () => {
    expect(kindsOf(DATA).map(({ name }) => name)).toEqual(
      ['rekognition.label', 'rekognition.text', 'rekognition.face', 'transcribe', 'image.properties'])
  })

  it('asks for results that are there, and goes on asking while something is looked for', async () => {
    const asked: string[] = []
    const found = await findIn({
      analysis: async () => record(DATA),
      analysisResult: async (_id, kind) => {
        asked.push(kind)
        return RESULT
      },
    }, PHOTO)
    expect(asked).toEqual(['rekognition.label'])
    expect(found.pending).toBe(true)
    expect(found.labels).toEqual([{ name: 'Dog', confidence: 91, boxes: [{ left: 0.25, top: 0.5, width: 0.5, height: 0.25 }], times: [] }])
    expect(found.missing).toEqual([{ kind: 'Faces', reason: 'No model.', failed: false }])
  })

  it('takes lines of text, not their words', async () => {
    const text = {
      TextDetections: [
        { DetectedText: 'Open daily', Type: 'LINE' as const, Id: 0, Confidence: 99, Geometry: { BoundingBox: BOX, Polygon: [] } },
        { DetectedText: 'Open', Type: 'WORD' as const, Id: 1, ParentId: 0, Confidence: 99, Geometry: { BoundingBox: BOX, Polygon: [] } },
      ],
    }
    const found = await findIn({
      analysis: async () => record({ rekognition: { text: { status: 'COMPLETED' }, label: { status: 'ERROR', reason: 'It broke.' } } }),
      analysisResult: async () => text,
    }, PHOTO)
    expect(found).toEqual({ ...NOTHING_YET, pending: false, looked: true, lines: [{ text: 'Open daily', times: [] }], missing: [{ kind: 'Things', reason: 'It broke.', failed: true }] })
  })

  it('waits for a photo that is not developed yet, and tells of other failures', async () => {
    const failing = (status: number) => ({
      analysis: () => Promise.reject(new ApiError({ status, code: 'X', title: 'x' } as never)),
      analysisResult: async () => ({}),
    })
    expect(await findIn(failing(404), PHOTO)).toEqual(NOTHING_YET)
    await expect(findIn(failing(503), PHOTO)).rejects.toBeInstanceOf(ApiError)
  })
})

/** As Rekognition's results of videos are: each with the milliseconds of its frame. */
const at = (Timestamp: number, Name: string, Confidence = 90) =>
  ({ Timestamp, Label: { Name, Confidence, Instances: [{ BoundingBox: BOX, Confidence }], Parents: [] } })
const lineAt = (Timestamp: number, DetectedText: string, Type = 'LINE') =>
  ({ Timestamp, TextDetection: { DetectedText, Type, Id: 0, Confidence: 99, Geometry: { BoundingBox: BOX, Polygon: [] } } })

describe('what was found in a video', () => {
  // A dog that is in three frames in a row comes once.
  it('has the times at which things come', () => {
    const labels = labelsOf({ Labels: [at(0, 'Dog', 80), at(2000, 'Dog', 95), at(2000, 'Cat'), at(4000, 'Cat'), at(6000, 'Dog'),
      { Timestamp: 0, Label: { Name: 'Animal', Confidence: 95, Instances: [], Parents: [] } }] } as never)
    expect(labels).toEqual([
      { name: 'Dog', confidence: 95, boxes: [], times: [0, 6] }, { name: 'Cat', confidence: 90, boxes: [], times: [2] },
    ])
  })

  it('has each text once', () => {
    const lines = linesOf({ TextDetections: [lineAt(500, 'The End'), lineAt(500, 'The', 'WORD'), lineAt(1000, 'THE END '), lineAt(3000, 'Fin')] } as never)
    expect(lines).toEqual([{ text: 'The End', times: [0.5] }, { text: 'Fin', times: [3] }])
  })

  it('knows beginnings from what goes on', () => {
    expect(beginnings([0, 1, 2, 5, 6, 9], [0, 1, 2, 3, 5, 6, 9])).toEqual([0, 5])
    expect(beginnings([], [0, 1])).toEqual([])
  })

  it('asks for all that there is, and reads it', async () => {
    const results: Record<string, object> = {
      'rekognition.label': { Labels: [at(1000, 'Dog')] },
      'rekognition.moderation': { ModerationLabels: [{ Timestamp: 3000, ModerationLabel: { Name: 'Violence', Confidence: 71, ParentName: '' } }] },
      transcribe: { results: { language_code: 'en', audio_segments: [{ transcript: 'Good dog.', start_time: '1.0', end_time: '2.0' }] } },
      'comprehend.keyphrase': { KeyPhrases: [{ Text: 'good dog', Score: 1 }] },
      'comprehend.entity': { Entities: [{ Text: 'Mira', Type: 'PERSON', Score: 0.9 }] },
      'comprehend.sentiment': { Sentiment: 'POSITIVE', SentimentScore: { Positive: 0.625 }, Method: 'a lexicon' },
    }
    const done = { status: 'COMPLETED' as const }
    const found = await findIn({
      analysis: async () => record({
        rekognition: { label: done, moderation: done, text: done }, transcribe: done, comprehend: { keyphrase: done, entity: done, sentiment: done },
        image: { properties: { status: 'SKIPPED', reason: 'The media type does not have it.' } },
      }),
      analysisResult: async (_id, kind) => {
        const result = results[kind]
        // Somebody may have removed one file.
        if (result === undefined) throw new ApiError({ status: 404 })
        return result as never
      },
    }, VIDEO)
    expect(found).toEqual({
      pending: false, looked: true, labels: [{ name: 'Dog', confidence: 90, boxes: [], times: [1] }], lines: [],
      warnings: [{ name: 'Violence', confidence: 71, times: [3] }],
      transcript: { language: 'en', segments: [{ start: 1, end: 2, text: 'Good dog.' }] },
      phrases: ['good dog'], entities: [{ type: 'People', names: ['Mira'] }],
      sentiment: { feeling: 'Positive', share: 63, method: 'a lexicon' }, missing: [],
    })
  })
})

describe('what the words of something say', () => {
  it('names each phrase once, the best first', () => {
    expect(phrasesOf({ KeyPhrases: [{ Text: 'lake', Score: 0.2 }, { Text: 'Boat ', Score: 0.9 }, { Text: 'boat', Score: 0.8 }, { Text: 5 }, null] }))
      .toEqual(['Boat', 'lake'])
    expect(phrasesOf({ KeyPhrases: Array.from({ length: 99 }, (_, n) => ({ Text: `p${n}`, Score: 1 })) })).toHaveLength(20)
    expect(phrasesOf({})).toEqual([])
  })

  it('groups names by what they are, people first', () => {
    const entity = (Text: string, Type: unknown) => ({ Text, Type, Score: 0.5 })
    expect(entitiesOf({ Entities: [entity('Lindau', 'LOCATION'), entity('Mira', 'PERSON'), entity('mira', 'PERSON'), entity('x', 'NEW'), entity('y', 5)] }))
      .toEqual([{ type: 'People', names: ['Mira'] }, { type: 'Places', names: ['Lindau'] }, { type: 'Other', names: ['x', 'y'] }])
    expect(entitiesOf({ Entities: 'none' })).toEqual([])
  })

  it.each([
    [{ Sentiment: 'MIXED', SentimentScore: { Mixed: 0.5 }, Method: 'm' }, { feeling: 'Mixed', share: 50, method: 'm' }],
    [{ Sentiment: 'NEUTRAL' }, { feeling: 'Neutral', share: undefined, method: '' }],
    [{ Sentiment: 'NEUTRAL', SentimentScore: { Neutral: 7 } }, { feeling: 'Neutral', share: undefined, method: '' }],
    [{ Sentiment: 'HANGRY' }, undefined], [{}, undefined],
  ])('reads the mood of %o', (result, sentiment) => expect(sentimentOf(result)).toEqual(sentiment))

  // What is a kind of something else says more than that.
  it('warns of the most certain, in the words that say most', () => {
    expect(warningsOf({ ModerationLabels: [{ Name: 'Violence', Confidence: 80, ParentName: '' }, { Name: 'Weapons', Confidence: 80, ParentName: 'Violence' },
      { Name: 'Tobacco', Confidence: 91.4, ParentName: '' }, { Confidence: 5 }] }))
      .toEqual([{ name: 'Tobacco', confidence: 91.4, times: [] }, { name: 'Weapons', confidence: 80, times: [] }])
  })
})

// That a photo has no speech is nothing to tell; that a sound was not listened to is.
it('says what was not looked for where it could have been', () => {
  const kinds = ['transcribe', 'comprehend.sentiment', 'rekognition.label'].map((name) => ({ name, status: 'SKIPPED', reason: 'No model.' }))
  const words = (type: 'IMAGE' | 'AUDIO' | 'DOCUMENT') => missingOf(kinds, type).map(({ kind }) => kind)
  expect(words('IMAGE')).toEqual(['Things'])
  expect(words('AUDIO')).toEqual(['Speech', 'Mood'])
  expect(words('DOCUMENT')).toEqual(['Mood'])
})
