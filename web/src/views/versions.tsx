import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import type { Image, ImageVersion } from '../api/types'
import { urlOf } from '../state/pictures'
import { pictureOf, versionWords } from '../state/versions'
import { useApp, useGallery } from './context'
import { byteWords, dateWords } from './words'

/** Goes back to a revision, and tells how to undo that. */
export function useRevert(image: Image): (revision: number) => Promise<void> {
  const app = useApp()
  const { library } = useGallery()
  const undo = () =>
    app.attempt(async () => {
      const now = library.find(image.id)
      if (now) await library.revert(now, image.revision)
    })
  return (revision) =>
    app.attempt(async () => {
      await library.revert(library.find(image.id) ?? image, revision)
      const what = revision === 0 ? 'the original' : `version ${revision}`
      app.toasts.show(`The photo is back to ${what}.`, { label: 'Undo', run: () => void undo() })
    })
}

/** The versions of a photo, asked for again after each edit; none while they are not known or there is but the upload. */
export function useVersions(image: Image): readonly ImageVersion[] {
  const { library } = useGallery()
  const versions = useSignal<readonly ImageVersion[]>([])
  useEffect(() => {
    if (image.revision === 0) return
    let current = true
    // Without them the photo is shown as well; the editor tells of a failure.
    library.versions(image.id).then((list) => current && (versions.value = list), () => undefined)
    return () => {
      current = false
    }
  }, [image.id, image.revision])
  return versions.value
}

/** What the photo has looked like, each with a way back to it. */
export function VersionList({ image, versions }: { image: Image; versions: readonly ImageVersion[] }) {
  const { jobs } = useGallery()
  const revert = useRevert(image)
  const current = versions.find((version) => version.current)
  if (!current) return null
  const shown = pictureOf(current)
  return (
    <section class="versions" aria-labelledby="versions-heading">
      <h2 id="versions-heading">Versions</h2>
      <ul>
        {versions.map((version) => (
          <li key={version.revision} aria-current={version.current ? 'true' : undefined}>
            <img src={urlOf(version.sizes, 'THUMB')} alt="" loading="lazy" />
            <div>
              <b>{version.current ? 'Now' : version.revision === 0 ? 'Original' : `Version ${version.revision}`}</b>
              <p>{versionWords(version)}</p>
              <small>
                {dateWords(version.createdAt)}
                {version.width && version.height ? ` · ${version.width}\u00a0×\u00a0${version.height}` : ''} · {byteWords(version.fileSize)}
              </small>
            </div>
            {pictureOf(version) !== shown && (
              <button disabled={jobs.running.value.has(image.id)} onClick={() => void revert(version.revision)}
                aria-label={version.revision === 0 ? 'Go back to the original' : `Go back to version ${version.revision}`}>
                Go back
              </button>
            )}
          </li>
        ))}
      </ul>
    </section>
  )
}
