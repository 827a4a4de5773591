import { describe, expect, it } from 'vitest'
import { agoWords, deviceOf, initialsOf, keyEndWords, keyUseWords, limitWords, scopeWords, storageWords } from './account_words'

describe('initialsOf', () => {
  it.each([
    ['Ada Lovelace', 'AL'], ['ada', 'A'], ['ada.b', 'AB'], ['Ada Byron King', 'AK'], ['émile zola', 'ÉZ'], ['😀 smile', '😀S'], ['...', ''],
  ])('of %j are %j', (name, initials) => expect(initialsOf(name)).toBe(initials))
})

describe('deviceOf', () => {
  // Browsers name each other; the one that it is has to be found among them.
  it.each([
    ['Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0', 'Firefox on Linux', 'computer'],
    ['Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36', 'Chrome on Windows', 'computer'],
    ['Mozilla/5.0 (Windows NT 10.0) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36 Edg/140.0', 'Edge on Windows', 'computer'],
    ['Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Safari/605.1.15', 'Safari on Mac', 'computer'],
    ['Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Mobile/15E148 Safari/604.1', 'Safari on iPhone', 'phone'],
    ['Mozilla/5.0 (Linux; Android 15) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Mobile Safari/537.36', 'Chrome on Android', 'phone'],
    ['Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) HeadlessChrome/140.0.0.0 Safari/537.36', 'Chrome on Linux', 'computer'],
    ['curl/8.5.0', 'curl', 'program'],
    ['', 'An unknown device', 'program'],
  ])('calls %j %j', (userAgent, name, kind) => expect(deviceOf(userAgent)).toEqual({ name, kind }))
})

describe('times', () => {
  const now = Date.parse('2026-11-18T12:00:00Z')
  it.each([
    ['2026-11-18T12:00:30Z', 'just now'], // The server's clock may be ahead.
    ['2026-11-18T11:59:00Z', 'just now'],
    ['2026-11-18T11:48:00Z', '12 minutes ago'],
    ['2026-11-18T10:59:00Z', '1 hour ago'],
    ['2026-11-17T13:00:00Z', '23 hours ago'],
  ])('%s was %s', (iso, words) => expect(agoWords(iso, now)).toBe(words))
  it('names the day of what is longer ago', () => expect(agoWords('2026-10-12T12:00:00Z', now)).toMatch(/^on .*12.*2026|^on .*2026.*12/))

  it('tells of a key what is known', () => {
    expect(keyUseWords({ lastUsedAt: null }, now)).toBe('never used')
    expect(keyUseWords({ lastUsedAt: '2026-11-18T11:30:00Z' }, now)).toBe('used in the last hour')
    expect(keyUseWords({ lastUsedAt: '2026-11-18T09:00:00Z' }, now)).toBe('used 3 hours ago')
    expect(keyEndWords({ expiresAt: null }, now)).toBe('no end')
    expect(keyEndWords({ expiresAt: '2027-01-01T12:00:00Z' }, now)).toMatch(/^ends on .*2027/)
    expect(keyEndWords({ expiresAt: '2026-01-01T12:00:00Z' }, now)).toMatch(/^ended on .*2026/)
  })
})

describe('scopes and limits', () => {
  it('lists scopes in one order', () => {
    expect(scopeWords(['read'])).toBe('Can read')
    expect(scopeWords(['upload', 'read'])).toBe('Can read and upload')
    expect(scopeWords(['delete', 'read', 'upload'])).toBe('Can read, upload and delete')
  })
  it('says how much is stored', () => {
    expect(storageWords({ usedBytes: 2_400_000, quotaBytes: null })).toBe('2.4 MB')
    expect(storageWords({ usedBytes: 0, quotaBytes: 5_000_000_000 })).toBe('0 bytes of 5.0 GB')
  })
  it('says that there is no limit', () => expect([limitWords(null), limitWords(0), limitWords(12500)]).toEqual(['No limit', '0', '12,500']))
})
