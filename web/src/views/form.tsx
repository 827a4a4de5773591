import { useSignal } from '@preact/signals'
import type { ComponentChildren, JSX } from 'preact'
import { useId } from 'preact/hooks'
import { explain, explainBeside, memberOf } from '../api/problem'
import { Icon } from './icons'

export interface FormState {
  busy: boolean
  /** What went wrong, when no field is to blame. */
  error: string
  /** What is wrong with fields, by their names. */
  faults: Readonly<Record<string, string>>
  onSubmit: (event: JSX.TargetedSubmitEvent<HTMLFormElement>) => void
}

/**
 * Runs a form's work once at a time and keeps what was typed. A failure stands beside the field that it is about, which gets the
 * focus, and else above the button. `names` are the fields of members that the form calls otherwise.
 */
export function useForm(work: (field: (name: string) => string) => Promise<void>, names: Record<string, string> = {}): FormState {
  const busy = useSignal(false)
  const error = useSignal('')
  const faults = useSignal<Readonly<Record<string, string>>>({})
  const submit = async (form: HTMLFormElement) => {
    if (busy.value) return
    const data = new FormData(form)
    busy.value = true
    error.value = ''
    faults.value = {}
    try {
      await work((name) => String(data.get(name) ?? ''))
    } catch (failure) {
      const member = memberOf(failure) ?? ''
      const field = form.elements.namedItem(names[member] ?? member)
      if (field instanceof HTMLElement) {
        faults.value = { [names[member] ?? member]: explainBeside(failure) }
        field.focus()
      } else {
        error.value = explain(failure)
      }
    } finally {
      busy.value = false
    }
  }
  return {
    busy: busy.value, error: error.value, faults: faults.value,
    onSubmit: (event) => {
      event.preventDefault()
      void submit(event.currentTarget)
    },
  }
}

type InputProps = Omit<JSX.InputHTMLAttributes<HTMLInputElement>, 'form' | 'name' | 'label' | 'icon'>

interface FieldProps extends InputProps {
  form: FormState
  label: string
  name: string
  hint?: ComponentChildren
}

/** A field with its name above, and below it a hint, or what is wrong with it. */
export function Field({ form, label, name, hint, children, ...input }: FieldProps) {
  const id = useId()
  const fault = form.faults[name]
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <div class="with-button">
        <input id={id} name={name} required spellcheck={false} autocapitalize="none" {...input}
          {...(hint || fault ? { 'aria-describedby': `${id}-note` } : {})} {...(fault ? { 'aria-invalid': true } : {})} />
        {children}
      </div>
      <FieldNote id={`${id}-note`} hint={hint} fault={fault} />
    </div>
  )
}

/** A password, which can be looked at before it is sent. */
export function PasswordField(props: Omit<FieldProps, 'type'>) {
  const shown = useSignal(false)
  return (
    <Field {...props} type={shown.value ? 'text' : 'password'}>
      <button type="button" class="icon-button" aria-pressed={shown.value} title={shown.value ? 'Hide it' : 'Show it'}
        onClick={() => (shown.value = !shown.value)}>
        <Icon name={shown.value ? 'eyeClosed' : 'eye'} />
        <span class="visually-hidden">Show the password</span>
      </button>
    </Field>
  )
}

interface SelectProps {
  form: FormState
  label: string
  name: string
  hint?: ComponentChildren
  value?: string
  onChange?: (value: string) => void
  children: ComponentChildren
}

export function SelectField({ form, label, name, hint, value, onChange, children }: SelectProps) {
  const id = useId()
  const fault = form.faults[name]
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <select id={id} name={name} {...(value === undefined ? {} : { value })} onChange={(event) => onChange?.(event.currentTarget.value)}
        {...(hint || fault ? { 'aria-describedby': `${id}-note` } : {})}>
        {children}
      </select>
      <FieldNote id={`${id}-note`} hint={hint} fault={fault} />
    </div>
  )
}

function FieldNote({ id, hint, fault }: { id: string; hint: ComponentChildren; fault: string | undefined }) {
  if (fault) return <p id={id} class="field-note fault"><Icon name="alert" /> {fault}</p>
  return hint ? <p id={id} class="field-note">{hint}</p> : null
}

/** A failure that belongs to no field. It is always there, so that readers announce what enters it. */
export function FormError({ text }: { text: string }) {
  return <p class="error" role="alert">{text}</p>
}

/** The button that sends a form. It keeps the focus while it is busy, which `disabled` would take from it. */
export function SubmitButton({ form, tone = 'primary', children }: { form: FormState; tone?: string; children: ComponentChildren }) {
  return <button class={tone} aria-disabled={form.busy}>{children}</button>
}
