import { describe, expect, it, vi } from 'vitest'
import type { Api } from '../api/client'
import { ApiError } from '../api/problem'
import { LIMITS, type EditOperation, type FeedImage, type Image, type ImageVersion } from '../api/types'
import { changeBetween, fieldsOf, parseTags, rebased, savedOver, tooLong } from './details'
import { boxFromPixels, boxInPixels, editsOf, moved, NO_EDITS, operationsOf, resized, turned } from './edits'
import { Feed } from './feed'
import { delayBefore, follow } from './follow'
import { Library, placed } from './library'
import { drawnWidth, ratioOf, sizesOf, srcsetOf } from './pictures'
import { hashOf, parseRoute } from './router_paths'
import { Toasts } from './toasts'
import { bytesOf, editStart, isEdited, pictureOf, versionWords } from './versions'

// Only what these tests look at, so that a new field of the contract does not have to be added here.
const image = (id: string, uploadedAt: string, more: Partial<Image> = {}) =>
  ({ id, uploadedAt, tags: [] as string[], version: 1, ...more }) as Image

describe('placed', () => {
  const list = [image('c', '3'), image('a', '1')]
  // Newest first, by id where the time is the same; an image that is there is replaced, never doubled.
  it.each([
    [image('d', '4'), 'dca'], [image('b', '2'), 'cba'], [image('0', '0'), 'ca0'], [image('b', '3'), 'cba'], [image('d', '3'), 'dca'],
    [image('a', '1', { title: 'new' }), 'ca'],
  ])('puts %o in its place', (one, order) => {
    const result = placed(list, one)
    expect(result.map(({ id }) => id).join('')).toBe(order)
    expect(result).toContain(one)
  })
})

describe('details', () => {
  it('splits tags at commas, each once', () => expect(parseTags(' a, b  c ,,a,')).toEqual(['a', 'b c']))

  // Characters are counted as the contract counts them: a camera is one, though JavaScript says two.
  it('finds what is too long', () => {
    const { Title, AltText, Tag, Tags } = LIMITS
    const fields = { title: '', description: '', altText: '', tags: '' }
    expect(tooLong({ ...fields, title: '📷'.repeat(Title.maxLength), altText: '写'.repeat(AltText.maxLength) })).toBeUndefined()
    expect(tooLong({ ...fields, title: '📷'.repeat(Title.maxLength + 1) }))
      .toBe(`The title has ${Title.maxLength + 1} characters; the limit is ${Title.maxLength}.`)
    expect(tooLong({ ...fields, altText: '写'.repeat(AltText.maxLength + 1) })).toMatch(/^The alternative text has/)
    expect(tooLong({ ...fields, tags: `a, ${'é'.repeat(Tag.maxLength + 1)}` })).toMatch(/^The tag “é{20}…” has/)
    expect(tooLong({ ...fields, tags: Array.from({ length: Tags.maxItems + 1 }, (_, n) => `t${n}`).join() })).toMatch(/at most/)
  })

  // Only what differs is sent, and an emptied field is taken away.
  it('finds what changed', () => {
    const before = image('a', '1', { title: 'T', altText: 'alt', tags: ['x'] })
    expect(changeBetween(before, fieldsOf(before))).toBeUndefined()
    expect(changeBetween(before, { ...fieldsOf(before), title: ' T ' })).toBeUndefined()
    expect(changeBetween(before, { title: '', description: 'D', altText: 'alt', tags: 'x, y' })).toEqual({
      title: null, description: 'D', tags: ['x', 'y'],
    })
  })

  // A conflict keeps what was typed and nothing else of the old state.
  it('carries a draft over to a newer state', () => {
    const base = image('a', '1', { title: 'old', tags: ['x'] })
    const newer = image('a', '1', { title: 'theirs', tags: ['y'], version: 2 })
    const draft = { base, fields: { ...fieldsOf(base), title: 'mine' } }
    expect(rebased(draft, newer)).toEqual({ base: newer, fields: { ...fieldsOf(newer), title: 'mine' } })
  })

  // Only a change of what the form holds is a conflict.
  it('names the version that it saw', () => {
    const base = image('a', '1', { title: 'old' })
    const draft = { base, fields: { ...fieldsOf(base), title: 'mine' } }
    expect(savedOver(draft, { ...base, visibility: 'shared', version: 2 }).version).toBe(2)
    expect(savedOver(draft, { ...base, title: 'theirs', version: 2 }).version).toBe(1)
  })
})

describe('edits', () => {
  const picture = { width: 400, height: 200 }
  const crop = { left: 0.1, top: 0.2, width: 0.5, height: 0.4 }

  // Four quarter turns are none, and left undoes right.
  it('turns the crop with the picture', () => {
    const there = turned({ ...NO_EDITS, crop }, 1)
    expect(there.crop).toMatchObject({ left: expect.closeTo(0.4), top: 0.1, width: 0.4, height: 0.5 })
    const back = turned(there, 3)
    expect(back.quarterTurns).toBe(0)
    expect(back.crop).toMatchObject({ left: expect.closeTo(0.1), top: expect.closeTo(0.2) })
  })

  // The crop counts in pixels of the turned picture, so it comes after the rotation.
  it('makes operations in order', () => {
    expect(operationsOf(NO_EDITS, picture)).toEqual([])
    expect(operationsOf({ quarterTurns: 1, crop, autoLevels: true, blackAndWhite: true }, picture)).toEqual([
      { op: 'rotate', degrees: 90 },
      { op: 'crop', left: 20, top: 80, width: 100, height: 160 },
      { op: 'auto_levels' },
      { op: 'black_and_white' },
    ])
  })

  // What the page has sent, it can open again without a pixel's difference.
  it('reads its own operations back', () => {
    const odd = { width: 401, height: 199 }
    for (const quarterTurns of [0, 1, 2, 3]) {
      const sent = operationsOf({ quarterTurns, crop, autoLevels: true, blackAndWhite: true }, odd)
      expect(operationsOf(editsOf(sent, odd), odd)).toEqual(sent)
    }
    expect(editsOf([], odd)).toEqual(NO_EDITS)
  })

  // Others may crop twice, and turn in between.
  it('reads the operations of other programs', () => {
    const operations: EditOperation[] = [
      { op: 'crop', left: 100, top: 50, width: 200, height: 100 },
      { op: 'rotate', degrees: 90 },
      { op: 'crop', left: 10, top: 20, width: 30, height: 40 },
    ]
    expect(operationsOf(editsOf(operations, picture), picture)).toEqual([
      { op: 'rotate', degrees: 90 }, { op: 'crop', left: 60, top: 120, width: 30, height: 40 },
    ])
  })

  // However far a hand drags, the box stays inside and keeps a size.
  it.each(['nw', 'n', 'ne', 'e', 'se', 's', 'sw', 'w'])('keeps the box inside when %s is dragged', (handle) => {
    for (const [right, down] of [[5, 5], [-5, -5], [5, -5], [-5, 5]] as const) {
      for (const box of [resized(crop, handle, right, down), moved(crop, right, down)]) {
        const { left, top, width, height } = boxInPixels(box, picture)
        expect(Math.min(left, top)).toBeGreaterThanOrEqual(0)
        expect(Math.min(width, height)).toBeGreaterThanOrEqual(1)
        expect(left + width).toBeLessThanOrEqual(picture.width)
        expect(top + height).toBeLessThanOrEqual(picture.height)
      }
    }
  })

  it('brings typed numbers inside', () => {
    const box = boxFromPixels({ left: 390, top: -5, width: 50, height: 9999 }, picture)
    expect(boxInPixels(box, picture)).toEqual({ left: 350, top: 0, width: 50, height: 200 })
  })
})

describe('follow', () => {
  const wait = () => Promise.resolve()
  const signal = new AbortController().signal

  it('grows patient, within bounds', () => {
    expect(delayBefore(0, () => 0.5)).toBe(400)
    expect(delayBefore(1, () => 0.5)).toBe(600)
    expect(delayBefore(50, () => 1)).toBeLessThan(10_000)
  })

  // A server that is away is asked on; the last answer ends it.
  it('asks until the answer is final', async () => {
    const answers = [() => 1, () => { throw new ApiError({ status: 503 }) }, () => 2, () => 3]
    const seen: number[] = []
    await follow({ ask: async () => answers.shift()?.() ?? 0, isDone: (n) => n === 2, onAnswer: (n) => seen.push(n), signal, wait })
    expect(seen).toEqual([1, 2])
    expect(answers.length).toBe(1)
  })

  it('gives up when asking again cannot help', async () => {
    const gone = follow({ ask: () => Promise.reject(new ApiError({ status: 404 })), isDone: () => false, onAnswer: () => undefined, signal, wait })
    await expect(gone).rejects.toMatchObject({ status: 404 })
  })

  it('stops when told to', async () => {
    const abort = new AbortController()
    let asked = 0
    await follow({ ask: async () => ++asked, isDone: () => false, onAnswer: (n) => n === 3 && abort.abort(), signal: abort.signal, wait })
    expect(asked).toBe(3)
  })
})

describe('feed', () => {
  /** Three pages of one image each, whose links tell how often anything was asked for. */
  const serve = () => {
    const api = {
      asked: 0,
      async feed(cursor?: string) {
        api.asked++
        const page = Number(cursor ?? 0)
        const images = [{ imageId: `image ${page}`, sizes: { SMALL: `link ${api.asked}` } } as FeedImage]
        return { images, lastEvaluatedKey: page < 2 ? `${page + 1}` : null }
      },
    }
    return { api, feed: new Feed(api as unknown as Api) }
  }
  const links = (feed: Feed) => feed.images.value.map(({ sizes }) => sizes?.SMALL)

  // Whatever was loaded stays, with links that are good again, and more can be loaded behind it.
  it('asks for fresh links of all that is shown, once a minute', async () => {
    vi.useFakeTimers()
    try {
      const { api, feed } = serve()
      await feed.reload()
      await feed.loadMore()
      await Promise.all([feed.refreshUrls(), feed.refreshUrls()])
      await feed.refreshUrls()
      expect(links(feed)).toEqual(['link 3', 'link 4'])
      await feed.loadMore()
      expect(feed.images.value.map(({ imageId }) => imageId)).toEqual(['image 0', 'image 1', 'image 2'])
      vi.advanceTimersByTime(60_000)
      await feed.refreshUrls()
      expect(links(feed)).toEqual(['link 6', 'link 7', 'link 8'])
      expect(feed.complete.value).toBe(true)
      expect(api.asked).toBe(8)
    } finally {
      vi.useRealTimers()
    }
  })

  it('keeps what it has when the server is away', async () => {
    const { api, feed } = serve()
    await feed.reload()
    api.feed = () => Promise.reject(new ApiError({ status: 503 }))
    await feed.refreshUrls()
    expect([links(feed), feed.error.value, feed.loading.value]).toEqual([['link 1'], '', false])
  })
})

describe('pictures', () => {
  const sizes = { THUMB: 't', SMALL: 's', MEDIUM: 'm', LARGE: 'l' }
  // Widths follow the longest side, and a rendition that would be as large as a smaller one is left out.
  it.each([
    [{ width: 4000, height: 3000, sizes }, 't 256w, s 512w, m 1024w, l 2048w'],
    [{ width: 3000, height: 4000, sizes }, 't 192w, s 384w, m 768w, l 1536w'],
    [{ width: 300, height: 200, sizes }, 't 256w, s 300w'],
    [{ sizes }, ''],
    [{ width: 3, height: 2 }, ''],
  ])('lists %o', (measured, srcset) => expect(srcsetOf(measured)).toBe(srcset))

  it.each([
    [{ width: 300, height: 200 }, undefined, 1.5], [{}, { width: 1, height: 2 }, 0.5], [{ width: 0, height: 0 }, undefined, 1.5],
    [{ width: 9000, height: 10 }, undefined, 3.5],
  ])('gives %o with %o its place', (measured, preview, ratio) => expect(ratioOf(measured, preview)).toBe(ratio))

  // A picture covers its tile: one that is wider is drawn wider, and cut off at both ends.
  it.each([
    [{ width: 300, height: 200 }, { width: 330, height: 220 }, 330], [{ width: 6000, height: 1000 }, { width: 881, height: 252 }, 1512],
    [{ width: 100, height: 900 }, { width: 88.2, height: 220 }, 89], [{}, { width: 330, height: 220 }, 330],
  ])('draws %o in %o so wide', (measured, box, pixels) => expect(drawnWidth(measured, box)).toBe(pixels))
  it('guesses the width before there is a layout', () => expect(sizesOf({ width: 3000, height: 1000 })).toBe('min(100vw, 660px)'))
})

describe('routes', () => {
  it.each([
    '#/', '#/feed', '#/trash', '#/photo/a%2Fb', '#/feed/x', '#/settings', '#/administration/users', '#/administration/invitations',
    '#/administration/audit', '#invitation=01J0.se-cr_et', '#password=a%2Fb',
  ])('reads back %s', (hash) => expect(hashOf(parseRoute(hash))).toBe(hash))
  it.each(['', '#', '#/nowhere', '#/photo/', '#/photo/%E0%A4%A'])('goes to the photos for %j', (hash) =>
    expect(parseRoute(hash)).toEqual({ section: 'library' }))
})

describe('versions', () => {
  const rotate: EditOperation = { op: 'rotate', degrees: 90 }
  const version = (revision: number, more: Partial<ImageVersion> = {}) =>
    ({
      revision, current: false, base: 0, operations: [], width: 400, height: 200, fileSize: 1000 + revision,
      sizes: { LARGE: `v${revision}` }, ...more,
    }) as ImageVersion
  const edited = (revision: number) =>
    image('a', '1', { revision, width: 200, height: 400, fileSize: 9, sizes: { LARGE: 'now', FULL: 'full' } })

  // The editor works on the picture that the operations are about, not on their result.
  it('starts an edit from the base', () => {
    const versions = [version(2, { current: true, operations: [rotate], width: 200, height: 400 }), version(1), version(0)]
    expect(editStart(edited(2), versions)).toMatchObject({
      base: 0, picture: { width: 400, height: 200 }, sizes: { LARGE: 'v0' }, edits: { quarterTurns: 1 },
    })
  })

  // Edits from before there were bases, and results from outside, have no operations.
  it('starts an edit from what is its own base', () => {
    const { operations, ...alone } = version(1, { current: true, base: 1, width: 200, height: 400 })
    expect(editStart(edited(1), [alone, version(0)])).toMatchObject({
      base: 1, picture: { width: 200, height: 400 }, sizes: { LARGE: 'v1' }, edits: NO_EDITS,
    })
    expect(editStart(image('a', '1', { revision: 0, width: 3, height: 2, sizes: { LARGE: 'now' } }), [])).toMatchObject({
      base: 0, picture: { width: 3, height: 2 }, sizes: { LARGE: 'now' },
    })
  })

  // Pixels of an edit never stand beside the bytes of the upload.
  it('tells the bytes of what is shown', () => {
    expect(bytesOf(edited(1), [])).toBeUndefined()
    expect(bytesOf(edited(1), [version(1, { current: true }), version(0)])).toBe(1001)
    expect(bytesOf(image('a', '1', { revision: 2, fileSize: 9, sizes: { LARGE: 'now' } }), [])).toBe(9)
    expect(isEdited(edited(1))).toBe(true)
  })

  it.each([
    [version(0), 'As uploaded'], [version(3, { revertedTo: 0 }), 'Back to the original'],
    [version(3, { revertedTo: 1, operations: [rotate] }), 'Back to version 1'],
    [version(1, { operations: [rotate, { op: 'black_and_white' }, rotate] }), 'Rotated, black and white'], [version(1), 'Edited'],
  ])('says what %o is', (one, words) => expect(versionWords(one)).toBe(words))

  it('knows whose picture a revert shows', () => {
    expect(pictureOf(version(3, { revertedTo: 0 }))).toBe(0)
    expect(pictureOf(version(3))).toBe(3)
  })

  // Who lost against another change sees that change, and is told.
  it('shows the new state when a revert came too late', async () => {
    const newer = image('a', '1', { version: 2, processingStatus: 'completed' })
    const late = new ApiError({ status: 412, code: 'VersionChanged', detail: 'changed' })
    const api = { revert: vi.fn().mockRejectedValue(late), image: vi.fn().mockResolvedValue(newer) }
    const library = new Library(api as unknown as Api)
    await expect(library.revert(image('a', '1'), 0)).rejects.toBe(late)
    expect(api.revert).toHaveBeenCalledWith('a', 1, 0)
    expect(library.find('a')).toBe(newer)
  })
})

describe('toasts', () => {
  const texts = (toasts: Toasts) => toasts.items.value.map(({ text }) => text)

  it('show what was done last, and every error until it is dismissed', () => {
    const toasts = new Toasts()
    toasts.show('It is in the trash.', { label: 'Undo', run: () => undefined })
    toasts.showError('The server is away.')
    expect(texts(toasts)).toEqual(['It is in the trash.', 'The server is away.'])
    toasts.show('The trash is emptied.')
    expect(texts(toasts)).toEqual(['The server is away.', 'The trash is emptied.'])
    toasts.showError('The server is away.')
    expect(texts(toasts)).toEqual(['The trash is emptied.', 'The server is away.'])
  })
})
