import { nameOf } from '../state/account_names'
import { hashOf, type OneTimeLink } from '../state/router_paths'
import { useApp } from './context'
import { Gate, NewPasswordForm, OutsideSignIn, SignupForm, useAuthState } from './sign_in'

/** What somebody sees who opens a link that they were sent. */
export function LinkScreen({ link }: { link: OneTimeLink }) {
  return link.kind === 'password' ? <NewPasswordScreen token={link.token} /> : <InvitationScreen token={link.token} />
}

function NewPasswordScreen({ token }: { token: string }) {
  return (
    <Gate title="Set a new password">
      <p>This link works once. With a new password you are logged in here, and logged out everywhere else.</p>
      <NewPasswordForm token={token} />
      <Elsewhere />
    </Gate>
  )
}

function InvitationScreen({ token }: { token: string }) {
  const app = useApp()
  const auth = useAuthState()
  const state = app.session.state.value
  if (state.kind === 'active' || state.kind === 'expired') {
    return (
      <Gate title="You are invited">
        <p>You are logged in as {nameOf(state.user)}. The invitation makes another account.</p>
        <div class="form-buttons">
          <button class="primary" onClick={() => void app.attempt(() => app.session.logout())}>Log out and use it</button>
          <a class="button" href={hashOf({ section: 'library' })}>Go to your photos</a>
        </div>
      </Gate>
    )
  }
  const local = !auth || auth.setupRequired || auth.signUp !== 'closed'
  const outside = auth?.outside !== undefined && auth.outside.signUp !== 'closed'
  if (!local && !outside) {
    return (
      <Gate title="You are invited">
        <p>But sign-up is closed on this server now. Ask the person who runs it for an account.</p>
        <Elsewhere />
      </Gate>
    )
  }
  return (
    <Gate title="Sign up">
      <p>You are invited to this server. The invitation works once.</p>
      {local && <SignupForm invitation={token} />}
      {outside && <OutsideSignIn auth={auth} invitation={token} alone={!local} />}
      <Elsewhere />
    </Gate>
  )
}

function Elsewhere() {
  const anonymous = useApp().session.state.value.kind === 'anonymous'
  return <p class="switch">You have an account? <a href={hashOf({ section: 'library' })}>{anonymous ? 'Log in' : 'Go to your photos'}</a></p>
}
