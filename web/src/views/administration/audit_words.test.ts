import { describe, expect, it } from 'vitest'
import type { AuditEntry } from '../../api/types'
import { accountsIn, actorOf, byDay, deedOf, KIND_GROUPS } from './audit_words'

const ADA = '01ARZ3NDEKTSV4RRFFQ69G5FAV'
const BOB = '01BX5ZZKBKACTAV9WEVGEMMVRZ'
const GONE = '01CX5ZZKBKACTAV9WEVGEMMVRZ'
const names = new Map<string, string | null>([[ADA, 'Ada Lovelace'], [BOB, 'bob'], [GONE, null]])

const entry = (more: Partial<AuditEntry>): AuditEntry => ({
  time: '2026-11-18T12:00:00Z', kind: 'session.login', outcome: 'done', principalKind: 'session', accountId: ADA, count: 1, details: {},
  chain: 'node', sequence: 1, previous: '', hash: '', ...more,
})
const sentence = (more: Partial<AuditEntry>) => `${actorOf(entry(more), names)} ${deedOf(entry(more), names)}`

describe('an entry as a sentence', () => {
  it.each<[Partial<AuditEntry>, string]>([
    [{}, 'Ada Lovelace logged in'],
    [{ kind: 'image.share', subject: 'photo' }, 'Ada Lovelace shared a photo'],
    [{ kind: 'account.create', subject: BOB }, 'Ada Lovelace created the account of bob'],
    [{ kind: 'account.change', subject: GONE }, 'Ada Lovelace changed the role, state or upload limit of a deleted account'],
    [{ kind: 'account.limit', subject: ADA }, 'Ada Lovelace changed the upload limit of their own account'],
    [{ kind: 'account.delete', accountId: BOB }, 'bob deleted their own account'],
    [{ kind: 'account.delete', accountId: GONE, subject: GONE }, 'A deleted account deleted their own account'],
    [{ kind: 'account.create', principalKind: 'server', principalId: 'command-line', accountId: '', subject: 'liv' },
      'The command line created the account of liv'],
    [{ kind: 'audit.trim', principalKind: 'server', accountId: '' }, 'This server removed the oldest entries of the audit'],
    [{ kind: 'table.create', principalKind: 'root-key', accountId: '', subject: 'Music' }, 'The root key created the table Music'],
    [{ kind: 'table.delete', principalKind: 'access-key', principalId: 'TT1', accountId: '', subject: 'Music', outcome: 'denied' },
      'The access key TT1 tried to delete the table Music, and was refused'],
    [{ principalKind: 'anonymous', accountId: '', outcome: 'denied', count: 5 }, 'Somebody unknown tried to log in 5 times, and was refused'],
    [{ principalKind: 'api-key', kind: 'image.trash' }, 'Ada Lovelace, by an API key, moved a photo to the trash'],
    [{ kind: 'account.delete', principalKind: 'anonymous', accountId: '', outcome: 'denied' },
      'Somebody unknown tried to delete the account of somebody, and was refused'],
    [{ kind: 'images.import', principalKind: 'server', accountId: '', outcome: 'failed' },
      'This server tried to import a folder of photos, which failed'],
    // A newer server may know more than this page.
    [{ kind: 'album.share' }, 'Ada Lovelace did “album.share”'],
    [{ kind: 'album.share', outcome: 'denied' }, 'Ada Lovelace tried to do “album.share”, and was refused'],
  ])('%o', (more, words) => expect(sentence(more)).toBe(words))

  // A kind that is added there has to get its words here, and its group a place in the filter.
  it('has words for every kind of the server', async () => {
    // The page knows no types of Node.
    const { readFileSync } = (await import('node:fs' as string)) as { readFileSync: (file: URL, encoding: 'utf8') => string }
    const header = readFileSync(new URL('../../../../src/access/audit/audit_kinds.h', import.meta.url), 'utf8')
    const kinds = [...header.matchAll(/= "([a-z-]+\.[a-z-]+)";/g)].map(([, kind]) => kind ?? '')
    expect(kinds.length).toBeGreaterThan(40)
    expect(kinds.filter((kind) => deedOf(entry({ kind }), names).includes('“'))).toEqual([])
    const groups = KIND_GROUPS.map(([group]) => group)
    expect(kinds.filter((kind) => !groups.includes(kind.split('.')[0] ?? ''))).toEqual([])
  })

  it('knows whose names it needs', () => {
    const entries = [entry({}), entry({ kind: 'account.create', subject: BOB }), entry({ kind: 'image.share', subject: GONE }),
      entry({ kind: 'account.create', accountId: '', subject: 'liv' })]
    expect([...accountsIn(entries)]).toEqual([ADA, BOB])
  })
})

describe('byDay', () => {
  it('puts entries under their day by the clock of the place', () => {
    const at = (day: number, hour: number, sequence: number) => entry({ time: new Date(2026, 10, day, hour).toISOString(), sequence })
    const days = byDay([at(18, 9, 5), at(18, 0, 4), at(17, 23, 3), at(2, 12, 2), at(2, 11, 1)], new Date(2026, 10, 18, 10))
    expect(days.map(({ entries }) => entries.map(({ sequence }) => sequence))).toEqual([[5, 4], [3], [2, 1]])
    expect(days.map(({ title }) => title)).toEqual(['Today', 'Yesterday', expect.stringMatching(/2026/)])
  })
})
