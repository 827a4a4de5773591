import { useSignal } from '@preact/signals'
import { useApp, useGallery, useUser } from '../context'
import { Dialog } from '../dialog'
import { FormError, PasswordField, SubmitButton, useForm } from '../form'

/** The way out, with everything. */
export function DeletionCard() {
  const { administrator } = useUser()
  const asking = useSignal(false)
  return (
    <section class="panel" aria-labelledby="deletion-title">
      <h3 id="deletion-title">Delete the account</h3>
      {administrator ? (
        <p class="soft">
          An administrator’s account is deleted by another administrator, or with <code>tintype users delete</code>, so that there is
          always one left.
        </p>
      ) : (
        <>
          <p class="soft">Deletes your account and all your photos for good, also what you share and what is in the trash.</p>
          <div><button class="danger" onClick={() => (asking.value = true)}>Delete my account</button></div>
        </>
      )}
      {asking.value && <DeletionDialog onClose={() => (asking.value = false)} />}
    </section>
  )
}

function DeletionDialog({ onClose }: { onClose: () => void }) {
  const app = useApp()
  const { settings } = useGallery()
  const user = useUser()
  const hasPassword = settings.hasPassword.value !== false
  const form = useForm(async (field) => {
    await settings.deleteAccount(hasPassword ? field('password') : undefined)
    app.router.go({ section: 'library' }, 'replace')
    app.toasts.show('Your account is being deleted, with all that is in it')
  }, { currentPassword: 'password' })
  return (
    <Dialog title="Delete your account?" onClose={onClose}>
      <form class="stack" onSubmit={form.onSubmit}>
        <p class="banner bad">
          <span><b>This cannot be undone.</b> All photos of {user.email} are deleted for good, with their versions, and nobody can bring them
          back. Links to them stop working, your API keys too, and you are logged out everywhere.</span>
        </p>
        {hasPassword && <PasswordField form={form} label="Your password" name="password" autocomplete="current-password" />}
        <FormError text={form.error} />
        <div class="form-buttons end">
          <button type="button" onClick={onClose}>Cancel</button>
          <SubmitButton form={form} tone="danger-fill">Delete everything</SubmitButton>
        </div>
      </form>
    </Dialog>
  )
}
