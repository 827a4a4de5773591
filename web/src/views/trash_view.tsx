import { useSignal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import type { Image } from '../api/types'
import { hasPicture } from '../state/assets'
import { ratioOf } from '../state/pictures'
import { daysKept, daysLeft } from '../state/trash'
import { useApp, useGallery } from './context'
import { Grid } from './grid'
import { Icon } from './icons'
import { Modal } from './modal'
import { AssetBadge, FileFace, TilePicture } from './tile'
import { captionOf, countWords, namedBy } from './words'

/** What is to be deleted for good, once the person has said so. */
type Question = { kind: 'one'; image: Image } | { kind: 'all' }

/** What was deleted and can still come back. */
export function TrashView() {
  const app = useApp()
  const { trash, readLimitSoon } = useGallery()
  const question = useSignal<Question | undefined>(undefined)
  const heading = useRef<HTMLHeadingElement>(null)
  const images = trash.images.value
  const kept = daysKept(images)
  useEffect(() => void trash.reload(), [trash])

  /** The focus goes on to the next photo, else to the one before, else to the heading. */
  const focusAfter = (id: string) => {
    const at = images.findIndex((image) => image.id === id)
    const neighbour = images[at + 1] ?? images[at - 1]
    requestAnimationFrame(() => {
      const tile = neighbour && document.querySelector<HTMLElement>(`[data-trashed="${CSS.escape(neighbour.id)}"] button`)
      ;(tile ?? heading.current)?.focus()
    })
  }
  const restore = (image: Image) =>
    app.attempt(async () => {
      await trash.restore(image.id)
      focusAfter(image.id)
      app.toasts.show(`“${captionOf(image)}” is back in your photos.`)
    })
  const remove = (image: Image) =>
    app.attempt(async () => {
      await trash.deleteForGood(image.id)
      focusAfter(image.id)
      app.toasts.show(`“${captionOf(image)}” is deleted for good.`)
      readLimitSoon()
    })
  const empty = () =>
    app.attempt(async () => {
      await trash.empty()
      heading.current?.focus()
      app.toasts.show('The trash is emptied.')
      readLimitSoon()
    })
  const confirm = (answer: Question) => {
    question.value = undefined
    void (answer.kind === 'all' ? empty() : remove(answer.image))
  }

  return (
    <>
      <div class="page-head">
        <h2 ref={heading} tabIndex={-1}>Trash</h2>
        {images.length > 0 && (
          <button class="danger" onClick={() => (question.value = { kind: 'all' })}><Icon name="trash" /> Empty the trash</button>
        )}
        {images.length > 0 && (
          <p>
            {kept === undefined ? 'Photos stay here for a while' : `Photos stay here for ${countWords(kept, 'day', 'days')}`}, then
            they are gone for good. Until then they count as uploads.
          </p>
        )}
        {trash.searching.value && <p role="status">This list is not complete yet: the server still looks for photos from before its upgrade.</p>}
      </div>
      <Grid label="Photos in the trash" list={trash} empty={
        <>
          <h2>The trash is empty</h2>
          <p>Photos that you delete wait here for a while, and can come back.</p>
        </>
      }>
        {images.map((image) => (
          <TrashTile key={image.id} image={image} onRestore={() => void restore(image)}
            onDelete={() => (question.value = { kind: 'one', image })} onBroken={() => trash.refreshUrls()} />
        ))}
      </Grid>
      {question.value && (
        <ConfirmDialog question={question.value} count={trash.complete.value ? images.length : undefined}
          onCancel={() => (question.value = undefined)} onConfirm={confirm} />
      )}
    </>
  )
}

interface TrashTileProps {
  image: Image
  onRestore: () => void
  onDelete: () => void
  onBroken: () => void
}

function TrashTile({ image, onRestore, onDelete, onBroken }: TrashTileProps) {
  const caption = captionOf(image)
  const developed = image.processingStatus === 'completed'
  return (
    <li class={`tile trashed ${image.processingStatus}`} data-trashed={image.id} style={{ '--ratio': ratioOf(image) }}>
      <div class="frame">
        {!developed && <span class="name">{caption}</span>}
        {developed && !hasPicture(image) && <FileFace asset={image} name={caption} bytes={image.fileSize} />}
        {developed && hasPicture(image) && (
          <>
            <TilePicture image={image} alt={namedBy(image)} onError={onBroken} />
            <AssetBadge asset={image} />
          </>
        )}
        <span class="days">{countWords(daysLeft(image, Date.now()), 'day', 'days')} left</span>
        <div class="tile-buttons">
          <button aria-label={`Restore ${caption}`} title="Restore" onClick={onRestore}><Icon name="restore" /></button>
          <button aria-label={`Delete ${caption} for good`} title="Delete for good" onClick={onDelete}><Icon name="trash" /></button>
        </div>
      </div>
    </li>
  )
}

interface ConfirmProps {
  question: Question
  /** How many photos are in the trash, if that is known. */
  count: number | undefined
  onCancel: () => void
  onConfirm: (question: Question) => void
}

function ConfirmDialog({ question, count, onCancel, onConfirm }: ConfirmProps) {
  const title = question.kind === 'all' ? 'Empty the trash?' : `Delete “${captionOf(question.image)}” for good?`
  const photos = count === undefined ? 'All photos in it are' : countWords(count, 'photo is', 'photos are')
  return (
    <Modal label={title} class="card confirm" onEscape={onCancel}>
      <h2>{title}</h2>
      <p>{question.kind === 'all' && `${photos} deleted for good. `}This cannot be undone.</p>
      <div class="form-buttons">
        <button onClick={onCancel}>Cancel</button>
        <button class="danger" onClick={() => onConfirm(question)}>
          <Icon name="trash" /> {question.kind === 'all' ? 'Empty the trash' : 'Delete for good'}
        </button>
      </div>
    </Modal>
  )
}
