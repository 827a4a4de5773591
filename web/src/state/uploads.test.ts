import { describe, expect, it, vi } from 'vitest'
import type { UploadAnswer } from '../api/client'
import { ApiError } from '../api/problem'
import type { UploadOptions } from '../api/upload'
import { isMeant, Uploads } from './uploads'

/** Uploads whose sending ends when the test says so. */
function setUp() {
  const sending: { file: File; options: UploadOptions; resolve: (answer: UploadAnswer) => void; reject: (error: unknown) => void }[] = []
  const onUploaded = vi.fn()
  const uploads = new Uploads({
    send: (file, options) => new Promise((resolve, reject) => {
      sending.push({ file, options, resolve, reject })
      options.signal.addEventListener('abort', () => reject(new DOMException('canceled', 'AbortError')))
    }),
    onUploaded,
  })
  const states = () => uploads.items.value.map(({ file, status }) => `${file.name} ${status}`)
  return { uploads, sending, states, onUploaded }
}

// Node.js 18 has no File; the queue looks at nothing but these.
const file = (name: string, type = 'image/jpeg') => ({ name, type, size: 1 }) as File
const files = (...names: string[]) => names.map((name) => file(name))
const done = (duplicate = false, restored = false) => ({ image: { id: 'i' }, duplicate, restored }) as UploadAnswer
const settle = () => new Promise((resolve) => setTimeout(resolve))

describe('Uploads', () => {
  // Three at a time, in order; a finished one makes room and leaves the list.
  it('keeps three on their way', async () => {
    const { uploads, sending, states, onUploaded } = setUp()
    uploads.add(files('a', 'b', 'c', 'd'))
    expect(states()).toEqual(['a sending', 'b sending', 'c sending', 'd waiting'])
    sending[1]?.resolve(done())
    await settle()
    expect(states()).toEqual(['a sending', 'c sending', 'd sending'])
    expect(onUploaded).toHaveBeenCalledOnce()
    expect([uploads.finished.value, uploads.total.value]).toEqual([1, 4])
  })

  it('cancels one and goes on with the next', async () => {
    const { uploads, sending, states } = setUp()
    uploads.add(files('a', 'b', 'c', 'd'))
    uploads.remove(uploads.items.value[0]?.id ?? 0)
    await settle()
    expect(sending[0]?.options.signal.aborted).toBe(true)
    expect(states()).toEqual(['b sending', 'c sending', 'd sending'])
  })

  it('keeps a failed one with its reason until it is tried again', async () => {
    const { uploads, sending, states } = setUp()
    uploads.add(files('a'))
    sending[0]?.reject(new ApiError({ status: 413 }))
    await settle()
    expect(uploads.items.value[0]).toMatchObject({ status: 'failed', message: expect.stringMatching(/too large/) })
    uploads.retry(uploads.items.value[0]?.id ?? 0)
    expect(states()).toEqual(['a sending'])
    sending[1]?.resolve(done())
    await settle()
    expect(states()).toEqual([])
    expect([uploads.finished.value, uploads.total.value]).toEqual([1, 1])
  })

  // A line that is down is no failure.
  it('says that one waits for the line', () => {
    const { uploads, sending } = setUp()
    uploads.add(files('a'))
    sending[0]?.options.onStalled(true)
    expect(uploads.items.value[0]).toMatchObject({ status: 'sending', stalled: true })
    sending[0]?.options.onStalled(false)
    sending[0]?.options.onProgress(0.5)
    expect(uploads.items.value[0]).toMatchObject({ status: 'sending', stalled: false, progress: 0.5 })
  })

  // Bodies that would be sent in vain are not sent.
  it('stops the queue when the limit is used up', async () => {
    const { uploads, sending, states } = setUp()
    uploads.add(files('a', 'b', 'c', 'd', 'e'))
    sending[0]?.reject(new ApiError({ status: 403, code: 'UploadLimitReached' }))
    await settle()
    expect(states()).toEqual(['a failed', 'b sending', 'c sending', 'd failed', 'e failed'])
    expect(sending.length).toBe(3)
  })

  it('points to the photo of a duplicate', async () => {
    const { uploads, sending } = setUp()
    uploads.add(files('a'))
    sending[0]?.resolve(done(true))
    await settle()
    expect(uploads.items.value[0]).toMatchObject({ status: 'duplicate', imageId: 'i', restored: false })
    uploads.clearSettled()
    expect(uploads.items.value).toEqual([])
  })

  it('tells of a duplicate that came back from the trash', async () => {
    const { uploads, sending } = setUp()
    uploads.add(files('a'))
    sending[0]?.resolve(done(true, true))
    await settle()
    expect(uploads.items.value[0]).toMatchObject({ status: 'duplicate', imageId: 'i', restored: true })
  })

  // The server keeps files of every type.
  it('sends whatever it is given', () => {
    const { uploads, sending } = setUp()
    uploads.add([file('film.mp4', 'video/mp4'), file('notes', '')])
    expect(sending.map((sent) => sent.file.name)).toEqual(['film.mp4', 'notes'])
  })
})

it.each([['film.mp4', true], ['Notes', true], ['.DS_Store', false], ['.git', false], ['Thumbs.db', false], ['~$letter.docx', false], ['__MACOSX', false]])(
  'knows whether %s in a folder is meant', (name, meant) => expect(isMeant(name)).toBe(meant))
