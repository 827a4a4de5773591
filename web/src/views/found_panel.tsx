import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import type { Image } from '../api/types'
import type { Box, Found } from '../state/found'
import { useGallery } from './context'
import { putOnClipboard } from './copy_field'
import { Icon } from './icons'

const ASK_AGAIN_MS = 2_000
/** How often at most, for a photo that somebody looks at: a server with much to do comes to it later. */
const ASKS_MAX = 60

/** What was found in a photo that is developed; undefined before the first answer. Asked for again while something is
 * looked for. */
export function useFound(image: Image): Found | undefined {
  const { library } = useGallery()
  const found = useSignal<Found | undefined>(undefined)
  const developed = image.processingStatus === 'completed'
  useEffect(() => {
    found.value = undefined
    if (!developed) return
    let timer: ReturnType<typeof setTimeout> | undefined
    let current = true
    const ask = async (left: number) => {
      // Without it the photo is shown as well.
      const answer = await library.found(image.id).catch(() => undefined)
      if (!current) return
      found.value = answer ?? found.value
      if (answer?.pending && left > 0) timer = setTimeout(() => void ask(left - 1), ASK_AGAIN_MS)
    }
    void ask(ASKS_MAX)
    return () => {
      current = false
      clearTimeout(timer)
    }
  }, [image.id, developed])
  return found.value
}

interface PanelProps {
  found: Found | undefined
  /** The label whose things are outlined in the picture, if any. */
  shown: string
  /** Undefined where the picture is not the one that was looked at. */
  onShow: ((label: string) => void) | undefined
}

/** What was found: things to point at, text to copy, and what was not looked for. Nothing before it is known. */
export function FoundPanel({ found, shown, onShow }: PanelProps) {
  if (!found) return null
  const nothing = found.looked && !found.pending && found.labels.length === 0 && found.lines.length === 0
  return (
    <section class="found" aria-labelledby="found-heading">
      <h2 id="found-heading">Found in the photo</h2>
      {found.pending && <p class="soft" role="status">Looking for things and text…</p>}
      {nothing && <p class="soft">No things that it knows, and no text.</p>}
      {found.labels.length > 0 && (
        <ul class="chips" aria-label="Things">
          {found.labels.map(({ name, confidence, boxes }) => (
            <li key={name}>
              {onShow ? (
                <button class="chip" aria-pressed={shown === name} title={`${Math.round(confidence)} % sure`}
                  onClick={() => onShow(shown === name ? '' : name)}>
                  {name}{boxes.length > 1 && <span class="soft"> {boxes.length}</span>}
                </button>
              ) : <span class="chip">{name}</span>}
            </li>
          ))}
        </ul>
      )}
      {found.lines.length > 0 && <FoundText lines={found.lines} />}
      {found.missing.length > 0 && (
        <details>
          <summary>Not looked for</summary>
          <dl class="missing">
            {found.missing.map(({ kind, reason, failed }) => (
              <div key={kind}><dt>{kind}{failed && ' (failed)'}</dt><dd>{reason}</dd></div>
            ))}
          </dl>
        </details>
      )}
    </section>
  )
}

function FoundText({ lines }: { lines: readonly string[] }) {
  const copied = useSignal<'' | 'done' | 'refused'>('')
  const copy = async () => {
    copied.value = (await putOnClipboard(lines.join('\n'))) ? 'done' : 'refused'
  }
  return (
    <div class="found-text">
      <p tabIndex={0} aria-label="Text in the photo">{lines.join('\n')}</p>
      <button onClick={() => void copy()}>
        <Icon name={copied.value === 'done' ? 'check' : 'copy'} /> {copied.value === 'done' ? 'Copied' : 'Copy text'}
      </button>
      <p class="field-note" role="status">
        {copied.value === 'refused' && 'The browser does not let this page copy. Select the text and copy it by hand.'}
      </p>
    </div>
  )
}

/** Outlines in the picture, which fills the same space in the same way. */
export function FoundBoxes({ image, boxes }: { image: Image; boxes: readonly Box[] }) {
  const { width, height } = image
  if (!width || !height || boxes.length === 0) return null
  return (
    <svg class="boxes" viewBox={`0 0 ${width} ${height}`} aria-hidden="true">
      {boxes.map((box, number) => (
        <rect key={number} x={box.left * width} y={box.top * height} width={box.width * width} height={box.height * height} />
      ))}
    </svg>
  )
}
