import type { Waveform } from '../api/types'

/** How loud each of so many parts is, 0 to 1, the loudest being 1. Empty when there is nothing to draw. */
export function loudnessOf({ data, channels, bits }: Waveform, parts: number): number[] {
  // All channels of a moment stand together; each has its lowest and its highest sample.
  const width = 2 * Math.max(1, channels)
  const moments = Math.floor(data.length / width)
  if (moments === 0 || parts < 1) return []
  const full = 2 ** ((bits || 8) - 1)
  const loudness = Array.from({ length: Math.floor(parts) }, (_, part) => {
    const first = Math.min(moments - 1, Math.floor((part * moments) / parts))
    const end = Math.max(first + 1, Math.floor(((part + 1) * moments) / parts))
    let loudest = 0
    for (let at = first * width; at < end * width; ++at) loudest = Math.max(loudest, Math.abs(data[at] ?? 0))
    return Math.min(1, loudest / full)
  })
  // Soft sound is seen too, silence stays flat.
  const loudest = Math.max(...loudness)
  return loudest < 0.01 ? loudness : loudness.map((value) => value / loudest)
}

/** The second at a place of something that shows a duration over its width. */
export function secondAt(x: number, width: number, duration: number): number {
  if (!(width > 0) || !(duration > 0)) return 0
  return Math.min(1, Math.max(0, x / width)) * duration
}
