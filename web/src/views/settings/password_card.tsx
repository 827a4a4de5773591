import { useSignal } from '@preact/signals'
import { LIMITS } from '../../api/types'
import { useApp, useGallery, useUser } from '../context'
import { FormError, PasswordField, SubmitButton, useForm } from '../form'

export function PasswordCard() {
  const app = useApp()
  const { settings } = useGallery()
  const user = useUser()
  const first = settings.hasPassword.value === false
  // Another number makes another form: empty again.
  const turn = useSignal(0)
  const form = useForm(async (field) => {
    await settings.changePassword(first ? undefined : field('currentPassword'), field('newPassword'))
    turn.value += 1
    app.toasts.show(`Your password is ${first ? 'set' : 'changed'}, and your other sessions have ended`)
  }, { password: 'newPassword' })
  return (
    <section class="panel" aria-labelledby="password-title">
      <h3 id="password-title">Password</h3>
      {first && <p class="soft">You have none: another service signs you in. With a password you can log in without it.</p>}
      <form key={turn.value} class="stack" onSubmit={form.onSubmit}>
        {/* For password managers, which keep the password with the name. */}
        <input type="text" name="username" autocomplete="username" value={user.email} hidden readOnly />
        {!first && <PasswordField form={form} label="Current password" name="currentPassword" autocomplete="current-password" />}
        <PasswordField form={form} label="New password" name="newPassword" autocomplete="new-password"
          minLength={LIMITS.Password.minLength} maxLength={LIMITS.Password.maxLength} hint={`${LIMITS.Password.minLength} characters or more.`} />
        <FormError text={form.error} />
        <div class="form-buttons">
          <SubmitButton form={form}>{first ? 'Set a password' : 'Change the password'}</SubmitButton>
          <p class="soft">This ends all your other sessions. API keys stay.</p>
        </div>
      </form>
    </section>
  )
}
