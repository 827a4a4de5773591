import { useSignal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import { explain } from '../../api/problem'
import type { OutsideIdentity } from '../../api/types'
import { Confirm } from '../confirm'
import { useApp, useGallery } from '../context'
import { FormError } from '../form'
import { Icon } from '../icons'
import { IdentityRows, identityName } from '../identity_rows'
import { ListingFrame } from '../loading'
import { useAuthState } from '../sign_in'

/** The other services that the person signs in with. Nothing where there is none, and never was. */
export function IdentitiesCard() {
  const app = useApp()
  const { settings } = useGallery()
  const { identities } = settings
  const service = useAuthState()?.outside
  const removing = useSignal<OutsideIdentity | undefined>(undefined)
  const error = useSignal('')
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => void identities.reload(), [identities])
  if (!service && identities.items.value.length === 0) return null
  const attempt = async (work: () => Promise<void>) => {
    error.value = ''
    try {
      await work()
    } catch (failure) {
      error.value = explain(failure)
    }
  }
  const unlink = async ({ id }: OutsideIdentity) => {
    removing.value = undefined
    await attempt(async () => {
      await settings.unlink(id)
      heading.current?.focus()
      app.toasts.show('It does not sign you in any more')
    })
  }
  return (
    <section class="panel" aria-labelledby="identities-title">
      <header>
        <h3 id="identities-title" ref={heading} tabIndex={-1}>Other ways to sign in</h3>
        {service && (
          <button class="small" onClick={() => void attempt(() => app.leaveFor(settings.beginLink()))}>
            <Icon name="plus" /> Link {service.name}
          </button>
        )}
      </header>
      <FormError text={error.value} />
      <ListingFrame list={identities} empty={<p>You sign in with your password alone.</p>}>
        <IdentityRows label="Other ways to sign in" identities={identities.items.value} onRemove={(identity) => (removing.value = identity)} />
      </ListingFrame>
      {removing.value && (
        <Confirm title={`Do not sign in with ${identityName(removing.value)} any more?`} action="Remove"
          onCancel={() => (removing.value = undefined)} onConfirm={() => removing.value && void unlink(removing.value)}>
          <p>Your account stays. You can link the two again.</p>
        </Confirm>
      )}
    </section>
  )
}
