import type { ComponentType } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { Loading } from './loading'

/** A view that is loaded when it is first shown: most visits never do. */
export function lazy(load: () => Promise<ComponentType>): ComponentType {
  let loaded: ComponentType | undefined
  return function LazyView() {
    const [View, setView] = useState<ComponentType | undefined>(() => loaded)
    const [failed, setFailed] = useState(false)
    useEffect(() => {
      if (View) return
      load().then((view) => {
        loaded = view
        setView(() => view)
      }, () => setFailed(true))
    }, [])
    if (View) return <View />
    // After an upgrade of the server, the page that is open asks for a file that is not there any more.
    return failed ? (
      <div class="empty" role="alert">
        <h2>This part of the page cannot be loaded</h2>
        <p>The server cannot be reached, or has a newer version.</p>
        <button class="primary" onClick={() => location.reload()}>Reload the page</button>
      </div>
    ) : <Loading />
  }
}
