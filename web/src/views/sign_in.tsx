import { useSignal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { useEffect } from 'preact/hooks'
import { LIMITS, type AuthState } from '../api/types'
import { useApp } from './context'
import { Field, FormError, PasswordField, SubmitButton, useForm } from './form'
import { Modal } from './modal'

const PASSWORD_RULES = { minLength: LIMITS.Password.minLength, maxLength: LIMITS.Password.maxLength }
const PASSWORD_HINT = `${LIMITS.Password.minLength} characters or more.`

function LoginForm({ name }: { name?: string }) {
  const { session } = useApp()
  const form = useForm((field) => session.login({ name: field('name'), password: field('password') }))
  return (
    <form onSubmit={form.onSubmit} class="stack">
      <Field form={form} label="Email or username" name="name" autocomplete="username" {...(name ? { defaultValue: name } : {})} />
      <PasswordField form={form} label="Password" name="password" autocomplete="current-password" autoFocus={name !== undefined} />
      <FormError text={form.error} />
      <SubmitButton form={form}>Log in</SubmitButton>
    </form>
  )
}

/** For the first account, with `setup`; for somebody who was invited, with their invitation. */
export function SignupForm({ setup = false, invitation }: { setup?: boolean; invitation?: string }) {
  const { session, router } = useApp()
  const form = useForm(async (field) => {
    const account = { email: field('email').trim(), username: field('username').trim(), password: field('password') }
    if (setup) await session.signup({ ...account, setupToken: field('setupToken').trim() })
    else await session.signup(invitation === undefined ? account : { ...account, invitation })
    if (invitation !== undefined) router.go({ section: 'library' }, 'replace')
  })
  return (
    <form onSubmit={form.onSubmit} class="stack">
      {setup && (
        <Field form={form} label="Setup token" name="setupToken" autocomplete="off"
          hint={<>The server printed it when it started. It is also in <code>data/setup-token</code>.</>} />
      )}
      <Field form={form} label="Email address" name="email" type="email" autocomplete="email" maxLength={LIMITS.Email.maxLength} />
      <Field form={form} label="Username" name="username" autocomplete="nickname" minLength={LIMITS.Username.minLength}
        maxLength={LIMITS.Username.maxLength} hint="It cannot be changed later." />
      <PasswordField form={form} label="Password" name="password" autocomplete="new-password" {...PASSWORD_RULES} hint={PASSWORD_HINT} />
      <FormError text={form.error} />
      <SubmitButton form={form}>Sign up</SubmitButton>
    </form>
  )
}

/** By a one-time link. */
export function NewPasswordForm({ token }: { token: string }) {
  const { session, router, toasts } = useApp()
  const form = useForm(async (field) => {
    await session.setPassword({ token, password: field('password') })
    router.go({ section: 'library' }, 'replace')
    toasts.show('Your password is set')
  })
  return (
    <form onSubmit={form.onSubmit} class="stack">
      <PasswordField form={form} label="New password" name="password" autocomplete="new-password" {...PASSWORD_RULES}
        hint={PASSWORD_HINT} />
      <FormError text={form.error} />
      <SubmitButton form={form}>Set the password</SubmitButton>
    </form>
  )
}

/** The way in by another service, where there is one; `alone` where there is no form above it. */
export function OutsideSignIn({ auth, invitation, alone = false }: { auth: AuthState | undefined; invitation?: string; alone?: boolean }) {
  const app = useApp()
  const leaving = useSignal(false)
  if (!auth?.outside || auth.setupRequired) return null
  const leave = async () => {
    leaving.value = true
    await app.attempt(() => app.leaveFor(app.api.beginOutside(invitation)))
    leaving.value = false
  }
  return (
    <>
      {!alone && <p class="or"><span>or</span></p>}
      <button class="outside" aria-disabled={leaving.value} onClick={() => void (leaving.value || leave())}>
        Sign in with {auth.outside.name}
      </button>
    </>
  )
}

/** The frame of everything that comes before the gallery. */
export function Gate({ title, children }: { title: string; children: ComponentChildren }) {
  return (
    <div class="gate">
      <main>
        <div>
          <h1 class="wordmark">Tintype</h1>
          <h2>{title}</h2>
          {children}
        </div>
      </main>
      <div class="art" aria-hidden="true" />
    </div>
  )
}

/** How the server takes accounts, once it is known. */
export function useAuthState(): AuthState | undefined {
  const { api } = useApp()
  const state = useSignal<AuthState | undefined>(undefined)
  useEffect(() => {
    api.authState().then((known) => (state.value = known), () => undefined) // Logging in still works, and tells what is wrong if it does not.
  }, [api])
  return state.value
}

/** The screen of somebody who is not signed in. */
export function SignInScreen() {
  const { session } = useApp()
  const auth = useAuthState()
  const wanted = useSignal(false)
  const setup = auth?.setupRequired ?? false
  const signUp = auth?.signUp ?? 'open'
  // Whoever has chosen before the server answered stays where they are, if they can.
  const joining = setup || (wanted.value && signUp === 'open')
  return (
    <Gate title={joining ? 'Sign up' : 'Log in'}>
      {setup && <p>You are the first one here. This account looks after the server and can invite others.</p>}
      <FormError text={session.outsideFailure.value} />
      {joining ? <SignupForm setup={setup} /> : <LoginForm />}
      <OutsideSignIn auth={auth} />
      {!setup && signUp === 'open' && (
        <p class="switch">
          {joining ? 'You have an account? ' : 'No account yet? '}
          <button class="link" onClick={() => (wanted.value = !wanted.value)}>{joining ? 'Log in' : 'Sign up'}</button>
        </p>
      )}
      {!setup && signUp === 'invitation' && (
        <p class="switch">No account yet? Accounts are made by invitation here. Ask the person who runs this server for one.</p>
      )}
      {!setup && signUp === 'closed' && <p class="switch">No account yet? Ask the person who runs this server for one.</p>}
      {!joining && <p class="switch">Forgot your password? The person who runs this server can make you a link to set a new one.</p>}
    </Gate>
  )
}

/** Stands over the page when the session ended by itself; everything below stays as it was. */
export function SessionEndedDialog({ name }: { name: string }) {
  const app = useApp()
  const auth = useAuthState()
  return (
    <Modal label="Log in again" class="card session-ended">
      <h2>Log in again</h2>
      <p>Your session has ended. What you typed and what waits for upload is kept.</p>
      <LoginForm name={name} />
      <OutsideSignIn auth={auth} />
      {auth?.outside && <p class="soft">That leaves this page: what you typed and what waits for upload is lost.</p>}
      <p class="switch">
        <button class="link" onClick={() => app.attempt(() => app.session.logout())}>Leave instead</button>
      </p>
    </Modal>
  )
}
