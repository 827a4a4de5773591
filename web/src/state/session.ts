import { signal } from '@preact/signals'
import type { Api } from '../api/client'
import { ApiError, explain } from '../api/problem'
import type { OutsideReturn, User } from '../api/types'

export type SessionState =
  | { kind: 'starting' }
  | { kind: 'unreachable'; message: string }
  | { kind: 'anonymous' }
  | { kind: 'active'; user: User }
  /** The session ended by itself: the page stays as it was, with the log-in form over it. */
  | { kind: 'expired'; user: User }

/**
 * Who is signed in. Requests that meet an ended session wait in Renew() until it is refreshed or the
 * same person has logged in again, and are then repeated, so that nothing typed or queued gets lost.
 */
export class Session {
  readonly state = signal<SessionState>({ kind: 'starting' })
  /** Why the sign-in with another service, from which the browser has just come back, did not work. Empty once another begins. */
  readonly outsideFailure = signal('')
  private renewal: Promise<boolean> | undefined
  private answerWaiting: ((same: boolean) => void) | undefined

  constructor(private readonly api: Api) {
    api.renew = () => this.renew()
  }

  /** Finds out at the start of the page whether a cookie session is there. */
  async start(): Promise<void> {
    this.state.value = { kind: 'starting' }
    try {
      if (!(await this.refresh())) this.state.value = { kind: 'anonymous' }
    } catch (error) {
      this.state.value = { kind: 'unreachable', message: explain(error) }
    }
  }

  /** By email address or username, whichever `name` is. */
  async login({ name, password }: { name: string; password: string }): Promise<void> {
    this.outsideFailure.value = ''
    const trimmed = name.trim()
    // Usernames have no such sign.
    const who = trimmed.includes('@') ? { email: trimmed } : { username: trimmed }
    const { user, csrfToken } = await this.api.login({ ...who, password })
    this.adopt(user, csrfToken)
  }

  async signup(form: { email: string; username: string; password: string; setupToken?: string; invitation?: string }): Promise<void> {
    this.outsideFailure.value = ''
    const { user, csrfToken } = await this.api.signup(form)
    this.adopt(user, csrfToken)
  }

  /** By a one-time link. Whoever has it is logged in with it, whoever was before. */
  async setPassword(form: { token: string; password: string }): Promise<void> {
    const { user, csrfToken } = await this.api.setPassword(form)
    this.adopt(user, csrfToken)
  }

  /**
   * Ends a sign-in with another service. Resolves to true when the account that is signed in was linked by it; failures
   * are for the sign-in form, or, when somebody is signed in, for the caller.
   */
  async finishOutside(back: OutsideReturn): Promise<boolean> {
    try {
      const answer = await this.api.finishOutside(back)
      if (answer) this.adopt(answer.user, answer.csrfToken)
      return answer === undefined
    } catch (error) {
      this.outsideFailure.value = explain(error)
      return false
    }
  }

  async logout(): Promise<void> {
    try {
      await this.api.logout()
    } catch (error) {
      // Without a session there is nothing to end; any other failure leaves the person signed in.
      if (!(error instanceof ApiError) || error.status !== 401) throw error
    }
    this.leave()
  }

  /** The session is over, and the server knows. */
  leave(): void {
    this.api.csrfToken = ''
    this.state.value = { kind: 'anonymous' }
    this.answer(false)
  }

  /** The signed-in person has changed their own account. */
  update(user: User): void {
    const { value } = this.state
    if ((value.kind === 'active' || value.kind === 'expired') && value.user.userId === user.userId) this.state.value = { ...value, user }
  }

  /** See Renew in api/client.ts. Many requests that fail at once share one renewal. */
  renew(): Promise<boolean> {
    this.renewal ??= this.renewOnce().finally(() => {
      this.renewal = undefined
    })
    return this.renewal
  }

  private async renewOnce(): Promise<boolean> {
    const before = this.state.value
    if (before.kind !== 'active') return false
    if (await this.refresh()) {
      const now = this.state.value
      return now.kind === 'active' && now.user.userId === before.user.userId
    }
    this.state.value = { kind: 'expired', user: before.user }
    return new Promise((resolve) => {
      this.answerWaiting = resolve
    })
  }

  /**
   * Takes over the session in the cookies, refreshing it when needed. A refresh token works once, and tabs
   * share it: a lock lets one tab refresh while the others wait and then find the session renewed.
   */
  private async refresh(): Promise<boolean> {
    const work = async () => (await this.tryToAdopt(() => this.readMe())) || this.tryToAdopt(() => this.api.refresh())
    // Browsers offer locks only to secure origins; on plain http in a network, tabs do without.
    return 'locks' in navigator ? await navigator.locks.request('tintype-session', work) : work()
  }

  private async readMe(): Promise<{ user: User; csrfToken: string }> {
    const { csrfToken = '', hasPassword: _, ...user } = await this.api.me()
    return { user, csrfToken }
  }

  private async tryToAdopt(ask: () => Promise<{ user: User; csrfToken: string }>): Promise<boolean> {
    try {
      const { user, csrfToken } = await ask()
      this.adopt(user, csrfToken)
      return true
    } catch (error) {
      if (error instanceof ApiError && error.status >= 400 && error.status < 404) return false
      throw error
    }
  }

  private adopt(user: User, csrfToken: string): void {
    const before = this.state.value
    const same = before.kind === 'expired' && before.user.userId === user.userId
    this.api.csrfToken = csrfToken
    this.outsideFailure.value = ''
    this.state.value = { kind: 'active', user }
    this.answer(same)
  }

  private answer(same: boolean): void {
    this.answerWaiting?.(same)
    this.answerWaiting = undefined
  }
}
