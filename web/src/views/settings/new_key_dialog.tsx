import { useSignal } from '@preact/signals'
import { LIMITS, type CreatedApiKey, type Scope } from '../../api/types'
import { SCOPES, scopeWords } from '../account_words'
import { useGallery, useUser } from '../context'
import { CopyField } from '../copy_field'
import { Dialog } from '../dialog'
import { Field, FormError, SelectField, SubmitButton, useForm } from '../form'

const LIFETIMES_DAYS = [30, 90, 365]
const USUAL_DAYS = 365

/** Asks what an API key is for, then shows it, this once. */
export function NewKeyDialog({ onClose }: { onClose: () => void }) {
  const created = useSignal<CreatedApiKey | undefined>(undefined)
  return created.value ? <CreatedKey created={created.value} onClose={onClose} /> : (
    <KeyForm onCreated={(key) => (created.value = key)} onClose={onClose} />
  )
}

function KeyForm({ onCreated, onClose }: { onCreated: (key: CreatedApiKey) => void; onClose: () => void }) {
  const { settings } = useGallery()
  const { administrator } = useUser()
  const offered = SCOPES.filter(({ scope }) => administrator || scope !== 'administer')
  const chosen = useSignal<readonly Scope[]>(['read'])
  const form = useForm(async (field) => {
    if (chosen.value.length === 0) return
    const days = field('expiresInDays')
    const wanted = { name: field('name').trim(), scopes: [...chosen.value] }
    onCreated(await settings.createApiKey(days === '' ? wanted : { ...wanted, expiresInDays: Number(days) }))
  })
  const toggle = (scope: Scope, on: boolean) => {
    chosen.value = on ? [...chosen.value, scope] : chosen.value.filter((other) => other !== scope)
  }
  return (
    <Dialog title="New API key" onClose={onClose}>
      <form class="stack" onSubmit={form.onSubmit}>
        <Field form={form} label="Name" name="name" autocomplete="off" autocapitalize="sentences" maxLength={LIMITS.ApiKeyName.maxLength}
          hint="What it is for, such as “Backup script”." />
        <fieldset class="choices">
          <legend>What it may do</legend>
          {offered.map(({ scope, label, meaning }) => (
            <label key={scope} class="choice">
              <input type="checkbox" checked={chosen.value.includes(scope)} onChange={(event) => toggle(scope, event.currentTarget.checked)} />
              <span><b>{label}</b> <span class="soft">{meaning}</span></span>
            </label>
          ))}
          <p class="field-note fault" role="alert">{chosen.value.length === 0 && 'Choose at least one.'}</p>
        </fieldset>
        <SelectField form={form} label="Ends after" name="expiresInDays">
          {LIFETIMES_DAYS.map((days) => (
            <option key={days} value={days} selected={days === USUAL_DAYS}>{days === 365 ? 'A year' : `${days} days`}</option>
          ))}
          <option value="">Never</option>
        </SelectField>
        <FormError text={form.error} />
        <div class="form-buttons end">
          <button type="button" onClick={onClose}>Cancel</button>
          <SubmitButton form={form}>Create</SubmitButton>
        </div>
      </form>
    </Dialog>
  )
}

function CreatedKey({ created, onClose }: { created: CreatedApiKey; onClose: () => void }) {
  return (
    <Dialog title={`API key “${created.name}”`} onClose={onClose}>
      <div class="stack">
        <p class="banner good" role="status"><b>Copy it now.</b> It is shown this once.</p>
        <CopyField label="API key" text={created.key} />
        <p class="soft">{scopeWords(created.scopes)}. Programs send it as <code>Authorization: Bearer {created.key.slice(0, 12)}…</code></p>
        <div class="form-buttons end"><button class="primary" onClick={onClose}>Done</button></div>
      </div>
    </Dialog>
  )
}
