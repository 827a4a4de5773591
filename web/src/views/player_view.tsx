import { useSignal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import type { Waveform } from '../api/types'
import { hasCover, typeOf, type Asset } from '../state/assets'
import { urlOf } from '../state/pictures'
import type { Player } from '../state/player'
import { ViewerPicture } from './viewer_frame'
import { WaveformView } from './waveform_view'

/** What is said, for the browser's own player. */
export interface Captions {
  url: string
  /** A language tag; empty when it is not known. */
  language: string
}

interface PlayerViewProps {
  asset: Asset
  name: string
  /** For those who cannot see it. */
  label: string
  player: Player
  captions?: Captions | undefined
  waveform?: Waveform | undefined
  /** The link was refused; a fresh one may follow. */
  onBroken: () => void
}

/** A video or a sound, with the controls that the browser has for it. */
export function PlayerView({ asset, name, label, player, captions, waveform, onBroken }: PlayerViewProps) {
  const element = useRef<HTMLVideoElement & HTMLAudioElement>(null)
  const broken = useSignal(false)
  const fresh = asset.sizes?.PROXY
  const src = useSignal(fresh)
  useEffect(() => (element.current ? player.attach(element.current) : undefined), [player])
  useEffect(() => {
    // Another link to the same would begin anew, so that it waits until the one in use is refused.
    if (!broken.value || fresh === undefined || fresh === src.value) return
    const at = player.time.peek()
    src.value = fresh
    broken.value = false
    if (at > 0) player.seek(at)
  }, [fresh, broken.value])
  const media = {
    ref: element, src: src.value, controls: true, preload: 'metadata' as const, 'aria-label': label,
    onError: () => {
      broken.value = true
      onBroken()
    },
  }
  const track = captions && (
    <track key={captions.url} kind="captions" src={captions.url} label="What is said" srclang={captions.language || 'en'} />
  )
  const note = broken.value && (
    <p class="stage-status" role="status">This cannot be played just now. The original can be downloaded.</p>
  )
  if (typeOf(asset) === 'VIDEO') {
    const poster = urlOf(asset.sizes, 'LARGE', 'POSTER', 'MEDIUM', 'SMALL')
    return (
      <div class="player">
        <video {...media} playsInline {...(poster === undefined ? {} : { poster })}>{track}</video>
        {note}
      </div>
    )
  }
  return (
    <div class="player sound">
      <div class="sound-face">
        {hasCover(asset) ? <ViewerPicture image={asset} alt={label} /> : <p class="sound-name">{name}</p>}
      </div>
      {waveform && <WaveformView waveform={waveform} player={player} />}
      <audio {...media}>{track}</audio>
      {note}
    </div>
  )
}

/** In place of a player: what it will show, and why it does not. */
export function NoPlayer({ asset, children }: { asset: Asset; children: ComponentChildren }) {
  return (
    <>
      <ViewerPicture image={asset} alt="" />
      <p class="stage-status" role="status">{children}</p>
    </>
  )
}
