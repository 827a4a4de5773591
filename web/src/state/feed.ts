import { signal } from '@preact/signals'
import type { Api } from '../api/client'
import { explain } from '../api/problem'
import type { FeedImage } from '../api/types'

/** The photos that everybody shared, as far as they were loaded. */
export class Feed {
  readonly images = signal<readonly FeedImage[]>([])
  readonly loading = signal(false)
  readonly complete = signal(false)
  readonly error = signal('')
  private cursor: string | undefined
  private refreshed = 0

  constructor(private readonly api: Api) {}

  find(id: string): FeedImage | undefined {
    return this.images.value.find((image) => image.imageId === id)
  }

  /** Starts over, because others share and unshare meanwhile. What is shown stays until the answer is there. */
  async reload(): Promise<void> {
    this.cursor = undefined
    this.complete.value = false
    await this.load((page) => page)
  }

  async loadMore(): Promise<void> {
    if (this.complete.value) return
    await this.load((page) => {
      const known = new Set(this.images.value.map((image) => image.imageId))
      return [...this.images.value, ...page.filter((image) => !known.has(image.imageId))]
    })
  }

  /** Signed URLs expire, all of them at about the same time. Asks for fresh ones of all that is shown when a picture did not
   * load, at most once a minute. */
  async refreshUrls(): Promise<void> {
    const now = Date.now()
    if (this.loading.value || now - this.refreshed < 60_000) return
    this.refreshed = now
    this.loading.value = true
    try {
      const fresh = new Map<string, FeedImage>()
      let cursor: string | undefined
      do {
        const page = await this.api.feed(cursor)
        for (const image of page.images) fresh.set(image.imageId, image)
        cursor = page.lastEvaluatedKey ?? undefined
      } while (cursor !== undefined && fresh.size < this.images.value.length)
      this.images.value = [...fresh.values()]
      this.cursor = cursor
      this.complete.value = cursor === undefined
    } catch {
      // The broken picture's alternative text stays; nothing more to say.
    } finally {
      this.loading.value = false
    }
  }

  private async load(merge: (page: FeedImage[]) => readonly FeedImage[]): Promise<void> {
    if (this.loading.value) return
    this.loading.value = true
    this.error.value = ''
    try {
      const page = await this.api.feed(this.cursor)
      this.images.value = merge(page.images)
      this.cursor = page.lastEvaluatedKey ?? undefined
      this.complete.value = this.cursor === undefined
    } catch (error) {
      this.error.value = explain(error)
    } finally {
      this.loading.value = false
    }
  }
}
