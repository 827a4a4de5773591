import type { ComponentType } from 'preact'
import { useCallback } from 'preact/hooks'
import { isAdministration, type Route } from '../state/router_paths'
import { AccountMenu } from './account_menu'
import { useApp, useGallery } from './context'
import { ChooseFiles, DropZone } from './drop_zone'
import { FeedView } from './feed_view'
import { lazy } from './lazy'
import { LibraryView } from './library_view'
import { TrashView } from './trash_view'
import { UploadsPanel } from './uploads_panel'
import { FeedViewer } from './feed_viewer'
import { Viewer } from './viewer'
import { countWords } from './words'

const SettingsView = lazy(async () => (await import('./settings/settings_view')).default)
const AdministrationView = lazy(async () => (await import('./administration/administration_view')).default)

function viewOf(section: Route['section']): ComponentType {
  if (isAdministration(section)) return AdministrationView
  return { library: LibraryView, feed: FeedView, trash: TrashView, settings: SettingsView }[section]
}

/** The page of a signed-in person. */
export function Shell() {
  const { router } = useApp()
  const { uploads } = useGallery()
  const { section, photo } = router.route.value
  const View = viewOf(section)
  const addFiles = useCallback((files: File[]) => {
    uploads.add(files)
    router.go({ section: 'library' })
  }, [uploads, router])
  return (
    <>
      <TopBar section={section} onFiles={addFiles} />
      <main><View /></main>
      <UploadsPanel />
      <DropZone onFiles={addFiles} />
      {photo !== undefined && (section === 'feed' ? <FeedViewer id={photo} /> : <Viewer id={photo} />)}
    </>
  )
}

function TopBar({ section, onFiles }: { section: string; onFiles: (files: File[]) => void }) {
  const left = useGallery().limit.value?.limit
  const current = (name: string) => (section === name ? { 'aria-current': 'page' as const } : {})
  return (
    <header class="top-bar">
      <h1 class="wordmark">Tintype</h1>
      <nav aria-label="Sections">
        <a href="#/" {...current('library')}>Photos</a>
        <a href="#/feed" {...current('feed')}>Shared</a>
        <a href="#/trash" {...current('trash')}>Trash</a>
      </nav>
      <p class={left === 0 ? 'limit used-up' : 'limit'}>
        {left === undefined || left === null ? '' : left === 0 ? 'No uploads left' : `${countWords(left, 'upload', 'uploads')} left`}
      </p>
      <ChooseFiles onFiles={onFiles} />
      <AccountMenu />
    </header>
  )
}
