import { describe, expect, it } from 'vitest'
import type { Waveform } from '../api/types'
import { loudnessOf, secondAt } from './waveform'

const waveform = (data: number[], more: Partial<Waveform> = {}): Waveform =>
  ({ version: 2, channels: 1, sample_rate: 1000, samples_per_pixel: 100, bits: 8, length: data.length / 2, data, ...more })

describe('loudnessOf', () => {
  // The peak of each part counts, whichever way it swings, and the loudest is as high as there is room.
  it('takes the peaks of each part', () => {
    expect(loudnessOf(waveform([-10, 20, -40, 5, 0, 0, -2, 2]), 4)).toEqual([0.5, 1, 0, 0.05])
    expect(loudnessOf(waveform([-10, 20, -40, 5, 0, 0, -2, 2]), 2)).toEqual([1, 0.05])
  })

  it('has as many parts as asked for, however few moments there are', () => {
    expect(loudnessOf(waveform([-64, 64, -128, 127]), 4)).toEqual([0.5, 0.5, 1, 1])
    expect(loudnessOf(waveform(Array.from({ length: 20_000 }, () => 1)), 333.7)).toHaveLength(333)
  })

  it('leaves silence flat', () => expect(loudnessOf(waveform([0, 0, -1, 1]), 2)).toEqual([0, 1 / 128]))

  it('reads both channels, and samples of 16 bits', () => {
    expect(loudnessOf(waveform([-1, 1, -64, 64, 0, 0, -32, 32], { channels: 2 }), 2)).toEqual([1, 0.5])
    expect(loudnessOf(waveform([-16_384, 0, 0, 8_192], { bits: 16 }), 2)).toEqual([1, 0.5])
  })

  it('draws nothing of nothing', () => {
    expect(loudnessOf(waveform([]), 10)).toEqual([])
    expect(loudnessOf(waveform([-1, 1]), 0)).toEqual([])
    expect(loudnessOf(waveform([5]), 3)).toEqual([])
  })
})

it('finds the second of a place, and none outside', () => {
  expect(secondAt(50, 200, 60)).toBe(15)
  expect(secondAt(-5, 200, 60)).toBe(0)
  expect(secondAt(500, 200, 60)).toBe(60)
  expect(secondAt(5, 0, 60)).toBe(0)
  expect(secondAt(5, 200, NaN)).toBe(0)
})
