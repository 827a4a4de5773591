import { expect, it, vi } from 'vitest'
import { sendResumable } from './upload'

/** A tus client that sends nothing, and tells how it was ended. */
const ended = vi.hoisted(() => vi.fn<(terminate: boolean, retryDelays: number[] | null) => void>())
vi.mock('tus-js-client', () => ({
  DetailedError: class extends Error {},
  Upload: class {
    url = null
    constructor(_file: File, public options: { retryDelays: number[] | null }) {}
    findPreviousUploads = async () => []
    start() { /* Until it is aborted. */ }
    async abort(terminate: boolean) { ended(terminate, this.options.retryDelays) }
  },
}))

// The server may be at the last request when the next one ends the upload: that is tried more than once.
it('insists on giving up what was canceled', async () => {
  const canceled = new AbortController()
  const sent = sendResumable('/api/v1/uploads', new Blob(['bytes']) as File, () => '', {}, {
    signal: canceled.signal, onProgress: () => undefined, onStalled: () => undefined,
  })
  canceled.abort()
  await expect(sent).rejects.toThrow('canceled')
  expect(ended).toHaveBeenCalledOnce()
  const [terminate, retryDelays] = ended.mock.calls[0] ?? []
  expect(terminate).toBe(true)
  expect(retryDelays?.length).toBeGreaterThan(3)
})
