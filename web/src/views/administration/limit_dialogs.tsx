import { useSignal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { LIMITS, type AccountChange, type ManagedAccount } from '../../api/types'
import { nameOf } from '../../state/account_names'
import { storageWords } from '../account_words'
import { useApp, useGallery } from '../context'
import { Dialog } from '../dialog'
import { Field, FormError, SubmitButton, useForm } from '../form'

const USUAL_UPLOADS = 500
const GIGABYTE = 1_000_000_000
const USUAL_GIGABYTES = 10

interface Props {
  user: ManagedAccount
  onClose: () => void
}

/** How many more photos somebody may upload. */
export function UploadLimitDialog({ user, onClose }: Props) {
  const { form, limited } = useLimit(user, onClose, user.limit !== null, 'upload limit', {},
    (field) => ({ limit: field === undefined ? null : Number(field('limit')) }))
  return (
    <LimitFrame title={`Upload limit of ${nameOf(user)}`} form={form} limited={limited} some="So many more photos" none="No limit" onClose={onClose}>
      <Field form={form} label="Uploads left" name="limit" type="number" inputMode="numeric" min={LIMITS.UploadsLeft.minimum}
        max={LIMITS.UploadsLeft.maximum} step={1} defaultValue={user.limit ?? USUAL_UPLOADS}
        hint="Counts from now on. Deleting photos for good gives uploads back." />
    </LimitFrame>
  )
}

/** How much somebody may store. */
export function QuotaDialog({ user, onClose }: Props) {
  const { form, limited } = useLimit(user, onClose, user.quotaBytes !== null, 'quota', { quotaBytes: 'gigabytes' },
    (field) => ({ quotaBytes: field === undefined ? null : Math.round(Number(field('gigabytes')) * GIGABYTE) }))
  const quota = user.quotaBytes === null ? USUAL_GIGABYTES : user.quotaBytes / GIGABYTE
  return (
    <LimitFrame title={`Quota of ${nameOf(user)}`} form={form} limited={limited} some="So much in all" none="No quota" onClose={onClose}>
      <Field form={form} label="Gigabytes" name="gigabytes" type="number" inputMode="decimal" min={LIMITS.QuotaBytes.minimum}
        max={LIMITS.QuotaBytes.maximum / GIGABYTE} step="any" defaultValue={quota}
        hint={`${storageWords({ ...user, quotaBytes: null })} now, with edits and what is in the trash. What is there stays.`} />
    </LimitFrame>
  )
}

type Change = (field: ((name: string) => string) | undefined) => AccountChange

function useLimit(user: ManagedAccount, onClose: () => void, limitedNow: boolean, what: string, names: Record<string, string>, change: Change) {
  const app = useApp()
  const { administration } = useGallery()
  const limited = useSignal(limitedNow)
  const form = useForm(async (field) => {
    await administration.changeUser(user.userId, change(limited.value ? field : undefined))
    app.toasts.show(`The ${what} of ${nameOf(user)} is changed`)
    onClose()
  }, names)
  return { form, limited }
}

interface FrameProps extends ReturnType<typeof useLimit> {
  title: string
  some: string
  none: string
  onClose: () => void
  /** Asks for the number. */
  children: ComponentChildren
}

function LimitFrame({ title, form, limited, some, none, onClose, children }: FrameProps) {
  return (
    <Dialog title={title} onClose={onClose}>
      <form class="stack" onSubmit={form.onSubmit}>
        <fieldset class="choices">
          <legend class="visually-hidden">{title}</legend>
          <label class="choice">
            <input type="radio" name="kind" checked={limited.value} onChange={() => (limited.value = true)} />
            <span>{some}</span>
          </label>
          {limited.value && children}
          <label class="choice">
            <input type="radio" name="kind" checked={!limited.value} onChange={() => (limited.value = false)} />
            <span>{none}</span>
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
