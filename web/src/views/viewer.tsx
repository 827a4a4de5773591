import { useSignal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { useEffect, useMemo } from 'preact/hooks'
import { explain } from '../api/problem'
import type { Image, JobStatus } from '../api/types'
import { isEditable, isPlayable, nounOf, playbackOf, typeOf } from '../state/assets'
import type { Box, Found } from '../state/found'
import { urlOf } from '../state/pictures'
import { Player } from '../state/player'
import { bytesOf, isEdited } from '../state/versions'
import { AssetStage, useCaptions, useWaveform } from './asset_stage'
import { useApp, useGallery } from './context'
import { DetailsForm } from './details_form'
import { DocumentTextPanel } from './document_text'
import { Editor } from './editor'
import { FoundBoxes, FoundPanel, useFound } from './found_panel'
import { Icon } from './icons'
import { DamageNotice, InfoPanel } from './info_panel'
import { useRevert, useVersions, VersionList } from './versions'
import { captionOf, namedBy, waitingWords } from './words'
import { usePreload, ViewerFrame } from './viewer_frame'

const JOB_WORDS: Record<JobStatus, string> = {
  QUEUED: 'The edit waits for its turn…',
  PROCESSING: 'The edit is being prepared…',
  EDITING: 'The edit is under way…',
  COMPLETED: 'The edit is done.',
  FAILED: 'The edit failed.',
}

/** One of the person's own photos or other files, with everything that can be done to it. */
export function Viewer({ id }: { id: string }) {
  const { library } = useGallery()
  const images = library.images.value
  const at = images.findIndex((image) => image.id === id)
  const image = images[at]
  const [previous, next] = at < 0 ? [] : [images[at - 1], images[at + 1]]
  const missing = useSignal('')
  const editing = useSignal(false)
  useEffect(() => {
    editing.value = false
    missing.value = ''
    if (!library.find(id)) library.fetch(id).catch((error) => (missing.value = explain(error)))
  }, [id])
  useEffect(() => {
    if (at >= 0 && at >= images.length - 3) void library.loadMore()
  }, [at, images.length])
  usePreload([previous, next].map((neighbour) => urlOf(neighbour?.sizes, 'LARGE')))

  const route = { section: 'library' as const, photo: id }
  if (!image) {
    return (
      <ViewerFrame route={route} label="Photo" previous={undefined} next={undefined} side={null}>
        <p class="stage-note" role="status">{missing.value || 'Loading…'}</p>
      </ViewerFrame>
    )
  }
  if (editing.value) {
    const leave = () => (editing.value = false)
    return <Editor key={image.id} image={image} onLeave={leave} />
  }
  return <Shown key={image.id} image={image} previous={previous} next={next} onEdit={() => (editing.value = true)} />
}

interface ShownProps {
  image: Image
  previous: Image | undefined
  next: Image | undefined
  onEdit: () => void
}

function Shown({ image, previous, next, onEdit }: ShownProps) {
  const found = useFound(image)
  const label = useSignal('')
  const boxes = found?.labels.find(({ name }) => name === label.value)?.boxes ?? []
  // The upload was looked at: an edit may be turned, or a part of it.
  const onShow = isEdited(image) ? undefined : (name: string) => (label.value = name)
  const player = useMemo(() => new Player(), [])
  return (
    <ViewerFrame route={{ section: 'library', photo: image.id }} label={captionOf(image)} previous={previous?.id} next={next?.id}
      noun={nounOf(image)} player={isPlayable(image) ? player : undefined}
      side={(
        <Side image={image} next={next ?? previous} onEdit={onEdit}>
          <FoundPanel image={image} found={found} shown={label.value} onShow={onShow}
            player={playbackOf(image) === 'ready' ? player : undefined} />
          <DocumentTextPanel image={image} />
        </Side>
      )}>
      <Stage image={image} found={found} player={player} boxes={isEdited(image) ? [] : boxes} />
    </ViewerFrame>
  )
}

interface OwnStageProps {
  image: Image
  found: Found | undefined
  player: Player
  boxes: readonly Box[]
}

function Stage({ image, found, player, boxes }: OwnStageProps) {
  const { library, jobs } = useGallery()
  const job = jobs.running.value.get(image.id)
  const captions = useCaptions(image, found?.transcript?.language)
  const waveform = useWaveform(image)
  if (image.processingStatus === 'failed') {
    const noun = nounOf(image)
    return (
      <p class="stage-note" role="status">
        <strong>This {noun} could not be {noun === 'photo' ? 'developed' : 'read'}.</strong><br />
        {image.processingError ?? 'The server gave no reason.'}<br />
        The original is kept and can be downloaded.
      </p>
    )
  }
  if (image.processingStatus !== 'completed') return <p class="stage-note" role="status">{waitingWords(image)}…</p>
  return (
    <>
      <AssetStage asset={image} name={captionOf(image)} alt={namedBy(image)} player={player} bytes={image.fileSize}
        captions={captions} waveform={waveform} pageUrl={(page) => `/api/v1/media/${image.id}/pages/${page}`} onBroken={() => library.refreshUrls(image.id)}>
        <FoundBoxes image={image} boxes={boxes} />
      </AssetStage>
      {job && <p class="stage-status" role="status">{JOB_WORDS[job]}</p>}
    </>
  )
}

interface SideProps {
  image: Image
  next: Image | undefined
  onEdit: () => void
  children: ComponentChildren
}

function Side({ image, next, onEdit, children }: SideProps) {
  const { jobs } = useGallery()
  // Asked for as a download: the attribute alone does nothing where links lead to a storage elsewhere.
  const original = image.sizes?.ORIGINAL
  const edited = image.sizes?.FULL
  const versions = useVersions(image)
  const revert = useRevert(image)
  const bytes = bytesOf(image, versions)
  const canEdit = isEditable(image) && !jobs.running.value.has(image.id)
  return (
    <>
      <DamageNotice image={image} />
      <div class="actions">
        <ShareButton image={image} />
        {typeOf(image) === 'IMAGE' && <button onClick={onEdit} disabled={!canEdit}><Icon name="edit" /> Edit</button>}
        {isEdited(image) && (
          <button onClick={() => void revert(0)} disabled={!canEdit}><Icon name="undo" /> Revert to original</button>
        )}
        {edited !== undefined && (
          <a class="button" href={`${edited}&download=1`} download=""><Icon name="download" /> This version</a>
        )}
        {original !== undefined && (
          <a class="button" href={`${original}&download=1`} download={image.originalFilename}><Icon name="download" /> Original</a>
        )}
        <DeleteButton image={image} next={next} />
      </div>
      <InfoPanel image={image} bytes={bytes} />
      {children}
      <DetailsForm image={image} />
      {image.revision > 0 && <VersionList image={image} versions={versions} />}
    </>
  )
}

function ShareButton({ image }: { image: Image }) {
  const app = useApp()
  const { library } = useGallery()
  const busy = useSignal(false)
  const shared = image.visibility === 'shared'
  const toggle = async () => {
    if (busy.value) return
    busy.value = true
    await app.attempt(async () => {
      await library.setShared(image.id, !shared)
      app.toasts.show(shared ? `Only you see this ${nounOf(image)} now.` : `Everybody on this server sees this ${nounOf(image)} now.`)
    })
    busy.value = false
  }
  return (
    <button aria-pressed={shared} aria-disabled={busy.value} onClick={() => void toggle()}>
      <Icon name="share" /> {shared ? 'Unshare' : 'Share'}
    </button>
  )
}

function DeleteButton({ image, next }: { image: Image; next: Image | undefined }) {
  const app = useApp()
  const { library } = useGallery()
  const undo = () => app.attempt(async () => void (await library.restore(image.id)))
  const remove = () =>
    app.attempt(async () => {
      await library.delete(image.id)
      app.router.go(next ? { section: 'library', photo: next.id } : { section: 'library' }, 'replace')
      app.toasts.show(`“${captionOf(image)}” is in the trash.`, { label: 'Undo', run: () => void undo() })
    })
  return <button class="danger" onClick={() => void remove()}><Icon name="trash" /> Delete</button>
}
