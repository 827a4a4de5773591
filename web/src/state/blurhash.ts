// BlurHash: a picture in a few waves of colour, which the server sends along with it (src/darkroom/imaging/metadata/blurhash.cc).

const DIGITS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz#$%*+,-.:;=?@[]^_{|}~'

type Color = [number, number, number]

function numberOf(text: string): number {
  let value = 0
  for (const digit of text) value = value * 83 + DIGITS.indexOf(digit)
  return value
}

function toLinear(value: number): number {
  const v = value / 255
  return v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4
}

function toSrgb(value: number): number {
  const v = Math.min(Math.max(value, 0), 1)
  return Math.trunc((v <= 0.0031308 ? v * 12.92 : 1.055 * v ** (1 / 2.4) - 0.055) * 255 + 0.5)
}

const signedSquare = (value: number) => Math.sign(value) * value * value

/** How strong each wave is, row by row, in linear light; nothing when the text is no BlurHash. */
function wavesOf(hash: string): { across: number; down: number; colors: Color[] } | undefined {
  if (hash.length < 6 || [...hash].some((digit) => !DIGITS.includes(digit))) return undefined
  const flag = numberOf(hash.slice(0, 1))
  const across = (flag % 9) + 1
  const down = Math.floor(flag / 9) + 1
  if (hash.length !== 4 + 2 * across * down) return undefined
  const unit = (numberOf(hash.slice(1, 2)) + 1) / 166
  const mean = numberOf(hash.slice(2, 6))
  const colors: Color[] = [[toLinear((mean >> 16) & 255), toLinear((mean >> 8) & 255), toLinear(mean & 255)]]
  for (let at = 6; at < hash.length; at += 2) {
    const value = numberOf(hash.slice(at, at + 2))
    const band = (divisor: number) => signedSquare(((Math.floor(value / divisor) % 19) - 9) / 9) * unit
    colors.push([band(361), band(19), band(1)])
  }
  return { across, down, colors }
}

/** The pixels of a small picture, four bytes each, as a canvas takes them. Nothing when the text is no BlurHash. */
export function pixelsOf(hash: string, width: number, height: number): Uint8ClampedArray<ArrayBuffer> | undefined {
  const waves = wavesOf(hash)
  if (!waves) return undefined
  const pixels = new Uint8ClampedArray(width * height * 4)
  for (let y = 0; y < height; ++y) {
    for (let x = 0; x < width; ++x) {
      const sum: Color = [0, 0, 0]
      waves.colors.forEach((color, index) => {
        const basis = Math.cos((Math.PI * x * (index % waves.across)) / width) *
          Math.cos((Math.PI * y * Math.floor(index / waves.across)) / height)
        sum[0] += color[0] * basis
        sum[1] += color[1] * basis
        sum[2] += color[2] * basis
      })
      pixels.set([toSrgb(sum[0]), toSrgb(sum[1]), toSrgb(sum[2]), 255], 4 * (y * width + x))
    }
  }
  return pixels
}
