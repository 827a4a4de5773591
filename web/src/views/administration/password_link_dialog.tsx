import { useSignal } from '@preact/signals'
import type { ManagedAccount, OneTimeLink } from '../../api/types'
import { nameOf } from '../../state/account_names'
import { useGallery } from '../context'
import { Dialog } from '../dialog'
import { FormError, SubmitButton, useForm } from '../form'
import { LinkShown } from './link_shown'

/** For somebody who has forgotten their password. */
export function PasswordLinkDialog({ user, onClose }: { user: ManagedAccount; onClose: () => void }) {
  const { administration } = useGallery()
  const made = useSignal<OneTimeLink | undefined>(undefined)
  const form = useForm(async () => {
    made.value = await administration.createPasswordLink(user.userId)
  })
  if (made.value) {
    return (
      <LinkShown title={`Password link for ${nameOf(user)}`}
        text={`Send this link to ${user.email}, and to nobody else: whoever opens it sets a new password and is logged in.`}
        link={made.value.link} expiresAt={made.value.expiresAt} onClose={onClose} />
    )
  }
  return (
    <Dialog title={`Password link for ${nameOf(user)}`} onClose={onClose}>
      <form class="stack" onSubmit={form.onSubmit}>
        <p>
          With a link that works once, {nameOf(user)} sets a new password. Until then the old one works, and links that you made before do
          not any more.
        </p>
        <FormError text={form.error} />
        <div class="form-buttons end">
          <button type="button" onClick={onClose}>Cancel</button>
          <SubmitButton form={form}>Make the link</SubmitButton>
        </div>
      </form>
    </Dialog>
  )
}
