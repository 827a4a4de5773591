import { signal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import { isAnimated, type Asset } from '../state/assets'
import { urlOf } from '../state/pictures'
import type { Player } from '../state/player'
import type { Route } from '../state/router_paths'
import { useApp } from './context'
import { Icon } from './icons'
import { Modal } from './modal'

const SWIPE_PIXELS = 60

/** Beside the photo there is room for details; below that width they are a sheet over its lower end. */
const WIDE = '(min-width: 900px)'

/** Whether the details are open: beside the photo, or as the taller of the sheet's two heights. Kept from photo to photo. */
const detailsOpen = signal<boolean | undefined>(undefined)

const SIDE_ID = 'viewer-side'

interface FrameProps {
  route: Route & { photo: string }
  label: string
  previous: string | undefined
  next: string | undefined
  /** What it is called in the names of buttons: photo. */
  noun?: string
  /** Taken by keys, where something can be played. */
  player?: Player | undefined
  /** Takes Escape first; true when that was all there was to do. */
  onEscape?: () => boolean
  side: ComponentChildren
  children: ComponentChildren
}

function isTyping(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && target.closest('input, textarea, select') !== null
}

/** What has keys of its own for going back and forth. */
function isPlaying(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && target.closest('video, audio, .waveform') !== null
}

/** What Space presses, or scrolls. */
const TAKES_SPACE = 'button, a, summary, video, audio, [tabindex="0"]'

const SKIP_SECONDS = 10

function playByKey(event: KeyboardEvent, player: Player): void {
  if (event.key === ' ' && !(event.target instanceof HTMLElement && event.target.closest(TAKES_SPACE))) {
    event.preventDefault()
    player.toggle()
  }
  if (event.key === 'k') player.toggle()
  if (event.key === 'j') player.step(-SKIP_SECONDS)
  if (event.key === 'l') player.step(SKIP_SECONDS)
  if (event.key === 'm') player.toggleMute()
  if (event.key === 'c') player.toggleCaptions()
}

/** The controls of a player lie at its lower end; whoever drags there moves the time and not the page. */
const CONTROLS_PIXELS = 80

function isOnControls(target: EventTarget | null, y: number): boolean {
  if (!(target instanceof HTMLElement)) return false
  if (target.closest('audio, .waveform')) return true
  const video = target.closest('video')
  return video !== null && y > video.getBoundingClientRect().bottom - CONTROLS_PIXELS
}

/** The full-page dialog around one photo, or another asset: paging by buttons, arrow keys and swipes; leaving by Escape. */
export function ViewerFrame({ route, label, previous, next, noun = 'photo', player, onEscape, side, children }: FrameProps) {
  const { router } = useApp()
  const open = detailsOpen.value ?? matchMedia(WIDE).matches
  const setOpen = (value: boolean) => (detailsOpen.value = value)
  const start = useRef<{ x: number; y: number } | undefined>(undefined)
  const show = (photo: string | undefined) => {
    if (photo !== undefined) router.go({ section: route.section, photo }, 'replace')
  }
  const close = () => {
    router.go({ section: route.section })
    // Back to the tile of the photo that was looked at last, not the one that was opened first.
    requestAnimationFrame(() =>
      document.querySelector<HTMLElement>(`[data-photo="${CSS.escape(route.photo)}"]`)?.focus(),
    )
  }
  return (
    <Modal label={label} class={open && side !== null ? 'viewer with-info' : 'viewer'}
      onEscape={() => {
        if (!onEscape?.()) close()
      }}
      onKeyDown={(event) => {
        if (isTyping(event.target) || event.altKey || event.ctrlKey || event.metaKey) return
        if (event.key === 'ArrowLeft' && !isPlaying(event.target)) show(previous)
        if (event.key === 'ArrowRight' && !isPlaying(event.target)) show(next)
        if (event.key === 'i') setOpen(!open)
        if (player) playByKey(event, player)
      }}>
      <div class="stage" tabIndex={-1} autoFocus
        onTouchStart={(event) => {
          const touch = event.touches.length === 1 ? event.touches[0] : undefined
          start.current = touch && !isOnControls(event.target, touch.clientY) ? { x: touch.clientX, y: touch.clientY } : undefined
        }}
        onTouchEnd={(event) => {
          const touch = event.changedTouches[0]
          // A zoomed page is panned with the same movement.
          if (!start.current || !touch || (visualViewport?.scale ?? 1) > 1.05) return
          const right = touch.clientX - start.current.x
          const down = touch.clientY - start.current.y
          const steep = Math.abs(down) > Math.abs(right)
          if (steep && down < -SWIPE_PIXELS) setOpen(true)
          if (!steep && right > SWIPE_PIXELS) show(previous)
          if (!steep && right < -SWIPE_PIXELS) show(next)
        }}>
        {children}
        {previous !== undefined && (
          <button class="page previous" aria-label="Previous photo" onClick={() => show(previous)}><Icon name="left" /></button>
        )}
        {next !== undefined && (
          <button class="page next" aria-label="Next photo" onClick={() => show(next)}><Icon name="right" /></button>
        )}
      </div>
      {side !== null && (
        <>
          <button class="details-toggle" aria-label="Details" title="Details (i)" aria-expanded={open} aria-controls={SIDE_ID}
            onClick={() => setOpen(!open)}><Icon name="info" /></button>
          <aside class="side" id={SIDE_ID} aria-label={`About this ${noun}`}>
            <button class="sheet-handle" aria-label={open ? 'Show less' : 'Show more'} onClick={() => setOpen(!open)} />
            {side}
          </aside>
        </>
      )}
      <button class="close" aria-label="Close" onClick={close}><Icon name="close" /></button>
    </Modal>
  )
}

interface PictureProps {
  image: Asset
  alt: string
  onError?: () => void
  /** What lies over it. */
  children?: ComponentChildren
}

/** The large rendition, over the small one that the grid has loaded already. */
export function ViewerPicture({ image, alt, onError, children }: PictureProps) {
  const large = isAnimated(image) ? urlOf(image.sizes, 'ORIGINAL') : urlOf(image.sizes, 'LARGE', 'MEDIUM', 'SMALL', 'THUMB')
  const small = urlOf(image.sizes, 'SMALL', 'THUMB')
  const size = image.width && image.height ? { width: image.width, height: image.height } : {}
  return (
    <div class="picture">
      {small !== undefined && small !== large && <img key={small} src={small} alt="" class="under" {...size} />}
      {large !== undefined && <img key={large} src={large} alt={alt} {...size} {...(onError ? { onError } : {})} />}
      {children}
    </div>
  )
}

/** Loads the neighbours' large renditions ahead, so that paging is at once. */
export function usePreload(urls: (string | undefined)[]): void {
  useEffect(() => {
    for (const url of urls) if (url !== undefined) new Image().src = url
  }, urls)
}
