import { ApiError, problemFrom } from './problem'
import type {
  AccountChange, AccountDeletion, AnalysisRecord, AnalysisResult, ApiKeys, AuditPage, AuthState, CookieSession, CreatedAccount, CreatedApiKey, CreatedInvitation, Deletion,
  EditOperation, FeedPage, Image, ImageChange, ImagePage, ImageVersions, Invitations, Job, JobRequest, Limit, LogIn, ManagedAccount,
  ManagedAccounts, Me, NewAccount, NewApiKey, NewInvitation, operations, OutsideIdentities, OutsideRedirect, OutsideReturn, PasswordChange,
  PasswordSetting, ProfileChange, Revert, Sessions, SignUp, OneTimeLink, TrashEmptying,
  Waveform,
} from './types'
import { sendResumable, type UploadOptions, type UploadPlace } from './upload'

export const API = '/api/v1'

/**
 * Brings a session back that has ended, or that another tab has replaced. Resolves to true when the request may be repeated, to false when it
 * may not: the person logged out, or another person logged in.
 */
export type Renew = () => Promise<boolean>

/** What the audit can be narrowed to. */
export type AuditFilter = Omit<NonNullable<operations['listAudit']['parameters']['query']>, 'limit' | 'cursor'>

interface Call {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  path: string
  /** Sent as JSON, but for a file. */
  body?: unknown
  headers?: Record<string, string>
  /** What is asked for, if not JSON: then the answer is its text. */
  accept?: string
}

export interface UploadAnswer {
  image: Image
  /** True when the server had these bytes already and answered the photo that has them. */
  duplicate: boolean
  /** True when that photo was in the trash, and has come back. */
  restored: boolean
}

/**
 * The REST API as typed functions. The session is in cookies that scripts cannot read; this class only
 * holds the CSRF token. Calls reject with ApiError; an upload whose signal fired, with an AbortError.
 */
export class Api {
  csrfToken = ''
  renew: Renew = () => Promise.resolve(false)

  constructor(private readonly fetcher: typeof fetch = (input, init) => fetch(input, init)) {}

  // Those of the session itself never lead to a renewal: they are what a renewal is made of. Logging out only
  // needs the right token: nobody wants to log in for it.
  authState = () => this.once<AuthState>({ method: 'GET', path: '/auth/state' })
  me = () => this.once<Me>({ method: 'GET', path: '/me' })
  login = (form: Omit<LogIn, 'session'>) =>
    this.once<CookieSession>({ method: 'POST', path: '/auth/login', body: { ...form, session: 'cookie' } })
  signup = (form: Omit<SignUp, 'session'>) =>
    this.once<CookieSession>({ method: 'POST', path: '/auth/signup', body: { ...form, session: 'cookie' } })
  setPassword = (form: Omit<PasswordSetting, 'session'>) =>
    this.once<CookieSession>({ method: 'POST', path: '/auth/password', body: { ...form, session: 'cookie' } })
  beginOutside = (invitation?: string) =>
    this.once<OutsideRedirect>({ method: 'POST', path: '/auth/outside', body: invitation === undefined ? {} : { invitation } })
  /** Nothing is answered when the account that was signed in is linked now. */
  finishOutside = (back: OutsideReturn) =>
    this.once<CookieSession | undefined>({ method: 'POST', path: '/auth/outside/return', body: { ...back, session: 'cookie' } })
  refresh = () => this.once<CookieSession>({ method: 'POST', path: '/auth/refresh', body: { session: 'cookie' } })
  logout = () => this.call<unknown>({ method: 'POST', path: '/auth/logout' }, hasStaleToken)

  limit = () => this.call<Limit>({ method: 'GET', path: '/me/limit' })
  images = (cursor?: string) => this.call<ImagePage>({ method: 'GET', path: `/images${pageQuery(cursor)}` })
  image = (id: string) => this.call<Image>({ method: 'GET', path: imagePath(id) })
  feed = (cursor?: string) => this.call<FeedPage>({ method: 'GET', path: `/feed${pageQuery(cursor)}` })
  changeImage = (id: string, version: number, change: ImageChange) =>
    this.call<Image>({ method: 'PATCH', path: imagePath(id), body: change, headers: { 'If-Match': `"${version}"` } })
  deleteImage = (id: string) => this.call<Deletion>({ method: 'DELETE', path: imagePath(id) })
  trash = (cursor?: string) => this.call<ImagePage>({ method: 'GET', path: `/images${pageQuery(cursor)}&state=trashed` })
  deleteForGood = (id: string) => this.call<Deletion>({ method: 'DELETE', path: `${imagePath(id)}?permanent=true` })
  emptyTrash = () => this.call<TrashEmptying>({ method: 'DELETE', path: '/images?state=trashed' })
  restore = (id: string) => this.call<Image>({ method: 'POST', path: `${imagePath(id)}/restore` })
  analysis = (id: string) => this.call<AnalysisRecord>({ method: 'GET', path: `${pathOf('/media', id)}/analysis` })
  analysisResult = (id: string, kind: string) =>
    this.call<AnalysisResult>({ method: 'GET', path: pathOf(`${pathOf('/media', id)}/analysis`, kind) })
  waveform = (id: string) => this.call<Waveform>({ method: 'GET', path: `${pathOf('/media', id)}/waveform` })
  captions = (id: string) => this.call<string>({ method: 'GET', path: `${pathOf('/media', id)}/captions`, accept: 'text/vtt' })
  text = (id: string) => this.call<string>({ method: 'GET', path: `${pathOf('/media', id)}/text`, accept: 'text/plain' })
  versions = (id: string) => this.call<ImageVersions>({ method: 'GET', path: `${imagePath(id)}/versions` })
  revert = (id: string, version: number, revision: number) =>
    this.call<Image>({
      method: 'POST', path: `${imagePath(id)}/revert`, body: { revision } satisfies Revert, headers: { 'If-Match': `"${version}"` },
    })
  share = (id: string) => this.call<Image>({ method: 'POST', path: `${imagePath(id)}/share` })
  unshare = (id: string) => this.call<Image>({ method: 'POST', path: `${imagePath(id)}/unshare` })
  job = (id: string) => this.call<Job>({ method: 'GET', path: `/jobs/${encodeURIComponent(id)}` })
  startJob = (imageId: string, operations: EditOperation[]) =>
    this.call<Job>({ method: 'POST', path: '/jobs', body: { imageId, provider: 'local', operations } satisfies JobRequest })

  changeMe = (change: ProfileChange) => this.call<Me>({ method: 'PATCH', path: '/me', body: change })
  setPicture = (file: Blob) => this.call<Me>({ method: 'PUT', path: '/me/picture', body: file })
  removePicture = () => this.call<Me>({ method: 'DELETE', path: '/me/picture' })
  changePassword = (change: PasswordChange) => this.call<unknown>({ method: 'POST', path: '/me/password', body: change })
  deleteMe = (proof: AccountDeletion) => this.call<unknown>({ method: 'POST', path: '/me/deletion', body: proof })
  sessions = () => this.call<Sessions>({ method: 'GET', path: '/me/sessions' })
  endSession = (id: string) => this.call<unknown>({ method: 'DELETE', path: pathOf('/me/sessions', id) })
  endOtherSessions = () => this.call<unknown>({ method: 'DELETE', path: '/me/sessions' })
  identities = () => this.call<OutsideIdentities>({ method: 'GET', path: '/me/identities' })
  beginLink = () => this.call<OutsideRedirect>({ method: 'POST', path: '/me/identities' })
  unlink = (id: string) => this.call<unknown>({ method: 'DELETE', path: pathOf('/me/identities', id) })
  apiKeys = () => this.call<ApiKeys>({ method: 'GET', path: '/me/api-keys' })
  createApiKey = (key: NewApiKey) => this.call<CreatedApiKey>({ method: 'POST', path: '/me/api-keys', body: key })
  deleteApiKey = (id: string) => this.call<unknown>({ method: 'DELETE', path: pathOf('/me/api-keys', id) })

  // For administrators.
  users = (cursor?: string) => this.call<ManagedAccounts>({ method: 'GET', path: `/users${pageQuery(cursor)}` })
  user = (id: string) => this.call<ManagedAccount>({ method: 'GET', path: pathOf('/users', id) })
  createUser = (account: NewAccount) => this.call<CreatedAccount>({ method: 'POST', path: '/users', body: account })
  changeUser = (id: string, change: AccountChange) =>
    this.call<ManagedAccount>({ method: 'PATCH', path: pathOf('/users', id), body: change })
  deleteUser = (id: string) => this.call<ManagedAccount>({ method: 'DELETE', path: pathOf('/users', id) })
  identitiesOf = (id: string) => this.call<OutsideIdentities>({ method: 'GET', path: `${pathOf('/users', id)}/identities` })
  unlinkFrom = (id: string, identity: string) =>
    this.call<unknown>({ method: 'DELETE', path: pathOf(`${pathOf('/users', id)}/identities`, identity) })
  createPasswordLink = (id: string) => this.call<OneTimeLink>({ method: 'POST', path: `${pathOf('/users', id)}/password-link` })
  invitations = () => this.call<Invitations>({ method: 'GET', path: '/invitations' })
  createInvitation = (invitation: NewInvitation) =>
    this.call<CreatedInvitation>({ method: 'POST', path: '/invitations', body: invitation })
  deleteInvitation = (id: string) => this.call<unknown>({ method: 'DELETE', path: pathOf('/invitations', id) })
  audit = (filter: AuditFilter, cursor?: string) =>
    this.call<AuditPage>({ method: 'GET', path: `/audit${pageQuery(cursor, filter)}` })

  /** Uploads one file. After a renewal of the session it goes on where it was. */
  async upload(file: File, options: UploadOptions): Promise<UploadAnswer> {
    const place: UploadPlace = {}
    const { imageId, duplicate, restored } = await this.renewing(
      () => sendResumable(`${API}/uploads`, file, () => this.csrfToken, place, options), hasStaleSession,
    )
    return { image: await this.image(imageId), duplicate, restored }
  }

  private call<T>(call: Call, isStale = hasStaleSession): Promise<T> {
    return this.renewing(() => this.once<T>(call), isStale)
  }

  /** Does something that is repeated once when the session had to be renewed for it. */
  private async renewing<T>(work: () => Promise<T>, isStale: (error: unknown) => boolean): Promise<T> {
    try {
      return await work()
    } catch (error) {
      if (!isStale(error) || !(await this.renew())) throw error
      return work()
    }
  }

  private async once<T>({ method, path, body, headers, accept }: Call): Promise<T> {
    const sent = new Headers({ Accept: accept ?? 'application/json', ...headers })
    if (method !== 'GET' && this.csrfToken !== '') sent.set('X-CSRF-Token', this.csrfToken)
    const init: RequestInit = { method, credentials: 'same-origin', headers: sent }
    if (body instanceof Blob) {
      // The server looks at the bytes, whatever the file is said to be.
      sent.set('Content-Type', 'application/octet-stream')
      init.body = body
    } else if (body !== undefined) {
      sent.set('Content-Type', 'application/json')
      init.body = JSON.stringify(body)
    }
    let response: Response
    let text: string
    try {
      response = await this.fetcher(API + path, init)
      text = await response.text()
    } catch {
      throw ApiError.unreachable()
    }
    if (!response.ok) throw new ApiError(problemFrom(response.status, text))
    if (accept !== undefined) return text as T
    return (text === '' ? undefined : JSON.parse(text)) as T
  }
}

/** Another tab has renewed the session, and with it the token that this one still holds. */
function hasStaleToken(error: unknown): boolean {
  return error instanceof ApiError && error.status === 403 && /csrf/i.test(error.problem.code ?? '')
}

function hasStaleSession(error: unknown): boolean {
  return (error instanceof ApiError && error.status === 401) || hasStaleToken(error)
}

const PAGE_ENTRIES = 40

function pageQuery(cursor: string | undefined, filter: Record<string, string | undefined> = {}): string {
  const query = new URLSearchParams({ limit: String(PAGE_ENTRIES) })
  if (cursor !== undefined) query.set('cursor', cursor)
  for (const [name, value] of Object.entries(filter)) if (value !== undefined) query.set(name, value)
  return `?${query}`
}

function pathOf(list: string, id: string): string {
  return `${list}/${encodeURIComponent(id)}`
}

function imagePath(id: string): string {
  return pathOf('/images', id)
}
