import { signal } from '@preact/signals'
import type { Api } from '../api/client'
import type { ApiKey, CreatedApiKey, Me, NewApiKey, OutsideIdentity, OutsideRedirect, Session as ListedSession } from '../api/types'
import { Listing } from './listing'
import type { Session } from './session'

/** What the signed-in person can set about their own account. Failures are for the form that asked. */
export class Settings {
  readonly sessions: Listing<ListedSession>
  readonly identities: Listing<OutsideIdentity>
  readonly apiKeys: Listing<ApiKey>
  /** Whether there is a password to ask for; undefined until known. */
  readonly hasPassword = signal<boolean | undefined>(undefined)

  constructor(private readonly api: Api, private readonly session: Session) {
    this.sessions = new Listing(() => api.sessions(), ({ id }) => id)
    this.identities = new Listing(() => api.identities(), ({ id }) => id)
    this.apiKeys = new Listing(() => api.apiKeys(), ({ id }) => id)
  }

  async readMe(): Promise<void> {
    this.take(await this.api.me())
  }

  /** An empty name takes it away: then the username is shown. */
  async rename(displayName: string): Promise<void> {
    this.take(await this.api.changeMe({ displayName: textOrNothing(displayName) }))
  }

  /** A few words on oneself; nothing takes them away. */
  async describe(about: string): Promise<void> {
    this.take(await this.api.changeMe({ about: textOrNothing(about) }))
  }

  async setPicture(file: Blob): Promise<void> {
    this.take(await this.api.setPicture(file))
  }

  async removePicture(): Promise<void> {
    this.take(await this.api.removePicture())
  }

  /** Without a current one, sets the first one. */
  async changePassword(currentPassword: string | undefined, newPassword: string): Promise<void> {
    await this.api.changePassword(currentPassword === undefined ? { newPassword } : { currentPassword, newPassword })
    this.hasPassword.value = true
    // The others have ended with it.
    void this.sessions.reload()
  }

  async endSession(id: string): Promise<void> {
    await this.api.endSession(id)
    this.sessions.remove(id)
  }

  async endOtherSessions(): Promise<void> {
    await this.api.endOtherSessions()
    this.sessions.items.value = this.sessions.items.value.filter(({ current }) => current)
  }

  beginLink(): Promise<OutsideRedirect> {
    return this.api.beginLink()
  }

  async unlink(id: string): Promise<void> {
    await this.api.unlink(id)
    this.identities.remove(id)
  }

  /** The answer holds the key itself, which nobody can ask for again. */
  async createApiKey(wanted: NewApiKey): Promise<CreatedApiKey> {
    const created = await this.api.createApiKey(wanted)
    const { key: _, ...listed } = created
    this.apiKeys.put(listed)
    return created
  }

  async deleteApiKey(id: string): Promise<void> {
    await this.api.deleteApiKey(id)
    this.apiKeys.remove(id)
  }

  /** The server goes on with it by itself; here the person is logged out. `password`: where there is one. */
  async deleteAccount(password: string | undefined): Promise<void> {
    await this.api.deleteMe(password === undefined ? {} : { password })
    this.session.leave()
  }

  private take({ csrfToken: _, hasPassword, ...user }: Me): void {
    this.hasPassword.value = hasPassword
    this.session.update(user)
  }
}

function textOrNothing(text: string): string | null {
  const trimmed = text.trim()
  return trimmed === '' ? null : trimmed
}
