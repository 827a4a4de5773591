import { describe, expect, it } from 'vitest'
import { ApiError } from '../api/problem'
import type { AnalysisRecord } from '../api/types'
import { findIn, kindsOf, NOTHING_YET } from './found'

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
    }, '1')
    expect(asked).toEqual(['rekognition.label'])
    expect(found.pending).toBe(true)
    expect(found.labels).toEqual([{ name: 'Dog', confidence: 91, boxes: [{ left: 0.25, top: 0.5, width: 0.5, height: 0.25 }] }])
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
    }, '1')
    expect(found).toEqual({ pending: false, looked: true, labels: [], lines: ['Open daily'], missing: [{ kind: 'Things', reason: 'It broke.', failed: true }] })
  })

  it('waits for a photo that is not developed yet, and tells of other failures', async () => {
    const failing = (status: number) => ({
      analysis: () => Promise.reject(new ApiError({ status, code: 'X', title: 'x' } as never)),
      analysisResult: async () => ({}),
    })
    expect(await findIn(failing(404), '1')).toEqual(NOTHING_YET)
    await expect(findIn(failing(503), '1')).rejects.toBeInstanceOf(ApiError)
  })
})
