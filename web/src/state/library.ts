import { signal } from '@preact/signals'
import type { Api } from '../api/client'
import { ApiError, explain } from '../api/problem'
import type { Image, ImageChange, ImageVersion, Waveform } from '../api/types'
import { isSettled } from './assets'
import { follow } from './follow'
import { findIn, type Found } from './found'

/** Whether a stands before b: newest first, as the server lists them. */
function isBefore(a: Image, b: Image): boolean {
  return a.uploadedAt === b.uploadedAt ? a.id > b.id : a.uploadedAt > b.uploadedAt
}

/** The list with an image put in its place, instead of what was there under its id. */
export function placed(images: readonly Image[], image: Image): Image[] {
  const others = images.filter((other) => other.id !== image.id)
  const at = others.findIndex((other) => isBefore(image, other))
  return at < 0 ? [...others, image] : [...others.slice(0, at), image, ...others.slice(at)]
}

/** The photos of the signed-in person, as far as they were loaded, newest first. */
export class Library {
  readonly images = signal<readonly Image[]>([])
  readonly loading = signal(false)
  /** True when the oldest photo is loaded. */
  readonly complete = signal(false)
  readonly error = signal('')
  private cursor: string | undefined
  private readonly followed = new Set<string>()
  private readonly deleted = new Set<string>()
  private readonly refreshed = new Map<string, number>()
  private readonly stopped = new AbortController()

  constructor(private readonly api: Api) {}

  find(id: string): Image | undefined {
    return this.images.value.find((image) => image.id === id)
  }

  /** Loads the next page. A failure is shown in `error`, and calling again repeats the page. */
  async loadMore(): Promise<void> {
    if (this.loading.value || this.complete.value) return
    this.loading.value = true
    this.error.value = ''
    try {
      const page = await this.api.images(this.cursor)
      for (const image of page.items) if (!this.deleted.has(image.id)) this.put(image)
      this.cursor = page.lastEvaluatedKey ?? undefined
      this.complete.value = this.cursor === undefined || page.hasMore === false
    } catch (error) {
      this.error.value = explain(error)
    } finally {
      this.loading.value = false
    }
  }

  /** Shows an image's newest state, and follows it until it is developed, and can be played where it is to be. */
  put(image: Image): void {
    this.deleted.delete(image.id)
    this.images.value = placed(this.images.value, image)
    if (!isSettled(image)) void this.followDevelopment(image.id)
  }

  async fetch(id: string): Promise<Image> {
    const image = await this.api.image(id)
    this.put(image)
    return image
  }

  /** Signed URLs expire. Asks for fresh ones when a picture did not load, at most once a minute an image. */
  refreshUrls(id: string): void {
    const now = Date.now()
    if (now - (this.refreshed.get(id) ?? 0) < 60_000) return
    this.refreshed.set(id, now)
    this.fetch(id).catch(() => undefined) // The broken picture's alternative text stays; nothing more to say.
  }

  /** Rejects with status 412 when another change came first. */
  async change(image: Image, change: ImageChange): Promise<Image> {
    return this.take(await this.api.changeImage(image.id, image.version, change))
  }

  async setShared(id: string, shared: boolean): Promise<Image> {
    return this.take(await (shared ? this.api.share(id) : this.api.unshare(id)))
  }

  /** What the photo has looked like, the newest first; the last is the upload. */
  async versions(id: string): Promise<ImageVersion[]> {
    return (await this.api.versions(id)).items
  }

  /** What is known of the contents of an asset. */
  found(image: Image): Promise<Found> {
    return findIn(this.api, image)
  }

  waveform(id: string): Promise<Waveform> {
    return this.api.waveform(id)
  }

  /** What is said in a video or a sound, as WebVTT. */
  captions(id: string): Promise<string> {
    return this.api.captions(id)
  }

  /** The text of a document, with a form feed between pages. */
  text(id: string): Promise<string> {
    return this.api.text(id)
  }

  /** Shows an earlier picture again. Rejects with status 412 when another change came first, whose state is then shown. */
  async revert(image: Image, revision: number): Promise<Image> {
    try {
      return this.take(await this.api.revert(image.id, image.version, revision))
    } catch (error) {
      if (error instanceof ApiError && error.status === 412) await this.fetch(image.id)
      throw error
    }
  }

  async delete(id: string): Promise<void> {
    await this.api.deleteImage(id)
    this.deleted.add(id)
    this.images.value = this.images.value.filter((image) => image.id !== id)
  }

  async restore(id: string): Promise<Image> {
    return this.take(await this.api.restore(id))
  }

  stop(): void {
    this.stopped.abort()
  }

  private take(image: Image): Image {
    this.put(image)
    return image
  }

  private async followDevelopment(id: string): Promise<void> {
    if (this.followed.has(id)) return
    this.followed.add(id)
    try {
      await follow({
        ask: () => this.api.image(id),
        isDone: (image) => isSettled(image) || this.deleted.has(id),
        onAnswer: (image) => {
          // An answer that was on its way while the photo was deleted must not bring its tile back.
          if (!this.deleted.has(id)) this.put(image)
        },
        signal: this.stopped.signal,
      })
    } catch (error) {
      if (error instanceof ApiError && error.status === 404) {
        this.images.value = this.images.value.filter((image) => image.id !== id)
      }
    } finally {
      this.followed.delete(id)
    }
  }
}
