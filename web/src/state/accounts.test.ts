import { describe, expect, it } from 'vitest'
import { Api } from '../api/client'
import type { ManagedAccount } from '../api/types'
import { AccountNames, nameOf } from './account_names'
import { Administration } from './administration'
import { Session } from './session'
import { Settings } from './settings'

const USER = { userId: '1', email: 'ada@example.com', username: 'ada', displayName: null, about: null, picture: null, administrator: true }
const BOB: ManagedAccount = {
  userId: '2', email: 'bob@example.com', username: 'bob', displayName: null, about: null, picture: null, administrator: false,
  state: 'active', createdAt: '2026-11-01T00:00:00Z', limit: 500, usedBytes: 0, quotaBytes: null,
}

/** A server that answers by what is asked, `METHOD path`, and what it was asked. */
function server(answers: Record<string, unknown>) {
  const asked: string[] = []
  const api = new Api(async (url, init) => {
    const what = `${init?.method} ${String(url).replace('/api/v1', '')}`
    asked.push(init?.body === undefined ? what : `${what} ${String(init.body)}`)
    const answer = answers[what.split('?')[0] ?? '']
    if (typeof answer === 'number') return new Response(JSON.stringify({ status: answer, detail: 'x' }), { status: answer })
    return new Response(answer === undefined ? null : JSON.stringify(answer), { status: answer === undefined ? 204 : 200 })
  })
  return { api, asked }
}

async function signedIn(answers: Record<string, unknown>) {
  const { api, asked } = server({ 'POST /auth/login': { csrfToken: 'token', user: USER }, ...answers })
  const session = new Session(api)
  await session.login({ name: 'ada', password: 'x' })
  asked.length = 0
  return { session, settings: new Settings(api, session), asked }
}

describe('Settings', () => {
  it('shows a new name at once, and takes it away', async () => {
    const { session, settings, asked } = await signedIn({ 'PATCH /me': { ...USER, displayName: 'Ada L.', csrfToken: 'token' } })
    await settings.rename(' Ada L. ')
    expect(session.state.value).toEqual({ kind: 'active', user: { ...USER, displayName: 'Ada L.' } })
    await settings.rename('  ')
    expect(asked).toEqual(['PATCH /me {"displayName":"Ada L."}', 'PATCH /me {"displayName":null}'])
  })

  it('shows another picture at once, and none once it is removed', async () => {
    const picture = '/media/profile-pictures/1/profile.jpg?revision=1'
    const { session, settings, asked } = await signedIn({
      'PUT /me/picture': { ...USER, picture, csrfToken: 'token' }, 'DELETE /me/picture': { ...USER, csrfToken: 'token' },
    })
    await settings.setPicture(new Blob(['pixels'], { type: 'image/png' }))
    expect(session.state.value).toEqual({ kind: 'active', user: { ...USER, picture } })
    await settings.removePicture()
    expect(session.state.value).toEqual({ kind: 'active', user: USER })
    expect(asked).toEqual(['PUT /me/picture [object Blob]', 'DELETE /me/picture'])
  })

  it('keeps a few words on oneself, and takes them away', async () => {
    const { settings, asked } = await signedIn({ 'PATCH /me': { ...USER, csrfToken: 'token' } })
    await settings.describe(' Paints with light. ')
    await settings.describe(' ')
    expect(asked).toEqual(['PATCH /me {"about":"Paints with light."}', 'PATCH /me {"about":null}'])
  })

  it('asks for the sessions again after another password', async () => {
    const { settings, asked } = await signedIn({ 'GET /me/sessions': { items: [] } })
    await settings.changePassword('old', 'new')
    expect(asked).toEqual(['POST /me/password {"currentPassword":"old","newPassword":"new"}', 'GET /me/sessions'])
  })

  it('asks for no password where there is none, until one is set', async () => {
    const { session, settings, asked } = await signedIn({
      'GET /me': { ...USER, hasPassword: false, csrfToken: 'token' }, 'GET /me/sessions': { items: [] },
    })
    await settings.readMe()
    expect(settings.hasPassword.value).toBe(false)
    expect(session.state.value).toEqual({ kind: 'active', user: USER })
    await settings.changePassword(undefined, 'new')
    expect(settings.hasPassword.value).toBe(true)
    await settings.deleteAccount(undefined)
    expect(asked).toEqual(['GET /me', 'POST /me/password {"newPassword":"new"}', 'GET /me/sessions', 'POST /me/deletion {}'])
  })

  it('leaves only this session when the others are ended', async () => {
    const listed = (id: string, current: boolean) => ({ id, current, createdAt: '', lastUsedAt: '', endsAt: '', address: '', userAgent: '' })
    const { settings } = await signedIn({ 'GET /me/sessions': { items: [listed('a', false), listed('b', true), listed('c', false)] } })
    await settings.sessions.reload()
    await settings.endSession('a')
    expect(settings.sessions.items.value.map(({ id }) => id)).toEqual(['b', 'c'])
    await settings.endOtherSessions()
    expect(settings.sessions.items.value.map(({ id }) => id)).toEqual(['b'])
  })

  // What the list keeps could be shown a second time.
  it('gives a new key out once, and lists it without', async () => {
    const key = { id: 'k', name: 'Backup', scopes: ['read'], createdAt: '', expiresAt: null, lastUsedAt: null }
    const { settings } = await signedIn({ 'POST /me/api-keys': { ...key, key: 'tintype_secret' } })
    expect((await settings.createApiKey({ name: 'Backup', scopes: ['read'] })).key).toBe('tintype_secret')
    expect(settings.apiKeys.items.value).toEqual([key])
    await settings.deleteApiKey('k')
    expect(settings.apiKeys.items.value).toEqual([])
  })

  it('logs out whoever deletes their account, and only then', async () => {
    const refused = await signedIn({ 'POST /me/deletion': 403 })
    await expect(refused.settings.deleteAccount('wrong')).rejects.toMatchObject({ status: 403 })
    expect(refused.session.state.value.kind).toBe('active')
    const { session, settings } = await signedIn({})
    await settings.deleteAccount('right')
    expect(session.state.value).toEqual({ kind: 'anonymous' })
  })
})

describe('Session', () => {
  it('signs up with an invitation, and begins with a one-time link', async () => {
    const answer = { csrfToken: 'token', user: USER }
    const { api, asked } = server({ 'POST /auth/signup': answer, 'POST /auth/password': answer })
    const session = new Session(api)
    await session.signup({ email: 'a@b', username: 'ada', password: 'p', invitation: 'i' })
    expect(session.state.value).toEqual({ kind: 'active', user: USER })
    session.leave()
    await session.setPassword({ token: 't', password: 'q' })
    expect(session.state.value).toEqual({ kind: 'active', user: USER })
    expect(asked).toEqual([
      'POST /auth/signup {"email":"a@b","username":"ada","password":"p","invitation":"i","session":"cookie"}',
      'POST /auth/password {"token":"t","password":"q","session":"cookie"}',
    ])
  })

  it('changes nobody else', async () => {
    const { session } = await signedIn({})
    session.update({ ...USER, userId: '2', displayName: 'Bob' })
    expect(session.state.value).toEqual({ kind: 'active', user: USER })
  })
})

describe('Administration', () => {
  it('shows what the server answered about a user', async () => {
    const { api, asked } = server({
      'GET /users': { items: [BOB], lastEvaluatedKey: null, hasMore: false }, 'PATCH /users/2': { ...BOB, state: 'disabled' },
      'DELETE /users/2': { ...BOB, state: 'deleting' },
    })
    const administration = new Administration(api)
    await administration.users.reload()
    await administration.changeUser('2', { disabled: true })
    expect(administration.users.items.value.map(({ state }) => state)).toEqual(['disabled'])
    await administration.deleteUser('2')
    expect(administration.users.items.value.map(({ state }) => state)).toEqual(['deleting'])
    expect(asked).toEqual(['GET /users?limit=40', 'PATCH /users/2 {"disabled":true}', 'DELETE /users/2'])
  })

  it('lists an invitation without its link', async () => {
    const invitation = { id: 'i', email: null, administrator: false, createdBy: '1', createdAt: '', expiresAt: '' }
    const { api } = server({ 'POST /invitations': { ...invitation, link: 'http://x/#invitation=t', token: 't' } })
    const administration = new Administration(api)
    expect((await administration.invite({})).link).toMatch(/#invitation=t$/)
    expect(administration.invitations.items.value).toEqual([invitation])
    await administration.takeInvitationBack('i')
    expect(administration.invitations.items.value).toEqual([])
  })

  it('narrows the audit, and goes on with the same filter', async () => {
    const { api, asked } = server({ 'GET /audit': {
      items: [{ chain: 'n', sequence: 2 }], lastEvaluatedKey: 'after', hasMore: true,
    } })
    const administration = new Administration(api)
    await administration.readAudit({ kind: 'session', address: '::1' })
    await administration.audit.loadMore()
    expect(asked).toEqual(['GET /audit?limit=40&kind=session&address=%3A%3A1', 'GET /audit?limit=40&cursor=after&kind=session&address=%3A%3A1'])
  })
})

describe('AccountNames', () => {
  it('prefers the name that its owner chose', () =>
    expect([nameOf({ displayName: 'Ada L.', username: 'ada' }), nameOf({ displayName: null, username: 'ada' })]).toEqual(['Ada L.', 'ada']))

  // Each id is asked for once, also when nobody has it any more; after a failure of the line, again.
  it('asks for each name once', async () => {
    const { api, asked } = server({ 'GET /users/2': BOB, 'GET /users/gone': 404, 'GET /users/ill': 503 })
    const names = new AccountNames((id) => api.user(id))
    names.learn([{ ...BOB, userId: '1', username: 'ada' }])
    await names.resolve(['1', '2', 'gone', 'ill'])
    await names.resolve(['1', '2', 'gone', 'ill'])
    expect(names.known.value).toEqual(new Map([['1', 'ada'], ['2', 'bob'], ['gone', null]]))
    expect(asked).toEqual(['GET /users/2', 'GET /users/gone', 'GET /users/ill', 'GET /users/ill'])
  })
})
