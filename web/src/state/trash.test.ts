import { describe, expect, it, vi } from 'vitest'
import type { Api } from '../api/client'
import { ApiError } from '../api/problem'
import type { Image, ImagePage } from '../api/types'
import { Library } from './library'
import { daysKept, daysLeft, Trash } from './trash'

const DAY = 24 * 60 * 60 * 1000
const NOW = Date.parse('2026-05-01T12:00:00.000Z')
const at = (milliseconds: number) => new Date(NOW + milliseconds).toISOString()
const image = (id: string) => ({ id, uploadedAt: id, processingStatus: 'completed', trashedAt: at(-DAY), deletesAt: at(29 * DAY) }) as Image

/** A page of the trash, with a cursor if there is more. */
const page = (ids: string, cursor: string | null = null, complete = true): ImagePage =>
  ({ items: [...ids].map(image), lastEvaluatedKey: cursor, hasMore: cursor !== null, complete })

function setUp(...pages: (ImagePage | Error | Promise<ImagePage>)[]) {
  const calls: (string | undefined)[] = []
  const api = {
    trash: vi.fn(async (cursor?: string) => {
      calls.push(cursor)
      const next = pages.shift()
      if (next instanceof Error || next === undefined) throw next ?? new Error('not asked for')
      return next
    }),
    restore: vi.fn(async (id: string) => image(id)),
    deleteForGood: vi.fn(async () => undefined),
    emptyTrash: vi.fn(async () => undefined),
  }
  const library = new Library(api as unknown as Api)
  const trash = new Trash(api as unknown as Api, library)
  const ids = () => trash.images.value.map(({ id }) => id).join('')
  return { api, calls, library, trash, ids }
}

describe('days', () => {
  it.each([[at(30 * DAY), 30], [at(29 * DAY + 1), 30], [at(DAY), 1], [at(5), 1], [at(-DAY), 1], [undefined, 1]])(
    'of what is deleted at %s are %i', (deletesAt, days) => expect(daysLeft(deletesAt === undefined ? {} : { deletesAt }, NOW)).toBe(days))

  it('are kept as the photos tell', () => {
    expect(daysKept([])).toBeUndefined()
    expect(daysKept([{ trashedAt: at(0), deletesAt: at(DAY) }, { trashedAt: at(0), deletesAt: at(30 * DAY) }])).toBe(30)
  })
})

describe('Trash', () => {
  // Each photo once, however the pages overlap.
  it('loads page by page', async () => {
    const { calls, trash, ids } = setUp(page('dc', 'after c'), page('cb'))
    await trash.reload()
    expect([ids(), trash.complete.value]).toEqual(['dc', false])
    await trash.loadMore()
    expect([ids(), trash.complete.value]).toEqual(['dcb', true])
    await trash.loadMore()
    expect(calls).toEqual([undefined, 'after c'])
  })

  // The server leaves out what it is deleting; that is not the end.
  it('passes over pages without photos', async () => {
    const { trash, ids } = setUp(page('', 'one'), page('', 'two'), page('a'))
    await trash.reload()
    expect([ids(), trash.complete.value]).toEqual(['a', true])
  })

  it('says that the list is not complete yet', async () => {
    const { trash } = setUp(page('a', null, false), page('a'))
    await trash.reload()
    expect(trash.searching.value).toBe(true)
    await trash.reload()
    expect(trash.searching.value).toBe(false)
  })

  it('tells of a failure, and tries again', async () => {
    const { trash, ids } = setUp(new ApiError({ status: 503 }), page('a'))
    await trash.reload()
    expect([trash.error.value, trash.loading.value]).toEqual([expect.stringMatching(/not available/), false])
    await trash.loadMore()
    expect([trash.error.value, ids()]).toEqual(['', 'a'])
  })

  it('restores into the library', async () => {
    const { library, trash, ids } = setUp(page('ba'))
    await trash.reload()
    await trash.restore('b')
    expect([ids(), library.find('b')?.id]).toEqual(['a', 'b'])
  })

  it('deletes one for good', async () => {
    const { api, trash, ids } = setUp(page('ba'))
    await trash.reload()
    await trash.deleteForGood('a')
    expect([ids(), api.deleteForGood.mock.calls]).toEqual(['b', [['a']]])
  })

  // An answer from before must not bring back what is gone.
  it('empties, whatever is on its way', async () => {
    let answer: (late: ImagePage) => void = () => undefined
    const { api, trash, ids } = setUp(page('ba', 'more'), new Promise<ImagePage>((resolve) => (answer = resolve)))
    await trash.reload()
    const late = trash.loadMore()
    await trash.empty()
    answer(page('c'))
    await late
    expect([ids(), trash.complete.value, trash.loading.value]).toEqual(['', true, false])
    expect(api.emptyTrash).toHaveBeenCalledOnce()
  })
})
