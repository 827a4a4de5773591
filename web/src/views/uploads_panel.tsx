import type { Upload } from '../state/uploads'
import { nounOf } from '../state/assets'
import { hashOf } from '../state/router_paths'
import { useGallery } from './context'
import { Icon } from './icons'
import { byteWords } from './words'

/** What is on its way and what did not arrive, each with its own bar and buttons. */
export function UploadsPanel() {
  const { uploads } = useGallery()
  const items = uploads.items.value
  if (items.length === 0) return null
  const busy = uploads.isBusy()
  const settled = items.some(({ status }) => status === 'failed' || status === 'duplicate')
  return (
    <section class="uploads" aria-label="Uploads">
      <header>
        <h2>
          <span role="status">
            {busy ? `Uploading, ${uploads.finished} of ${uploads.total} done` : 'Uploads that need a look'}
          </span>
        </h2>
        {settled && <button class="link" onClick={() => uploads.clearSettled()}>Clear</button>}
      </header>
      <ul>
        {items.map((upload) => <UploadRow key={upload.id} upload={upload} />)}
      </ul>
    </section>
  )
}

function UploadRow({ upload }: { upload: Upload }) {
  const { uploads, library } = useGallery()
  const { id, file, status, progress, stalled, message, imageId, restored } = upload
  const sending = status === 'sending'
  const noun = nounOf((imageId === undefined ? undefined : library.find(imageId)) ?? {})
  return (
    <li class={status}>
      <div class="upload-name">
        <span class="name" title={file.name}>{file.name}</span>
        <span class="size">{byteWords(file.size)}</span>
      </div>
      <div class="upload-buttons">
        {status === 'failed' && (
          <button class="icon-button" aria-label={`Try ${file.name} again`} title="Try again" onClick={() => uploads.retry(id)}>
            <Icon name="retry" />
          </button>
        )}
        <button class="icon-button" onClick={() => uploads.remove(id)}
          aria-label={status === 'failed' || status === 'duplicate' ? `Dismiss ${file.name}` : `Cancel ${file.name}`}>
          <Icon name="close" />
        </button>
      </div>
      {(sending || status === 'waiting') && (
        <progress max={1} value={progress} aria-label={`Upload of ${file.name}`} />
      )}
      {status === 'waiting' && <p>Waiting</p>}
      {sending && <p>{stalled ? 'No connection. This goes on by itself.' : progress < 1 ? `${Math.floor(progress * 100)} %` : 'Saving…'}</p>}
      {status === 'failed' && <p class="error">{message}</p>}
      {imageId !== undefined && (
        <p>
          {restored ? `This ${noun} was in the trash, and is back.` : `You have this ${noun} already.`} <a href={hashOf({ section: 'library', photo: imageId })}>Show it</a>
        </p>
      )}
    </li>
  )
}
