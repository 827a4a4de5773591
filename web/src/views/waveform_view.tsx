import { useSignal } from '@preact/signals'
import { useEffect, useMemo, useRef } from 'preact/hooks'
import type { Waveform } from '../api/types'
import { timeText } from '../state/assets'
import type { Player } from '../state/player'
import { loudnessOf, secondAt } from '../state/waveform'

const BAR_PIXELS = 3
const GAP_PIXELS = 2
const STEP_SECONDS = 5

/** How loud a sound is over its time; what was played is coloured, and a click goes there. */
export function WaveformView({ waveform, player }: { waveform: Waveform; player: Player }) {
  const canvas = useRef<HTMLCanvasElement>(null)
  const size = useSignal({ width: 0, height: 0 })
  const { width, height } = size.value
  const loudness = useMemo(() => loudnessOf(waveform, width / (BAR_PIXELS + GAP_PIXELS)), [waveform, width])
  const [time, duration] = [player.time.value, player.duration.value]
  useEffect(() => {
    const element = canvas.current
    if (!element) return
    const observer = new ResizeObserver(() => (size.value = { width: element.clientWidth, height: element.clientHeight }))
    observer.observe(element)
    return () => observer.disconnect()
  }, [])
  useEffect(() => {
    if (canvas.current) draw(canvas.current, loudness, duration > 0 ? time / duration : 0)
  }, [loudness, height, time, duration])
  return (
    <canvas ref={canvas} class="waveform" role="slider" tabIndex={0} aria-label="Position"
      aria-valuemin={0} aria-valuemax={Math.round(duration)} aria-valuenow={Math.round(time)}
      aria-valuetext={`${timeText(time)} of ${timeText(duration)}`}
      onPointerDown={(event) => {
        if (event.button !== 0) return
        event.currentTarget.setPointerCapture(event.pointerId)
        player.seek(secondAt(event.offsetX, event.currentTarget.clientWidth, duration))
      }}
      onPointerMove={(event) => {
        if (!event.currentTarget.hasPointerCapture(event.pointerId)) return
        player.seek(secondAt(event.offsetX, event.currentTarget.clientWidth, duration))
      }}
      onKeyDown={(event) => {
        const steps: Record<string, () => void> = {
          ArrowLeft: () => player.step(-STEP_SECONDS), ArrowDown: () => player.step(-STEP_SECONDS),
          ArrowRight: () => player.step(STEP_SECONDS), ArrowUp: () => player.step(STEP_SECONDS),
          Home: () => player.seek(0), End: () => player.seek(duration),
        }
        const step = event.altKey || event.ctrlKey || event.metaKey ? undefined : steps[event.key]
        if (!step) return
        event.preventDefault()
        step()
      }} />
  )
}

function draw(canvas: HTMLCanvasElement, loudness: readonly number[], played: number): void {
  const context = canvas.getContext('2d')
  const [width, height] = [canvas.clientWidth, canvas.clientHeight]
  if (!context || width === 0 || height === 0) return
  const scale = devicePixelRatio || 1
  canvas.width = Math.round(width * scale)
  canvas.height = Math.round(height * scale)
  context.scale(scale, scale)
  const style = getComputedStyle(canvas)
  const [done, left] = [style.getPropertyValue('--wave-played'), style.getPropertyValue('--wave-left')]
  const distance = width / Math.max(1, loudness.length)
  for (const [part, loud] of loudness.entries()) {
    context.fillStyle = (part + 0.5) / loudness.length <= played ? done : left
    // Silence is a dot.
    const bar = Math.max(2, loud * (height - 4))
    context.fillRect(part * distance, (height - bar) / 2, BAR_PIXELS, bar)
  }
}
