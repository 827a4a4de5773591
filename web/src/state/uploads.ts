import { signal } from '@preact/signals'
import type { UploadAnswer } from '../api/client'
import { ApiError, explain } from '../api/problem'
import type { UploadOptions } from '../api/upload'

export type UploadStatus = 'waiting' | 'sending' | 'duplicate' | 'failed'

/** One file on its way. A finished one leaves the list: its tile stands for it from then on. */
export interface Upload {
  readonly id: number
  readonly file: File
  readonly status: UploadStatus
  /** The part that was sent, 0 to 1. */
  readonly progress: number
  /** The line is down: it goes on by itself when it is back. */
  readonly stalled?: boolean
  /** Why it failed, in words. */
  readonly message?: string
  /** The photo that has the same bytes, of a duplicate. */
  readonly imageId?: string
  /** That photo was in the trash, and has come back. */
  readonly restored?: boolean
}

const SENDING_LIMIT = 3

export interface UploadsOptions {
  send: (file: File, options: UploadOptions) => Promise<UploadAnswer>
  onUploaded: (answer: UploadAnswer, file: File) => void
}

/** What systems leave in folders by themselves. */
const LEFT_BY_SYSTEMS: ReadonlySet<string> = new Set(['thumbs.db', 'desktop.ini', '$recycle.bin', '__macosx'])

/** Whether somebody who uploads a folder means this file, or folder, in it. */
export function isMeant(name: string): boolean {
  return !name.startsWith('.') && !name.startsWith('~$') && !LEFT_BY_SYSTEMS.has(name.toLowerCase())
}

/** The queue of uploads: three at a time, in the order they came. */
export class Uploads {
  readonly items = signal<readonly Upload[]>([])
  /** Of the uploads since the queue was last empty: how many there were, and how many are done. */
  readonly total = signal(0)
  readonly finished = signal(0)
  private nextId = 1
  private readonly aborts = new Map<number, AbortController>()

  constructor(private readonly options: UploadsOptions) {}

  add(files: readonly File[]): void {
    if (!this.isBusy()) {
      this.total.value = 0
      this.finished.value = 0
    }
    this.total.value += files.length
    const added = files.map((file): Upload => ({ id: this.nextId++, file, status: 'waiting', progress: 0 }))
    this.items.value = [...this.items.value, ...added]
    this.sendNext()
  }

  /** True while files wait or are being sent. */
  isBusy(): boolean {
    return this.items.value.some((upload) => upload.status === 'waiting' || upload.status === 'sending')
  }

  /** Stops an upload, or takes a failed one off the list. */
  remove(id: number): void {
    const upload = this.items.value.find((other) => other.id === id)
    if (upload === undefined) return
    this.items.value = this.items.value.filter((other) => other.id !== id)
    if (upload.status === 'waiting' || upload.status === 'sending') this.total.value -= 1
    this.aborts.get(id)?.abort()
    this.sendNext()
  }

  retry(id: number): void {
    this.items.value = this.items.value.map((upload) =>
      upload.id === id && upload.status === 'failed'
        ? { id, file: upload.file, status: 'waiting' as const, progress: 0 }
        : upload,
    )
    this.finished.value = Math.max(0, this.finished.value - 1)
    this.sendNext()
  }

  /** Takes off the list what needs nobody's attention any more. */
  clearSettled(): void {
    this.items.value = this.items.value.filter(({ status }) => status === 'waiting' || status === 'sending')
  }

  stop(): void {
    this.items.value = []
    for (const abort of this.aborts.values()) abort.abort()
  }

  private sendNext(): void {
    while (this.aborts.size < SENDING_LIMIT) {
      const next = this.items.value.find((upload) => upload.status === 'waiting')
      if (next === undefined) return
      void this.send(next)
    }
  }

  private async send({ id, file }: Upload): Promise<void> {
    const abort = new AbortController()
    this.aborts.set(id, abort)
    this.update(id, { status: 'sending' })
    try {
      const answer = await this.options.send(file, {
        signal: abort.signal,
        onProgress: (progress) => this.update(id, { progress }),
        onStalled: (stalled) => this.update(id, { stalled }),
      })
      this.finished.value += 1
      if (answer.duplicate) this.update(id, { status: 'duplicate', progress: 1, imageId: answer.image.id, restored: answer.restored })
      else this.items.value = this.items.value.filter((upload) => upload.id !== id)
      this.options.onUploaded(answer, file)
    } catch (error) {
      if (!abort.signal.aborted) this.fail(id, error)
    } finally {
      this.aborts.delete(id)
      this.sendNext()
    }
  }

  private fail(id: number, error: unknown): void {
    const message = explain(error)
    // When the limit is used up the files behind this one would be sent in vain.
    const hopeless = error instanceof ApiError && error.problem.code === 'UploadLimitReached'
    this.items.value = this.items.value.map((upload) => {
      if (upload.id !== id && !(hopeless && upload.status === 'waiting')) return upload
      this.finished.value += 1
      return { ...upload, status: 'failed' as const, message }
    })
  }

  private update(id: number, change: Partial<Upload>): void {
    this.items.value = this.items.value.map((upload) => (upload.id === id ? { ...upload, ...change } : upload))
  }
}
