import { createContext } from 'preact'
import { useContext } from 'preact/hooks'
import type { User } from '../api/types'
import type { App, Gallery } from '../state/app'

export const AppContext = createContext<App | undefined>(undefined)
export const GalleryContext = createContext<Gallery | undefined>(undefined)

export function useApp(): App {
  const app = useContext(AppContext)
  if (!app) throw new Error('used outside of the app')
  return app
}

/** Only for views that stand below a signed-in person's Shell. */
export function useGallery(): Gallery {
  const gallery = useContext(GalleryContext)
  if (!gallery) throw new Error('used while nobody is signed in')
  return gallery
}

/** The signed-in person as they are now; names change. */
export function useUser(): User {
  const state = useApp().session.state.value
  const { user } = useGallery()
  return state.kind === 'active' || state.kind === 'expired' ? state.user : user
}
