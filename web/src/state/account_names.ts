import { signal } from '@preact/signals'
import { ApiError } from '../api/problem'
import type { ManagedAccount } from '../api/types'

type Named = Pick<ManagedAccount, 'userId' | 'username' | 'displayName'>

/** What people call an account: the name that its owner chose, or else the username. */
export function nameOf({ displayName, username }: Pick<Named, 'displayName' | 'username'>): string {
  return displayName ?? username
}

/** The names of accounts that are known only by their ids, each asked for once. */
export class AccountNames {
  /** null for accounts that do not exist any more. */
  readonly known = signal<ReadonlyMap<string, string | null>>(new Map())
  private readonly asked = new Set<string>()

  constructor(private readonly find: (id: string) => Promise<Named>) {}

  learn(accounts: readonly Named[]): void {
    const known = new Map(this.known.value)
    for (const account of accounts) known.set(account.userId, nameOf(account))
    this.known.value = known
  }

  /** Finds out the names that are missing, one after the other: a page of the audit has few of them. */
  async resolve(ids: Iterable<string>): Promise<void> {
    for (const id of ids) {
      if (this.asked.has(id) || this.known.value.has(id)) continue
      this.asked.add(id)
      try {
        this.learn([await this.find(id)])
      } catch (error) {
        if (error instanceof ApiError && error.status === 404) this.known.value = new Map(this.known.value).set(id, null)
        else this.asked.delete(id) // The id is shown; another page may ask again.
      }
    }
  }
}
