import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { explain } from '../api/problem'
import { LIMITS } from '../api/types'
import { useApp } from './context'
import { Modal } from './modal'

interface FieldProps {
  label: string
  name: string
  type: string
  autocomplete: string
  hint?: string
  value?: string
  minLength?: number
  autoFocus?: boolean
}

function Field({ label, name, hint, ...input }: FieldProps) {
  return (
    <label class="field">
      <span>{label}</span>
      <input name={name} required spellcheck={false} autocapitalize="none"
        {...(hint ? { 'aria-describedby': `${name}-hint` } : {})} {...input} />
      {hint && <small id={`${name}-hint`}>{hint}</small>}
    </label>
  )
}

/** Runs a form's work, shows its failure beside the button, and keeps what was typed. */
function useForm(work: (form: (name: string) => string) => Promise<void>) {
  const busy = useSignal(false)
  const error = useSignal('')
  const onSubmit = async (event: SubmitEvent) => {
    event.preventDefault()
    if (busy.value) return
    const data = new FormData(event.currentTarget as HTMLFormElement)
    busy.value = true
    error.value = ''
    try {
      await work((name) => String(data.get(name) ?? ''))
    } catch (failure) {
      error.value = explain(failure)
    } finally {
      busy.value = false
    }
  }
  return { busy, error, onSubmit }
}

function LoginForm({ name }: { name?: string }) {
  const { session } = useApp()
  const form = useForm((field) => session.login({ name: field('name'), password: field('password') }))
  return (
    <form onSubmit={form.onSubmit} class="stack">
      <Field label="Email or username" name="name" type="text" autocomplete="username" {...(name ? { value: name } : {})} />
      <Field label="Password" name="password" type="password" autocomplete="current-password" autoFocus={name !== undefined} />
      <p class="error" role="alert">{form.error}</p>
      <button class="primary" aria-disabled={form.busy.value}>Log in</button>
    </form>
  )
}

function SignupForm({ setup }: { setup: boolean }) {
  const { session } = useApp()
  const form = useForm((field) => {
    const account = { email: field('email').trim(), username: field('username').trim(), password: field('password') }
    return session.signup(setup ? { ...account, setupToken: field('setupToken').trim() } : account)
  })
  return (
    <form onSubmit={form.onSubmit} class="stack">
      {setup && (
        <Field label="Setup token" name="setupToken" type="text" autocomplete="off"
          hint="The server printed it at its first start; it also stands in data/setup-token." />
      )}
      <Field label="Email address" name="email" type="email" autocomplete="email" />
      <Field label="Username" name="username" type="text" autocomplete="nickname" hint="It cannot be changed later." />
      <Field label="Password" name="password" type="password" autocomplete="new-password" minLength={LIMITS.Password.minLength}
        hint={`At least ${LIMITS.Password.minLength} characters.`} />
      <p class="error" role="alert">{form.error}</p>
      <button class="primary" aria-disabled={form.busy.value}>Sign up</button>
    </form>
  )
}

/** The screen of somebody who is not signed in. */
export function SignInScreen() {
  const { api } = useApp()
  const setup = useSignal(false)
  const open = useSignal(true)
  const joining = useSignal(false)
  useEffect(() => {
    api.authState().then(
      ({ setupRequired, signUpOpen }) => {
        setup.value = setupRequired
        open.value = signUpOpen
        // Whoever has chosen meanwhile stays where they are, if they can.
        if (setupRequired || !signUpOpen) joining.value = setupRequired
      },
      () => undefined, // Logging in still works, and tells what is wrong if it does not.
    )
  }, [api])
  return (
    <main class="sign-in">
      <div class="card">
        <h1 class="wordmark">Tintype</h1>
        {setup.value && <p>Welcome. The first account looks after this server.</p>}
        <h2>{joining.value ? 'Sign up' : 'Log in'}</h2>
        {joining.value ? <SignupForm setup={setup.value} /> : <LoginForm />}
        {!open.value && <p class="switch">No account yet? Ask the person who runs this server for one.</p>}
        {open.value && !setup.value && (
          <p class="switch">
            {joining.value ? 'You have an account? ' : 'No account yet? '}
            <button class="link" onClick={() => (joining.value = !joining.value)}>
              {joining.value ? 'Log in' : 'Sign up'}
            </button>
          </p>
        )}
      </div>
    </main>
  )
}

/** Stands over the page when the session ended by itself; everything below stays as it was. */
export function SessionEndedDialog({ name }: { name: string }) {
  const app = useApp()
  return (
    <Modal label="Log in again" class="card session-ended">
      <h2>Log in again</h2>
      <p>Your session has ended. What you typed and what waits for upload is kept.</p>
      <LoginForm name={name} />
      <p class="switch">
        <button class="link" onClick={() => app.attempt(() => app.session.logout())}>Leave instead</button>
      </p>
    </Modal>
  )
}
