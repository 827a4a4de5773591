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
})
