import { DetailedError, Upload } from 'tus-js-client'
import { ApiError, problemFrom } from './problem'

export interface UploadOptions {
  signal: AbortSignal
  /** Called with the part of the file that was sent, 0 to 1. */
  onProgress: (part: number) => void
  /** Called with true when the line is down and the upload waits for it, with false when it goes on. */
  onStalled: (stalled: boolean) => void
}

/** Where an upload that has begun is, for who has to begin anew with it. */
export interface UploadPlace {
  url?: string
}

export interface SentUpload {
  imageId: string
  /** True when the server had these bytes already. */
  duplicate: boolean
  /** True when the photo that has them was in the trash, and has come back. */
  restored: boolean
}

/** How long to wait after so many failures in a row; the last is for all further ones. */
const WAITS_MILLISECONDS = [500, 1_000, 2_000, 5_000, 10_000, 30_000]
const FAILURES_MAX = 100
/** Beginnings of one file: an upload that the server has forgotten is begun anew, but not for ever. */
const CREATIONS_MAX = 3
const CHUNK_BYTES = 64 * 1024 * 1024

/** Uploads that this page is at: another file of the same name and size must not go on with one of them. */
const places = new Set<string>()

/** Whether trying again may help: there was no answer, or one that says to come back. */
function isPassing(status: number): boolean {
  return status === 0 || status === 409 || status === 423 || status >= 500
}

function statusOf(error: Error): { status: number; body: string } {
  const response = error instanceof DetailedError ? error.originalResponse : null
  return { status: response?.getStatus() ?? 0, body: response?.getBody() ?? '' }
}

/** Waits, or until the browser says that the line is back. */
function waitForLine(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer)
      window.removeEventListener('online', end)
      signal.removeEventListener('abort', end)
      resolve()
    }
    const timer = setTimeout(end, milliseconds)
    window.addEventListener('online', end)
    signal.addEventListener('abort', end)
  })
}

/**
 * Sends a file by tus, which goes on where it was after the line was cut, the server started anew or, with the same file, the
 * page was closed. Rejects with an ApiError, or when the signal fired, with an AbortError; then the server gives the upload up.
 */
export async function sendResumable(
  endpoint: string, file: File, csrfToken: () => string, place: UploadPlace, { signal, onProgress, onStalled }: UploadOptions,
): Promise<SentUpload> {
  const canceled = () => new DOMException('canceled', 'AbortError')
  if (signal.aborted) throw canceled()
  let creations = 0
  let failures = 0
  let settle: { resolve: (sent: SentUpload) => void; reject: (error: unknown) => void } | undefined
  const upload = new Upload(file, {
    endpoint,
    uploadUrl: place.url ?? null,
    chunkSize: CHUNK_BYTES,
    retryDelays: null,
    removeFingerprintOnSuccess: true,
    metadata: { filename: file.name },
    onBeforeRequest: (request) => {
      if (csrfToken() !== '') request.setHeader('X-CSRF-Token', csrfToken())
    },
    onUploadUrlAvailable: () => {
      if (upload.url === null || upload.url === place.url) return
      if (place.url !== undefined) places.delete(place.url)
      place.url = upload.url
      places.add(upload.url)
      creations += 1
    },
    onProgress: (sent, total) => {
      if (sent > 0) failures = 0
      onStalled(false)
      onProgress(total > 0 ? sent / total : 0)
    },
    onSuccess: ({ lastResponse }) => settle?.resolve({
      imageId: lastResponse.getHeader('X-Image-Id') ?? '', duplicate: lastResponse.getHeader('X-Image-Duplicate') === 'true',
      restored: lastResponse.getHeader('X-Image-Restored') === 'true',
    }),
    onError: (error) => settle?.reject(error),
  })
  const abort = () => {
    // The server may still be at the request that ends here: giving the upload up is tried again.
    upload.options.retryDelays = WAITS_MILLISECONDS
    upload.abort(true).catch(() => undefined) // What cannot be given up then expires.
    settle?.reject(canceled())
  }
  signal.addEventListener('abort', abort)
  try {
    if (place.url === undefined) {
      const previous = (await upload.findPreviousUploads()).find(({ uploadUrl }) => uploadUrl !== null && !places.has(uploadUrl))
      if (previous !== undefined) upload.resumeFromPreviousUpload(previous)
    }
    for (;;) {
      try {
        return await new Promise<SentUpload>((resolve, reject) => {
          settle = { resolve, reject }
          if (signal.aborted) reject(canceled())
          else upload.start()
        })
      } catch (error) {
        if (!(error instanceof Error) || error instanceof DOMException || signal.aborted) throw signal.aborted ? canceled() : error
        const { status, body } = statusOf(error)
        failures += 1
        if (!isPassing(status) || failures > FAILURES_MAX || creations > CREATIONS_MAX) {
          throw status === 0 ? ApiError.unreachable() : new ApiError(problemFrom(status, body))
        }
        onStalled(true)
        await waitForLine(WAITS_MILLISECONDS[Math.min(failures, WAITS_MILLISECONDS.length) - 1] ?? 0, signal)
      }
    }
  } finally {
    signal.removeEventListener('abort', abort)
    if (place.url !== undefined) places.delete(place.url)
  }
}
