import { useRef } from 'preact/hooks'
import { moved, resized, type Box } from '../state/edits'

const HANDLES = ['nw', 'n', 'ne', 'e', 'se', 's', 'sw', 'w']
const percent = (part: number) => `${part * 100}%`

/** The rectangle over the preview, to drag as a whole or by its handles. Keyboards use the numbers beside. */
export function CropBox({ box, onChange }: { box: Box; onChange: (box: Box) => void }) {
  const frame = useRef<HTMLDivElement>(null)
  const drag = useRef<{ x: number; y: number; handle: string; from: Box } | undefined>(undefined)

  const grab = (event: PointerEvent) => {
    const handle = (event.target as HTMLElement).dataset['handle'] ?? ''
    drag.current = { x: event.clientX, y: event.clientY, handle, from: box }
    ;(event.currentTarget as HTMLElement).setPointerCapture(event.pointerId)
    event.preventDefault()
  }
  const pull = (event: PointerEvent) => {
    const area = frame.current?.getBoundingClientRect()
    if (!drag.current || !area) return
    const { x, y, handle, from } = drag.current
    const right = (event.clientX - x) / area.width
    const down = (event.clientY - y) / area.height
    onChange(handle === '' ? moved(from, right, down) : resized(from, handle, right, down))
  }
  const release = () => {
    drag.current = undefined
  }
  return (
    <div ref={frame} class="crop-frame" aria-hidden="true">
      <div class="crop-box" onPointerDown={grab} onPointerMove={pull} onPointerUp={release} onPointerCancel={release}
        style={{ left: percent(box.left), top: percent(box.top), width: percent(box.width), height: percent(box.height) }}>
        {HANDLES.map((handle) => <i key={handle} data-handle={handle} class={`handle ${handle}`} />)}
      </div>
    </div>
  )
}
