import { signal } from '@preact/signals'
import { hashOf, parseRoute, type Route } from './router_paths'

/** The address in the browser's bar as a signal. */
export class Router {
  readonly route = signal(parseRoute(location.hash))

  constructor() {
    addEventListener('hashchange', () => {
      this.route.value = parseRoute(location.hash)
    })
  }

  /** Goes somewhere else. Paging in the viewer replaces, so that Back leaves it in one step. */
  go(route: Route, how: 'push' | 'replace' = 'push'): void {
    history[how === 'push' ? 'pushState' : 'replaceState'](null, '', hashOf(route))
    this.route.value = route
  }
}
