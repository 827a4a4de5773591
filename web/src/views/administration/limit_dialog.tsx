import { useSignal } from '@preact/signals'
import { LIMITS, type ManagedAccount } from '../../api/types'
import { nameOf } from '../../state/account_names'
import { useApp, useGallery } from '../context'
import { Dialog } from '../dialog'
import { Field, FormError, SubmitButton, useForm } from '../form'

const USUAL_UPLOADS = 500

/** How many more photos somebody may upload. */
export function LimitDialog({ user, onClose }: { user: ManagedAccount; onClose: () => void }) {
  const app = useApp()
  const { administration } = useGallery()
  const limited = useSignal(user.limit !== null)
  const form = useForm(async (field) => {
    await administration.changeUser(user.userId, { limit: limited.value ? Number(field('limit')) : null })
    app.toasts.show(`The upload limit of ${nameOf(user)} is changed`)
    onClose()
  })
  return (
    <Dialog title={`Upload limit of ${nameOf(user)}`} onClose={onClose}>
      <form class="stack" onSubmit={form.onSubmit}>
        <fieldset class="choices">
          <legend class="visually-hidden">Upload limit</legend>
          <label class="choice">
            <input type="radio" name="kind" checked={limited.value} onChange={() => (limited.value = true)} />
            <span>So many more photos</span>
          </label>
          {limited.value && (
            <Field form={form} label="Uploads left" name="limit" type="number" inputMode="numeric" min={LIMITS.UploadsLeft.minimum}
              max={LIMITS.UploadsLeft.maximum} step={1} defaultValue={user.limit ?? USUAL_UPLOADS}
              hint="Counts from now on. Deleting photos for good gives uploads back." />
          )}
          <label class="choice">
            <input type="radio" name="kind" checked={!limited.value} onChange={() => (limited.value = false)} />
            <span>No limit</span>
          </label>
        </fieldset>
        <FormError text={form.error} />
        <div class="form-buttons end">
          <button type="button" onClick={onClose}>Cancel</button>
          <SubmitButton form={form}>Save</SubmitButton>
        </div>
      </form>
    </Dialog>
  )
}
