import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { explain } from '../../api/problem'
import type { ManagedAccount, OutsideIdentity } from '../../api/types'
import { nameOf } from '../../state/account_names'
import { useApp, useGallery } from '../context'
import { Dialog } from '../dialog'
import { FormError } from '../form'
import { IdentityRows, identityName } from '../identity_rows'
import { Loading } from '../loading'

/** The other services that somebody signs in with, each of which can be taken away. */
export function IdentitiesDialog({ user, onClose }: { user: ManagedAccount; onClose: () => void }) {
  const app = useApp()
  const { administration } = useGallery()
  const identities = useSignal<readonly OutsideIdentity[] | undefined>(undefined)
  const error = useSignal('')
  const attempt = async (work: () => Promise<void>) => {
    error.value = ''
    try {
      await work()
    } catch (failure) {
      error.value = explain(failure)
    }
  }
  useEffect(() => void attempt(async () => {
    identities.value = await administration.identitiesOf(user.userId)
  }), [administration, user.userId])
  const remove = (identity: OutsideIdentity) => attempt(async () => {
    await administration.unlinkFrom(user.userId, identity.id)
    identities.value = identities.value?.filter(({ id }) => id !== identity.id)
    app.toasts.show(`${nameOf(user)} does not sign in with ${identityName(identity)} any more`)
  })
  const linked = identities.value
  return (
    <Dialog title={`Other ways to sign in of ${nameOf(user)}`} onClose={onClose}>
      <div class="stack">
        {linked === undefined && error.value === '' && <Loading />}
        {linked?.length === 0 && <p>No other service leads to this account.</p>}
        {linked !== undefined && linked.length > 0 && (
          <>
            <IdentityRows label="Other services" identities={linked} onRemove={(identity) => void remove(identity)} />
            <p class="soft">Removing one logs nobody out: disable the account for that. Without a password, make a password link afterwards.</p>
          </>
        )}
        <FormError text={error.value} />
        <div class="form-buttons end"><button class="primary" onClick={onClose}>Done</button></div>
      </div>
    </Dialog>
  )
}
