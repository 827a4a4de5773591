import { signal } from '@preact/signals'
import type { Api } from '../api/client'
import { ApiError } from '../api/problem'
import type { Job, JobStatus, EditOperation } from '../api/types'
import { follow } from './follow'
import type { Library } from './library'

/** The edits under way, by image id. They go on when their viewer is closed. */
export class Jobs {
  readonly running = signal<ReadonlyMap<string, JobStatus>>(new Map())
  private readonly stopped = new AbortController()

  constructor(private readonly api: Api, private readonly library: Library) {}

  /** Starts an edit and follows it to its end. Rejects with the reason when it fails. */
  async edit(imageId: string, operations: EditOperation[]): Promise<void> {
    this.show(imageId, 'QUEUED')
    try {
      let job: Job = await this.api.startJob(imageId, operations)
      await follow({
        ask: () => this.api.job(job.jobId),
        isDone: ({ status }) => status === 'COMPLETED' || status === 'FAILED',
        onAnswer: (answer) => {
          job = answer
          this.show(imageId, answer.status)
        },
        signal: this.stopped.signal,
      })
      if (job.status === 'FAILED') {
        throw new ApiError({ status: 0, code: 'EditFailed', detail: job.error?.message ?? 'The edit failed.' })
      }
      if (!this.stopped.signal.aborted) await this.library.fetch(imageId)
    } finally {
      this.show(imageId, undefined)
    }
  }

  stop(): void {
    this.stopped.abort()
  }

  private show(imageId: string, status: JobStatus | undefined): void {
    const running = new Map(this.running.value)
    if (status) running.set(imageId, status)
    else running.delete(imageId)
    this.running.value = running
  }
}
