import { ApiError } from './problem'

export interface UploadOptions {
  signal: AbortSignal
  /** Called with the part of the body that was sent, 0 to 1. */
  onProgress: (part: number) => void
}

export interface RawAnswer {
  status: number
  body: string
}

/**
 * Header values are ASCII, file names are not: whatever is not printable ASCII travels percent-encoded
 * in UTF-8, and '%' with it so that the server can decode without guessing.
 */
export function filenameHeader(name: string): string {
  return name.replace(/[^\x20-\x7e]+|%/g, (part) => {
    try {
      return encodeURIComponent(part)
    } catch {
      return '_' // A lone surrogate, which no encoding has.
    }
  })
}

/** Sends a file with XMLHttpRequest, because fetch tells nothing about the progress of a body. */
export function sendWithProgress(
  url: string, file: File, csrfToken: string, { signal, onProgress }: UploadOptions,
): Promise<RawAnswer> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) {
      reject(new DOMException('canceled', 'AbortError'))
      return
    }
    const request = new XMLHttpRequest()
    const abort = () => request.abort()
    signal.addEventListener('abort', abort)
    request.upload.onprogress = (event) => {
      if (event.lengthComputable && event.total > 0) onProgress(event.loaded / event.total)
    }
    request.onload = () => resolve({ status: request.status, body: request.responseText })
    request.onerror = () => reject(ApiError.unreachable())
    request.onabort = () => reject(new DOMException('canceled', 'AbortError'))
    request.onloadend = () => signal.removeEventListener('abort', abort)
    request.open('POST', url)
    request.setRequestHeader('Content-Type', file.type || 'application/octet-stream')
    request.setRequestHeader('X-Filename', filenameHeader(file.name))
    request.setRequestHeader('Accept', 'application/json')
    if (csrfToken !== '') request.setRequestHeader('X-CSRF-Token', csrfToken)
    request.send(file)
  })
}
