import { describe, expect, it } from 'vitest'
import { ApiError } from '../api/problem'
import { Listing, type ListPart } from './listing'

interface Entry { id: string; text?: string }

/** A list whose answers come when the test says so. */
function listing() {
  const asked: { cursor: string | undefined; answer: (part: ListPart<Entry>) => void; fail: (error: unknown) => void }[] = []
  const list = new Listing<Entry>(
    (cursor) => new Promise((answer, fail) => asked.push({ cursor, answer, fail })), ({ id }) => id,
  )
  return { list, asked }
}

const ids = ({ items }: Listing<Entry>) => items.value.map(({ id }) => id)
const settled = () => new Promise((resolve) => setTimeout(resolve))

describe('Listing', () => {
  // Entries come and go between two parts, so that one can be in both.
  it('goes on where the last part ended, with each entry once', async () => {
    const { list, asked } = listing()
    void list.reload()
    expect([list.loading.value, list.known.value]).toEqual([true, false])
    asked[0]?.answer({ items: [{ id: 'a' }, { id: 'b' }], lastEvaluatedKey: 'after b', hasMore: true })
    await settled()
    expect([list.loading.value, list.known.value, list.complete.value]).toEqual([false, true, false])
    void list.loadMore()
    expect(asked[1]?.cursor).toBe('after b')
    asked[1]?.answer({ items: [{ id: 'b' }, { id: 'c' }], lastEvaluatedKey: null, hasMore: false })
    await settled()
    expect(ids(list)).toEqual(['a', 'b', 'c'])
    expect(list.complete.value).toBe(true)
    await list.loadMore()
    expect(asked).toHaveLength(2)
  })

  it('is complete after one answer when the list has no parts', async () => {
    const { list, asked } = listing()
    void list.reload()
    asked[0]?.answer({ items: [] })
    await settled()
    expect([list.known.value, list.complete.value, ids(list)]).toEqual([true, true, []])
  })

  // A filter finds nothing in many parts of a long list.
  it('asks on while there is nothing to show, but not for ever', async () => {
    const asked: (string | undefined)[] = []
    const list = new Listing<Entry>(async (cursor) => {
      asked.push(cursor)
      return { items: [], lastEvaluatedKey: String(asked.length), hasMore: true }
    }, ({ id }) => id)
    await list.reload()
    expect(asked).toEqual([undefined, '1', '2', '3', '4', '5', '6', '7', '8', '9'])
    expect([list.complete.value, list.known.value]).toEqual([false, true])
    await list.loadMore()
    expect(asked[10]).toBe('10')
  })

  it('drops the answer to an earlier question', async () => {
    const { list, asked } = listing()
    void list.reload()
    void list.restart()
    asked[1]?.answer({ items: [{ id: 'new' }] })
    await settled()
    asked[0]?.answer({ items: [{ id: 'old' }] })
    await settled()
    expect(ids(list)).toEqual(['new'])
    expect(list.loading.value).toBe(false)
  })

  it('keeps what it shows when asking again fails, and says why', async () => {
    const { list, asked } = listing()
    void list.reload()
    asked[0]?.answer({ items: [{ id: 'a' }] })
    await settled()
    void list.reload()
    asked[1]?.fail(ApiError.unreachable())
    await settled()
    expect(ids(list)).toEqual(['a'])
    expect(list.error.value).toMatch(/cannot be reached/)
    expect(list.loading.value).toBe(false)
  })

  it('puts entries in their place, new ones first', async () => {
    const { list, asked } = listing()
    void list.reload()
    asked[0]?.answer({ items: [{ id: 'a' }, { id: 'b' }] })
    await settled()
    list.put({ id: 'b', text: 'changed' })
    list.put({ id: 'c' })
    list.remove('a')
    expect(list.items.value).toEqual([{ id: 'c' }, { id: 'b', text: 'changed' }])
  })
})
