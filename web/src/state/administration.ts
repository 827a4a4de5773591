import type { Api, AuditFilter } from '../api/client'
import type {
  AccountChange, AuditEntry, CreatedAccount, CreatedInvitation, Invitation, ManagedAccount, NewAccount, NewInvitation, OneTimeLink,
  OutsideIdentity,
} from '../api/types'
import { AccountNames } from './account_names'
import { Listing } from './listing'

/** What administrators look after. Failures are for the form or the list that asked. */
export class Administration {
  readonly names: AccountNames
  readonly users: Listing<ManagedAccount>
  readonly invitations: Listing<Invitation>
  readonly audit: Listing<AuditEntry>
  private filter: AuditFilter = {}

  constructor(private readonly api: Api) {
    this.names = new AccountNames((id) => api.user(id))
    this.users = new Listing(async (cursor) => {
      const page = await api.users(cursor)
      this.names.learn(page.items)
      return page
    }, ({ userId }) => userId)
    this.invitations = new Listing(() => api.invitations(), ({ id }) => id)
    this.audit = new Listing((cursor) => api.audit(this.filter, cursor), ({ chain, sequence }) => `${chain} ${sequence}`)
  }

  async createUser(account: NewAccount): Promise<CreatedAccount> {
    const created = await this.api.createUser(account)
    this.names.learn([created.account])
    this.users.put(created.account)
    return created
  }

  async changeUser(id: string, change: AccountChange): Promise<ManagedAccount> {
    const changed = await this.api.changeUser(id, change)
    this.users.put(changed)
    return changed
  }

  async deleteUser(id: string): Promise<void> {
    this.users.put(await this.api.deleteUser(id))
  }

  /** The other services that somebody signs in with. */
  async identitiesOf(id: string): Promise<readonly OutsideIdentity[]> {
    return (await this.api.identitiesOf(id)).items
  }

  async unlinkFrom(id: string, identity: string): Promise<void> {
    await this.api.unlinkFrom(id, identity)
  }

  /** Any link that was made before does not work any more. */
  createPasswordLink(id: string): Promise<OneTimeLink> {
    return this.api.createPasswordLink(id)
  }

  async invite(invitation: NewInvitation): Promise<CreatedInvitation> {
    const created = await this.api.createInvitation(invitation)
    const { link: _, token: __, ...listed } = created
    this.invitations.put(listed)
    return created
  }

  async takeInvitationBack(id: string): Promise<void> {
    await this.api.deleteInvitation(id)
    this.invitations.remove(id)
  }

  async readAudit(filter: AuditFilter): Promise<void> {
    this.filter = filter
    await this.audit.restart()
  }
}
