import { describe, expect, it } from 'vitest'
import { Api } from '../api/client'
import { Session } from './session'

describe('Session', () => {
  // The same field takes both names; what was typed around them does not count.
  it.each([
    ['ada@example.com', { email: 'ada@example.com' }],
    [' ada@example.com ', { email: 'ada@example.com' }],
    ['ada', { username: 'ada' }],
    [' Ada.B ', { username: 'Ada.B' }],
  ])('logs in by %j', async (name, who) => {
    const sent: unknown[] = []
    const user = { userId: '1', email: 'ada@example.com', username: 'ada', displayName: null, about: null, picture: null, administrator: false }
    const api = new Api(async (url, init) => {
      sent.push([url, JSON.parse(String(init?.body))])
      return new Response(JSON.stringify({ csrfToken: 'token', user }))
    })
    const session = new Session(api)
    await session.login({ name, password: ' as it is ' })
    expect(sent).toEqual([['/api/v1/auth/login', { ...who, password: ' as it is ', session: 'cookie' }]])
    expect(session.state.value).toEqual({ kind: 'active', user })
  })

  // The form would show it again after the next logout.
  it('forgets why another service did not sign in, once another sign-in begins', async () => {
    const refusal = { status: 403, code: 'IssuerRefused', detail: 'Example did not sign you in.' }
    const api = new Api(async () => new Response(JSON.stringify(refusal), { status: 403 }))
    const session = new Session(api)
    expect(await session.finishOutside({ state: 's', error: 'access_denied' })).toBe(false)
    expect(session.outsideFailure.value).not.toBe('')
    await expect(session.login({ name: 'ada', password: 'x' })).rejects.toMatchObject({ status: 403 })
    expect(session.outsideFailure.value).toBe('')
  })

  it('forgets it when somebody is signed in', async () => {
    const user = { userId: '1', email: 'ada@example.com', username: 'ada', displayName: null, about: null, picture: null, administrator: false }
    const session = new Session(new Api(async () => new Response(JSON.stringify({ csrfToken: 'token', user }))))
    session.outsideFailure.value = 'Example did not sign you in.'
    await session.setPassword({ token: 't', password: 'q' })
    expect(session.state.value.kind).toBe('active')
    expect(session.outsideFailure.value).toBe('')
  })
})
