import { useSignal } from '@preact/signals'
import { LIMITS, type CreatedAccount, type OneTimeLink } from '../../api/types'
import { nameOf } from '../../state/account_names'
import { useApp, useGallery } from '../context'
import { Dialog } from '../dialog'
import { Field, FormError, PasswordField, SubmitButton, useForm } from '../form'
import { LinkShown } from './link_shown'

/** Makes an account for somebody; without a password, shows the link by which they set one. */
export function NewUserDialog({ onClose }: { onClose: () => void }) {
  const app = useApp()
  const made = useSignal<{ account: CreatedAccount['account']; link: OneTimeLink } | undefined>(undefined)
  const onCreated = ({ account, passwordLink }: CreatedAccount) => {
    if (passwordLink) {
      made.value = { account, link: passwordLink }
      return
    }
    app.toasts.show(`${nameOf(account)} can log in now`)
    onClose()
  }
  if (!made.value) return <UserForm onCreated={onCreated} onClose={onClose} />
  const { account, link } = made.value
  return (
    <LinkShown title={`${nameOf(account)} has an account`} text={`Send this link to ${account.email}. Whoever opens it sets the password.`}
      link={link.link} expiresAt={link.expiresAt} onClose={onClose} />
  )
}

function UserForm({ onCreated, onClose }: { onCreated: (created: CreatedAccount) => void; onClose: () => void }) {
  const { administration } = useGallery()
  const form = useForm(async (field) => {
    const account = { email: field('email').trim(), username: field('username').trim() }
    const password = field('password')
    onCreated(await administration.createUser(password === '' ? account : { ...account, password }))
  })
  return (
    <Dialog title="Create an account" onClose={onClose}>
      <form class="stack" onSubmit={form.onSubmit}>
        <Field form={form} label="Email address" name="email" type="email" autocomplete="off" maxLength={LIMITS.Email.maxLength} />
        <Field form={form} label="Username" name="username" autocomplete="off" minLength={LIMITS.Username.minLength}
          maxLength={LIMITS.Username.maxLength} hint="Letters, digits, dots, dashes and underscores. It cannot be changed later." />
        <PasswordField form={form} label="Password" name="password" autocomplete="new-password" required={false}
          minLength={LIMITS.Password.minLength} maxLength={LIMITS.Password.maxLength}
          hint="Leave it empty to get a link by which they set one themselves." />
        <FormError text={form.error} />
        <div class="form-buttons end">
          <button type="button" onClick={onClose}>Cancel</button>
          <SubmitButton form={form}>Create</SubmitButton>
        </div>
      </form>
    </Dialog>
  )
}
