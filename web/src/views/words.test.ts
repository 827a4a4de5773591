import { describe, expect, it } from 'vitest'
import { apertureWords, byteWords, focalLengthWords, isoWords, placeWords, shutterWords, takenWords } from './words'

describe('words for what a camera wrote', () => {
  it('says the exposure as photographers do', () => {
    expect([shutterWords('1/250'), shutterWords('2.5')]).toEqual(['1/250 s', '2.5 s'])
    expect([2.8, 2, 1.85, 9.94, 16, 22.4].map(apertureWords)).toEqual(['f/2.8', 'f/2.0', 'f/1.9', 'f/9.9', 'f/16', 'f/22'])
    expect([35, 4.25, 600].map(focalLengthWords)).toEqual(['35 mm', '4.3 mm', '600 mm'])
    expect(isoWords(200)).toBe('ISO 200')
  })

  // The hour of the camera, wherever it is looked at: never moved to the visitor's zone.
  it('keeps the clock of the place', () => {
    for (const iso of ['2026-11-14T15:12:00', '2026-11-14T15:12:00+10:00', '2026-11-14T15:12:00-03:30']) {
      expect(takenWords(iso).when).toMatch(/14.*2026.*(15|3):12/)
    }
    expect(takenWords('2026-11-14T15:12:00').offset).toBeUndefined()
    expect(takenWords('2026-11-14T15:12:00+10:00').offset).toBe('UTC+10:00')
    expect(takenWords('2026-11-14T15:12:00-03:30').offset).toBe('UTC−03:30')
    expect(takenWords('2026-11-14T15:12:00Z').offset).toBe('UTC')
  })

  // Somebody else may have written it.
  it.each(['yesterday', '', '2026-13-45T99:99:99'])('shows the date %j as it is', (text) => expect(takenWords(text)).toEqual({ when: text }))

  it('says where on the globe, and how high', () => {
    expect(placeWords({ latitude: -33.8569, longitude: 151.215, altitude: 12.5 }))
      .toEqual({ position: '33.8569° S, 151.2150° E', altitude: '13 m above the sea' })
    expect(placeWords({ latitude: 31.5, longitude: -0.00001 })).toEqual({ position: '31.5000° N, 0.0000° W' })
    expect(placeWords({ latitude: 31.5, longitude: 35.5, altitude: -430.2 }).altitude).toBe('430 m below the sea')
  })

  it('says bytes', () => expect([1, 640_000, 2_440_000].map(byteWords)).toEqual(['1 byte', '640 KB', '2.4 MB']))
})
