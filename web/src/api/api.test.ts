import { describe, expect, it, vi } from 'vitest'
import { Api } from './client'
import { ApiError, explain, explainBeside, memberOf, problemFrom } from './problem'

const answer = (status: number, body: unknown) => new Response(JSON.stringify(body), { status })

describe('explain', () => {
  // A known code has its own words, an unknown one gets those of its status, and the server's detail.
  it.each([
    [{ status: 401, code: 'InvalidCredentials', detail: 'x' }, /password is wrong/],
    [{ status: 413, detail: 'The limit is 5 bytes' }, /too large.*5 bytes/],
    [{ status: 400, detail: 'The title is too long' }, /^The title is too long$/],
    [{ status: 500, detail: 'inner secret' }, /^The server made a mistake/],
    [{ status: 418 }, /status 418/],
    [{ status: 0, code: 'Unreachable' }, /cannot be reached/],
    // The server knows whom it tells what to do.
    [{ status: 403, code: 'UploadLimitReached', detail: 'Ask Bob.' }, /^Ask Bob\.$/],
    [{ status: 403, code: 'SignUpClosed', detail: 'Ask Bob.' }, /^Ask Bob\.$/],
    [{ status: 403, code: 'UploadLimitReached' }, /not allowed/],
    [{ status: 403, code: 'InvalidInvitation', detail: 'This invitation has expired.' }, /^This invitation has expired\.$/],
    [{ status: 409, code: 'TooManyApiKeys', detail: 'Delete one.' }, /^Delete one\.$/],
  ])('puts %o into words', (problem, words) => expect(explain(new ApiError(problem))).toMatch(words))

  it('does not show the text of a bug', () => expect(explain(new TypeError('x is not a function'))).not.toMatch(/function/))
})

describe('memberOf', () => {
  // Forms show a failure beside the field that it is about.
  it.each([
    [{ status: 409, code: 'EmailTaken', detail: 'x' }, 'email'],
    [{ status: 403, code: 'WrongPassword', detail: 'The current password is wrong.' }, 'currentPassword'],
    [{ status: 400, code: 'InvalidRequest', detail: '`displayName` has 90 characters; the limit is 80.' }, 'displayName'],
    [{ status: 400, code: 'InvalidRequest', detail: 'Not JSON.' }, undefined],
    [{ status: 0, code: 'Unreachable' }, undefined],
  ])('finds it in %o', (problem, member) => expect(memberOf(new ApiError(problem))).toBe(member))
  it('finds none in a bug', () => expect(memberOf(new TypeError('`x` is not a function'))).toBeUndefined())

  it('does not say the name of the field beside it', () =>
    expect(explainBeside(new ApiError({ status: 400, detail: '`email` is not an email address.' }))).toBe('This is not an email address.'))
})

describe('problemFrom', () => {
  // Proxies answer with pages of their own; the status is then all that is known.
  it.each(['<html>', '', '[]', 'null', '{"code": 5}'])('tolerates %j', (body) => expect(problemFrom(502, body)).toEqual({ status: 502 }))
})

describe('Api', () => {
  // The version goes out as a quoted ETag, with the CSRF token.
  it('sends If-Match and the CSRF token', async () => {
    const fetcher = vi.fn<typeof fetch>(async () => answer(200, { id: 'i' }))
    const api = new Api(fetcher)
    api.csrfToken = 'token'
    await api.changeImage('a/b', 7, { title: null })
    const [url, init] = fetcher.mock.calls[0] ?? []
    const headers = new Headers(init?.headers)
    expect([url, headers.get('If-Match'), headers.get('X-CSRF-Token'), init?.body]).toEqual([
      '/api/v1/images/a%2Fb', '"7"', 'token', '{"title":null}',
    ])
  })

  // A request that met an ended session is repeated once, with the new token, and only once.
  it('repeats once after a renewal', async () => {
    const seen: (string | null)[] = []
    const api = new Api(async (_, init) => {
      seen.push(new Headers(init?.headers).get('X-CSRF-Token'))
      return answer(401, {})
    })
    api.csrfToken = 'old'
    api.renew = async () => {
      api.csrfToken = 'new'
      return true
    }
    await expect(api.share('i')).rejects.toMatchObject({ status: 401 })
    expect(seen).toEqual(['old', 'new'])
  })

  it('never renews for a wrong password', async () => {
    const api = new Api(async () => answer(401, { code: 'InvalidCredentials' }))
    api.renew = () => Promise.reject(new Error('must not be asked'))
    await expect(api.login({ email: 'a', password: 'b' })).rejects.toBeInstanceOf(ApiError)
  })

  it('tells a missing server apart', async () => {
    const api = new Api(() => Promise.reject(new TypeError('Failed to fetch')))
    await expect(api.limit()).rejects.toMatchObject({ status: 0 })
  })
})
