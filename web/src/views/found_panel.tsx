import { useSignal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { useEffect } from 'preact/hooks'
import type { AssetType, Image } from '../api/types'
import { hasPicture, nounOf, timeText, typeOf } from '../state/assets'
import type { Box, Found, FoundEntities, FoundLabel, FoundSentiment, FoundWarning } from '../state/found'
import type { Player } from '../state/player'
import { useGallery } from './context'
import { CopyButton } from './copy_field'
import { Icon } from './icons'
import { TranscriptPanel } from './transcript_panel'

const ASK_AGAIN_MS = 2_000
/** A photo is looked at in seconds; a long film takes minutes, and is asked about ever less often. */
const ASK_AGAIN_MS_MAX = 15_000
/** How often at most, for what somebody looks at: a server with much to do comes to it later. */
const ASKS_MAX = 60

/** What was found in an asset that is developed; undefined before the first answer. Asked for again while something is
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
    const ask = async (asked: number) => {
      // Without it the photo is shown as well.
      const answer = await library.found(image).catch(() => undefined)
      if (!current) return
      found.value = answer ?? found.value
      const wait = Math.min(ASK_AGAIN_MS * 1.1 ** asked, ASK_AGAIN_MS_MAX)
      if (answer?.pending && asked < ASKS_MAX) timer = setTimeout(() => void ask(asked + 1), wait)
    }
    void ask(0)
    return () => {
      current = false
      clearTimeout(timer)
    }
  }, [image.id, developed])
  return found.value
}

const LOOKING: Record<AssetType, string> = {
  IMAGE: 'Looking for things and text…', VIDEO: 'Looking and listening…', AUDIO: 'Listening…', DOCUMENT: 'Reading…',
}

const NOTHING_FOUND: Record<AssetType, string> = {
  IMAGE: 'No things that it knows, and no text.', VIDEO: 'No things that it knows, and no words.',
  AUDIO: 'No words that it knows.', DOCUMENT: 'Nothing that it knows.',
}

function isEmpty({ labels, lines, warnings, transcript, phrases, entities, sentiment }: Found): boolean {
  return transcript === undefined && sentiment === undefined && [labels, lines, warnings, phrases, entities].every(({ length }) => length === 0)
}

interface PanelProps {
  image: Image
  found: Found | undefined
  /** The label whose things are outlined in the picture, if any. */
  shown: string
  /** Undefined where the picture is not the one that was looked at. */
  onShow: ((label: string) => void) | undefined
  /** Undefined while nothing can be played. */
  player: Player | undefined
}

/** What was found: things to point at, text to copy, words to go to, and what was not looked for. Nothing before it is known. */
export function FoundPanel({ image, found, shown, onShow, player }: PanelProps) {
  if (!found) return null
  const type = typeOf(image)
  const { labels, lines, warnings, transcript, phrases, entities, sentiment, missing } = found
  const empty = isEmpty(found)
  // Of a file that has no preview nobody expects that it is looked at.
  if (empty && !found.pending && !found.looked && (missing.length === 0 || !hasPicture(image))) return null
  const timed = labels.some(({ times }) => times.length > 0)
  return (
    <section class="found" aria-labelledby="found-heading">
      <h2 id="found-heading">Found in the {nounOf(image)}</h2>
      {found.pending && <p class="soft" role="status">{LOOKING[type]}</p>}
      {found.looked && !found.pending && empty && <p class="soft">{NOTHING_FOUND[type]}</p>}
      {warnings.length > 0 && <Warnings warnings={warnings} player={player} />}
      {labels.length > 0 && (timed
        ? <TimedRows label="Things" player={player}
            rows={labels.map(({ name, confidence, times }) => ({ name, title: `${Math.round(confidence)} % sure`, times }))} />
        : <LabelChips labels={labels} shown={shown} onShow={onShow} />)}
      {lines.length > 0 && (lines.some(({ times }) => times.length > 0)
        ? <TimedRows heading="Text" label="Text" player={player} rows={lines.map(({ text, times }) => ({ name: text, times }))} />
        : <FoundText lines={lines.map(({ text }) => text)} />)}
      {transcript && <TranscriptPanel transcript={transcript} player={player} />}
      {phrases.length > 0 && (
        <Titled title="Key phrases">
          <ul class="chips" aria-label="Key phrases">{phrases.map((phrase) => <li key={phrase} class="chip">{phrase}</li>)}</ul>
        </Titled>
      )}
      {entities.length > 0 && <Entities entities={entities} />}
      {sentiment && <Sentiment sentiment={sentiment} />}
      {missing.length > 0 && (
        <details>
          <summary>Not looked for</summary>
          <dl class="missing">
            {missing.map(({ kind, reason, failed }) => (
              <div key={kind}><dt>{kind}{failed && ' (failed)'}</dt><dd>{reason}</dd></div>
            ))}
          </dl>
        </details>
      )}
    </section>
  )
}

function Titled({ title, children }: { title: string; children: ComponentChildren }) {
  return <div class="titled"><h3>{title}</h3>{children}</div>
}

interface ChipsProps {
  labels: readonly FoundLabel[]
  shown: string
  onShow: ((label: string) => void) | undefined
}

function LabelChips({ labels, shown, onShow }: ChipsProps) {
  return (
    <ul class="chips" aria-label="Things">
      {labels.map(({ name, confidence, boxes }) => (
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
  )
}

interface TimedRowsProps {
  heading?: string
  label: string
  rows: readonly { name: string; title?: string; times: readonly number[] }[]
  player: Player | undefined
}

/** What is in a film, each with the moments at which it comes. */
function TimedRows({ heading, label, rows, player }: TimedRowsProps) {
  return (
    <div class="titled">
      {heading !== undefined && <h3>{heading}</h3>}
      <ul class="timed" aria-label={label}>
        {rows.map(({ name, title, times }) => (
          <li key={name}><span title={title}>{name}</span><Times of={name} times={times} player={player} /></li>
        ))}
      </ul>
    </div>
  )
}

const TIMES_SHOWN = 6

function Times({ of, times, player }: { of: string; times: readonly number[]; player: Player | undefined }) {
  const all = useSignal(false)
  const shown = all.value ? times : times.slice(0, TIMES_SHOWN)
  return (
    <span class="times">
      {shown.map((time) => (player
        ? <button key={time} class="link" aria-label={`${of} at ${timeText(time)}`} onClick={() => player.seek(time)}>{timeText(time)}</button>
        : <time key={time}>{timeText(time)}</time>))}
      {shown.length < times.length && (
        <button class="link" aria-label={`${times.length - shown.length} more times of ${of}`} onClick={() => (all.value = true)}>
          +{times.length - shown.length}
        </button>
      )}
    </span>
  )
}

/** Said before somebody plays it, and no louder than the rest. */
function Warnings({ warnings, player }: { warnings: readonly FoundWarning[]; player: Player | undefined }) {
  return (
    <ul class="may-show">
      {warnings.map(({ name, confidence, times }) => (
        <li key={name}>
          <Icon name="eye" />
          <span>May show {name.toLocaleLowerCase()} <span class="soft">({Math.round(confidence)} % sure)</span></span>
          {times.length > 0 && <Times of={name} times={times} player={player} />}
        </li>
      ))}
    </ul>
  )
}

function FoundText({ lines }: { lines: readonly string[] }) {
  return (
    <div class="found-text">
      <p tabIndex={0} aria-label="Text in the photo">{lines.join('\n')}</p>
      <CopyButton text={() => lines.join('\n')} />
    </div>
  )
}

function Entities({ entities }: { entities: readonly FoundEntities[] }) {
  return (
    <dl class="entities">
      {entities.map(({ type, names }) => (
        <div key={type}><dt>{type}</dt><dd>{names.join(' · ')}</dd></div>
      ))}
    </dl>
  )
}

function Sentiment({ sentiment: { feeling, share, method } }: { sentiment: FoundSentiment }) {
  return (
    <p class="sentiment">
      Mood: <b>{feeling.toLowerCase()}</b>{share !== undefined && `, ${share} %`}
      {method !== '' && <span class="soft">{method}</span>}
    </p>
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
