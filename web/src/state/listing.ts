import { signal } from '@preact/signals'
import { explain } from '../api/problem'

/** A part of a list as the API answers it; lists without pages have only items. */
export interface ListPart<T> {
  items: readonly T[]
  lastEvaluatedKey?: string | null
  hasMore?: boolean
}

/** How many parts without anything in them are asked for in a row. */
const EMPTY_PARTS_MAX = 10

/** A list that is loaded part by part. An answer that a newer question has overtaken is dropped. */
export class Listing<T> {
  readonly items = signal<readonly T[]>([])
  readonly loading = signal(false)
  /** True once there was an answer: until then, nothing says that the list is empty. */
  readonly known = signal(false)
  readonly complete = signal(false)
  readonly error = signal('')
  private cursor: string | undefined
  private turn = 0

  constructor(private readonly ask: (cursor?: string) => Promise<ListPart<T>>, private readonly keyOf: (item: T) => string) {}

  /** Starts over. What is shown stays until the answer is there. */
  async reload(): Promise<void> {
    this.turn += 1
    this.cursor = undefined
    await this.load((found) => found)
  }

  /** Starts over with nothing: the question is another one. */
  async restart(): Promise<void> {
    this.items.value = []
    this.known.value = false
    this.complete.value = false
    await this.reload()
  }

  async loadMore(): Promise<void> {
    if (this.loading.value || this.complete.value) return
    await this.load((found) => {
      const shown = new Set(this.items.value.map(this.keyOf))
      return [...this.items.value, ...found.filter((item) => !shown.has(this.keyOf(item)))]
    })
  }

  /** What the server answered about one entry: in its place, or first if it is new. */
  put(item: T): void {
    const key = this.keyOf(item)
    const known = this.items.value.some((other) => this.keyOf(other) === key)
    this.items.value = known ? this.items.value.map((other) => (this.keyOf(other) === key ? item : other)) : [item, ...this.items.value]
  }

  remove(key: string): void {
    this.items.value = this.items.value.filter((item) => this.keyOf(item) !== key)
  }

  private async load(merge: (found: T[]) => readonly T[]): Promise<void> {
    const turn = this.turn
    this.loading.value = true
    this.error.value = ''
    try {
      const found: T[] = []
      let { cursor } = this
      let more = true
      for (let parts = 0; parts < EMPTY_PARTS_MAX && found.length === 0 && more; ++parts) {
        const part = await this.ask(cursor)
        if (turn !== this.turn) return
        found.push(...part.items)
        cursor = part.lastEvaluatedKey ?? undefined
        more = cursor !== undefined && part.hasMore !== false
      }
      this.items.value = merge(found)
      this.cursor = cursor
      this.complete.value = !more
      this.known.value = true
    } catch (error) {
      if (turn === this.turn) this.error.value = explain(error)
    } finally {
      if (turn === this.turn) this.loading.value = false
    }
  }
}
