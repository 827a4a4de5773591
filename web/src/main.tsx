import { render } from 'preact'
import { App } from './state/app'
import { outsideReturn } from './state/outside'
import './style/tokens.css'
import './style/base.css'
import './style/forms.css'
import './style/floating.css'
import './style/grid.css'
import './style/panels.css'
import './style/trash.css'
import './style/viewer.css'
import { AppContext, GalleryContext, useApp } from './views/context'
import { LinkScreen } from './views/link_screen'
import { Shell } from './views/shell'
import { SessionEndedDialog, SignInScreen } from './views/sign_in'
import { ToastRegion } from './views/toasts'

function Page() {
  const app = useApp()
  const state = app.session.state.value
  const gallery = app.gallery.value
  const { link } = app.router.route.value
  // Links wait until it is known who opens them.
  const opened = state.kind === 'starting' || state.kind === 'unreachable' ? undefined : link
  return (
    <>
      {state.kind === 'unreachable' && (
        <main class="empty" role="alert">
          <h2>{state.message}</h2>
          <button class="primary" onClick={() => void app.session.start()}>Try again</button>
        </main>
      )}
      {opened && <LinkScreen key={opened.token} link={opened} />}
      {state.kind === 'anonymous' && !opened && <SignInScreen />}
      {gallery && !opened && (
        <GalleryContext.Provider key={gallery.user.userId} value={gallery}>
          <Shell />
        </GalleryContext.Provider>
      )}
      {state.kind === 'expired' && !opened && <SessionEndedDialog name={state.user.email} />}
      <ToastRegion />
    </>
  )
}

const root = document.getElementById('app')
if (!root) throw new Error('index.html has no #app')
const app = new App()
render(<AppContext.Provider value={app}><Page /></AppContext.Provider>, root)
const back = outsideReturn(location.search)
// What it holds works once: nobody should reload it, or find it in the history.
if (back) history.replaceState(null, '', location.pathname + location.hash)
void app.start(back)
