import { signal } from '@preact/signals'

/** What is asked of a <video> or an <audio>. */
export type PlayerElement = Pick<HTMLMediaElement,
  'currentTime' | 'duration' | 'paused' | 'muted' | 'textTracks' | 'play' | 'pause' | 'addEventListener' | 'removeEventListener'>

const EVENTS = ['timeupdate', 'seeking', 'seeked', 'loadedmetadata', 'durationchange', 'play', 'pause', 'ended', 'emptied'] as const

/** The video or the sound that a viewer shows, for whoever shows its time or changes it. Without an element nothing happens. */
export class Player {
  /** In seconds. */
  readonly time = signal(0)
  /** 0 until it is known. */
  readonly duration = signal(0)
  readonly playing = signal(false)
  private element: PlayerElement | undefined
  private wanted: number | undefined

  /** Follows an element until the returned function is called. */
  attach(element: PlayerElement): () => void {
    this.element = element
    const read = () => this.read(element)
    for (const event of EVENTS) element.addEventListener(event, read)
    read()
    return () => {
      for (const event of EVENTS) element.removeEventListener(event, read)
      if (this.element === element) this.element = undefined
      this.playing.value = false
    }
  }

  seek(seconds: number): void {
    if (!this.element) return
    const end = this.length()
    const to = Math.max(0, end > 0 ? Math.min(seconds, end) : seconds)
    // Before its metadata is there, an element takes no time to go to.
    if (end > 0) this.element.currentTime = to
    else this.wanted = to
    this.time.value = to
  }

  /** Goes to where something was found, and on from there. */
  playFrom(seconds: number): void {
    this.seek(seconds)
    this.play()
  }

  step(seconds: number): void {
    if (this.element) this.seek(this.element.currentTime + seconds)
  }

  toggle(): void {
    if (this.element?.paused === false) this.element.pause()
    else this.play()
  }

  toggleMute(): void {
    if (this.element) this.element.muted = !this.element.muted
  }

  /** Shows what is said, or does not. */
  toggleCaptions(): void {
    const [track] = this.element?.textTracks ?? []
    if (track) track.mode = track.mode === 'showing' ? 'hidden' : 'showing'
  }

  private play(): void {
    // A browser may refuse, or be interrupted: its own controls show that.
    void this.element?.play()?.catch(() => undefined)
  }

  private length(): number {
    const { duration = 0 } = this.element ?? {}
    return Number.isFinite(duration) && duration > 0 ? duration : 0
  }

  private read(element: PlayerElement): void {
    this.duration.value = this.length()
    this.playing.value = !element.paused
    if (this.wanted !== undefined && this.duration.value > 0) {
      element.currentTime = Math.min(this.wanted, this.duration.value)
      this.wanted = undefined
    }
    this.time.value = this.wanted ?? element.currentTime
  }
}
