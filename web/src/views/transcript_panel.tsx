import { useComputed, useSignal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import { timeText } from '../state/assets'
import type { Player } from '../state/player'
import { languageName, segmentAt, segmentsWith, type Transcript } from '../state/transcript'
import { CopyButton } from './copy_field'
import { Icon } from './icons'

/** A search field over three sentences would be more field than sentence. */
const SEARCHED_MIN = 6

interface TranscriptProps {
  transcript: Transcript
  /** Undefined while nothing can be played. */
  player: Player | undefined
}

/** What is said, by its time: what is said just now is marked, and a click goes there. */
export function TranscriptPanel({ transcript: { segments, language }, player }: TranscriptProps) {
  const question = useSignal('')
  const list = useRef<HTMLOListElement>(null)
  const at = useComputed(() => (player ? segmentAt(segments, player.time.value) : -1))
  const current = segments[at.value]
  const shown = segmentsWith(segments, question.value)
  useEffect(() => {
    const item = list.current?.querySelector<HTMLElement>('[aria-current]')
    if (!item || !list.current || !player?.playing.peek()) return
    // The list alone is scrolled: the details around it stay where the person has them.
    const top = item.offsetTop - list.current.offsetTop - list.current.clientHeight / 3
    list.current.scrollTo({ top, behavior: matchMedia('(prefers-reduced-motion: reduce)').matches ? 'auto' : 'smooth' })
  }, [current])
  if (segments.length === 0) return <p class="soft">Nothing is said that this server understands.</p>
  return (
    <section class="transcript" aria-labelledby="transcript-heading">
      <h3 id="transcript-heading">Transcript</h3>
      {segments.length >= SEARCHED_MIN && (
        <label class="cue-search">
          <Icon name="search" />
          <input type="search" aria-label="Search the transcript" placeholder="Search what was said" value={question.value}
            onInput={(event) => (question.value = event.currentTarget.value)} />
        </label>
      )}
      <ol class="cues" ref={list} aria-label="What is said" {...(player ? {} : { tabIndex: 0 })}>
        {shown.map((segment) => {
          const text = <><time>{timeText(segment.start)}</time><span>{segment.text}</span></>
          return (
            <li key={`${segment.start} ${segment.text}`} aria-current={segment === current ? 'true' : undefined}>
              {player ? <button onClick={() => player.seek(segment.start)}>{text}</button> : <div>{text}</div>}
            </li>
          )
        })}
      </ol>
      {shown.length === 0 && <p class="soft" role="status">Nobody says that.</p>}
      <div class="cue-foot">
        <p class="soft">Heard by this server{language !== '' && `, in ${languageName(language)}`}.</p>
        <CopyButton text={() => segments.map(({ text }) => text).join('\n')} />
      </div>
    </section>
  )
}
