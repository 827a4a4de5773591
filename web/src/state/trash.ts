import { signal } from '@preact/signals'
import type { Api } from '../api/client'
import { explain } from '../api/problem'
import type { Image } from '../api/types'
import type { Library } from './library'

const DAY_MILLISECONDS = 24 * 60 * 60 * 1000

/** How many days an image in the trash has left, counting the one that has begun: 1 is the last one. */
export function daysLeft(image: Pick<Image, 'deletesAt'>, now: number): number {
  const left = new Date(image.deletesAt ?? now).getTime() - now
  return Math.max(1, Math.ceil(left / DAY_MILLISECONDS))
}

/** How many days the trash keeps what it was given, by what is in it; undefined when that tells nothing. */
export function daysKept(images: readonly Pick<Image, 'trashedAt' | 'deletesAt'>[]): number | undefined {
  const kept = images.flatMap(({ trashedAt, deletesAt }) =>
    (trashedAt !== undefined && deletesAt !== undefined ? [Date.parse(deletesAt) - Date.parse(trashedAt)] : []))
  const days = Math.round(Math.max(...kept) / DAY_MILLISECONDS)
  return Number.isFinite(days) && days >= 1 ? days : undefined
}

/** What the signed-in person has in the trash, as far as it was loaded, what came last first. */
export class Trash {
  readonly images = signal<readonly Image[]>([])
  readonly loading = signal(false)
  readonly complete = signal(false)
  readonly error = signal('')
  /** True while the server still looks for photos that an earlier version put there. */
  readonly searching = signal(false)
  private cursor: string | undefined
  /** Raised by whatever makes an answer that is on its way worthless. */
  private turn = 0
  private refreshed = 0

  constructor(private readonly api: Api, private readonly library: Library) {}

  /** Starts over, because photos come and go elsewhere. What is shown stays until the answer is there. */
  async reload(): Promise<void> {
    this.begin(false)
    await this.load((page) => page)
  }

  async loadMore(): Promise<void> {
    if (this.complete.value || this.loading.value) return
    await this.load((page) => {
      const known = new Set(this.images.value.map(({ id }) => id))
      return [...this.images.value, ...page.filter(({ id }) => !known.has(id))]
    })
  }

  /** Signed URLs expire, all of them at about the same time. Asks for fresh ones when a picture did not load, at most once a minute. */
  refreshUrls(): void {
    const now = Date.now()
    if (now - this.refreshed < 60_000) return
    this.refreshed = now
    void this.reload()
  }

  async restore(id: string): Promise<void> {
    await this.library.restore(id)
    this.forget(id)
  }

  /** Nothing brings it back. */
  async deleteForGood(id: string): Promise<void> {
    await this.api.deleteForGood(id)
    this.forget(id)
  }

  /** Deletes all of it for good, also what is not loaded. The server goes on with it by itself. */
  async empty(): Promise<void> {
    await this.api.emptyTrash()
    this.begin(true)
    this.images.value = []
  }

  /** It is not in the trash any more, whoever took it out. */
  forget(id: string): void {
    this.images.value = this.images.value.filter((image) => image.id !== id)
  }

  private begin(complete: boolean): void {
    this.turn += 1
    this.cursor = undefined
    this.loading.value = false
    this.complete.value = complete
    this.error.value = ''
  }

  private async load(merge: (page: Image[]) => readonly Image[]): Promise<void> {
    const turn = this.turn
    this.loading.value = true
    this.error.value = ''
    try {
      const found: Image[] = []
      let more: boolean
      let cursor = this.cursor
      do {
        const page = await this.api.trash(cursor)
        if (turn !== this.turn) return
        found.push(...page.items)
        cursor = page.lastEvaluatedKey ?? undefined
        more = page.hasMore && cursor !== undefined
        this.searching.value = page.complete === false
        // While much is being deleted there are pages without anything to show.
      } while (found.length === 0 && more)
      this.images.value = merge(found)
      this.cursor = cursor
      this.complete.value = !more
    } catch (error) {
      if (turn === this.turn) this.error.value = explain(error)
    } finally {
      if (turn === this.turn) this.loading.value = false
    }
  }
}
