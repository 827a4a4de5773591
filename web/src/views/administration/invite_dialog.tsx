import { useSignal } from '@preact/signals'
import { LIMITS, type CreatedInvitation } from '../../api/types'
import { useGallery } from '../context'
import { Dialog } from '../dialog'
import { Field, FormError, SelectField, SubmitButton, useForm } from '../form'
import { LinkShown } from './link_shown'

const LIFETIMES_HOURS = [[24, 'A day'], [72, '3 days'], [168, 'A week'], [720, '30 days']] as const
const USUAL_HOURS = 168

/** Makes an invitation and shows its link. */
export function InviteDialog({ onClose }: { onClose: () => void }) {
  const made = useSignal<CreatedInvitation | undefined>(undefined)
  if (!made.value) return <InviteForm onCreated={(created) => (made.value = created)} onClose={onClose} />
  const { email, link, expiresAt } = made.value
  const text = email === null ? 'Send this link to whom you invite. Whoever opens it first makes an account.'
    : `Send this link to ${email}. It makes an account for that address alone.`
  return <LinkShown title="The invitation is ready" text={text} link={link} expiresAt={expiresAt} onClose={onClose} />
}

function InviteForm({ onCreated, onClose }: { onCreated: (created: CreatedInvitation) => void; onClose: () => void }) {
  const { administration } = useGallery()
  const form = useForm(async (field) => {
    const email = field('email').trim()
    const wanted = { administrator: field('role') === 'administrator', expiresInHours: Number(field('hours')) }
    onCreated(await administration.invite(email === '' ? wanted : { ...wanted, email }))
  })
  return (
    <Dialog title="Invite somebody" onClose={onClose}>
      <form class="stack" onSubmit={form.onSubmit}>
        <Field form={form} label="Email address" name="email" type="email" autocomplete="off" required={false}
          maxLength={LIMITS.Email.maxLength} hint="Nothing is sent. With an address, nobody else can use the invitation." />
        <SelectField form={form} label="Role" name="role">
          <option value="member">Member</option>
          <option value="administrator">Administrator</option>
        </SelectField>
        <SelectField form={form} label="Ends after" name="hours">
          {LIFETIMES_HOURS.map(([hours, words]) => <option key={hours} value={hours} selected={hours === USUAL_HOURS}>{words}</option>)}
        </SelectField>
        <FormError text={form.error} />
        <div class="form-buttons end">
          <button type="button" onClick={onClose}>Cancel</button>
          <SubmitButton form={form}>Make the link</SubmitButton>
        </div>
      </form>
    </Dialog>
  )
}
