import { describe, expect, it } from 'vitest'
import { pixelsOf } from './blurhash'

describe('pixelsOf', () => {
  // The numbers are those of the npm package blurhash 2.0.5.
  it.each([
    ['LtBD9PIiohjyVikojIfRbZjHfjfQ', 4, 3, [
      47, 0, 255, 255, 47, 0, 246, 255, 79, 22, 215, 255, 114, 64, 200, 255, 50, 0, 255, 255, 54, 0, 239, 255, 87, 51, 208, 255,
      121, 82, 192, 255, 57, 54, 255, 255, 63, 65, 225, 255, 95, 97, 192, 255, 126, 133, 176, 255]],
    ['L~LjfL|TwtJrsXsRjsa~fQfQfQfQ', 3, 1, [255, 0, 106, 255, 249, 0, 83, 255, 74, 0, 255, 255]],
    ['003as9', 1, 1, [30, 6, 240, 255]],
  ])('paints %s as others do', (hash, width, height, expected) => {
    expect([...(pixelsOf(hash, width, height) ?? [])]).toEqual(expected)
  })

  it.each(['', 'L', 'L00000', '003as9x', 'L"0000fQfQfQfQfQfQfQfQfQfQfQ'])('paints nothing of %j', (hash) => {
    expect(pixelsOf(hash, 4, 3)).toBeUndefined()
  })
})
