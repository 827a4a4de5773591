import { useSignal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import type { Image } from '../api/types'
import { explain } from '../api/problem'
import { boxFromPixels, boxInPixels, operationsOf, turned, turnedPixels, type Box, type Edits, type Pixels } from '../state/edits'
import { urlOf } from '../state/pictures'
import { editStart, isEdited, type EditStart } from '../state/versions'
import { useApp, useGallery } from './context'
import { CropBox } from './crop_box'
import { Icon } from './icons'
import { Modal } from './modal'
import { useRevert } from './versions'

const FIRST_CROP: Box = { left: 0.1, top: 0.1, width: 0.8, height: 0.8 }

/** Puts simple edits together on a preview, and sends them as one job. Goes on from the edits that the photo has. */
export function Editor({ image, onLeave }: { image: Image; onLeave: () => void }) {
  const { library } = useGallery()
  const start = useSignal(image.revision === 0 ? editStart(image, []) : undefined)
  const error = useSignal('')
  useEffect(() => {
    if (start.value) return
    library.versions(image.id).then(
      (versions) => (start.value = editStart(image, versions)), (failure) => (error.value = explain(failure)))
  }, [])
  if (start.value) return <EditorOf image={image} start={start.value} onLeave={onLeave} />
  return (
    <Modal label="Edit the photo" class="viewer editing" onEscape={onLeave}>
      <div class="stage"><p class="stage-note" role="status">{error.value || 'Loading…'}</p></div>
      <div class="side"><h2>Edit</h2><div class="form-buttons"><button onClick={onLeave}>Cancel</button></div></div>
    </Modal>
  )
}

function EditorOf({ image, start, onLeave }: { image: Image; start: EditStart; onLeave: () => void }) {
  const app = useApp()
  const { jobs } = useGallery()
  const revert = useRevert(image)
  const { picture } = start
  const edits = useSignal<Edits>(start.edits)
  const operations = operationsOf(edits.value, picture)
  const changed = JSON.stringify(operations) !== JSON.stringify(operationsOf(start.edits, picture))
  const set = (part: Partial<Edits>) => (edits.value = { ...edits.value, ...part })

  const apply = () => {
    onLeave()
    // Without any edits it is the picture that they would be applied to.
    if (operations.length === 0) return void revert(start.base)
    void app.attempt(async () => {
      await jobs.edit(image.id, operations)
      app.toasts.show('The edit is done.')
    })
  }
  const { crop, quarterTurns, autoLevels, blackAndWhite } = edits.value
  const seen = turnedPixels(picture, quarterTurns)
  return (
    <Modal label="Edit the photo" class="viewer editing" onEscape={onLeave}>
      <div class="stage">
        <EditedPicture url={urlOf(start.sizes, 'LARGE', 'MEDIUM')} picture={picture} edits={edits.value}
          onCrop={(box) => set({ crop: box })} />
      </div>
      <div class="side">
        <h2>Edit</h2>
        <div class="actions" role="group" aria-label="Edits">
          <button onClick={() => (edits.value = turned(edits.value, 3))}><Icon name="turnLeft" /> Rotate left</button>
          <button onClick={() => (edits.value = turned(edits.value, 1))}><Icon name="turnRight" /> Rotate right</button>
          <button aria-pressed={crop !== undefined} onClick={() => set({ crop: crop ? undefined : FIRST_CROP })}>
            <Icon name="crop" /> Crop
          </button>
          <button aria-pressed={autoLevels} onClick={() => set({ autoLevels: !autoLevels })}>
            <Icon name="levels" /> Auto levels
          </button>
          <button aria-pressed={blackAndWhite} onClick={() => set({ blackAndWhite: !blackAndWhite })}>
            <Icon name="contrast" /> Black and white
          </button>
        </div>
        {crop && <CropFields box={boxInPixels(crop, seen)} onChange={(box) => set({ crop: boxFromPixels(box, seen) })} />}
        {autoLevels && <p class="hint">Auto levels show once the edit is done.</p>}
        <div class="form-buttons">
          <button class="primary" disabled={!changed} onClick={apply}>Apply</button>
          <button onClick={onLeave}>Cancel</button>
          {isEdited(image) && (
            <button onClick={() => {
              onLeave()
              void revert(0)
            }}>Revert to original</button>
          )}
        </div>
        <p class="hint">The original is kept. The result becomes a new version of the photo.</p>
      </div>
    </Modal>
  )
}

/** The crop as numbers, in pixels; the way for keyboards. */
function CropFields({ box, onChange }: { box: Box; onChange: (box: Box) => void }) {
  return (
    <fieldset class="crop-fields">
      <legend>Crop, in pixels</legend>
      {(['left', 'top', 'width', 'height'] as const).map((name) => (
        <label key={name} class="field"><span>{name[0]?.toUpperCase() + name.slice(1)}</span>
          <input type="number" name={name} min={name === 'left' || name === 'top' ? 0 : 1} value={box[name]}
            onChange={(event) => onChange({ ...box, [name]: Math.round(event.currentTarget.valueAsNumber) || 0 })} />
        </label>
      ))}
    </fieldset>
  )
}

interface EditedPictureProps {
  url: string | undefined
  picture: Pixels
  edits: Edits
  onCrop: (box: Box) => void
}

/** The preview: a canvas, because a turned canvas still takes part in the layout and a turned <img> does not. */
function EditedPicture({ url, picture, edits, onCrop }: EditedPictureProps) {
  const canvas = useRef<HTMLCanvasElement>(null)
  const { quarterTurns, crop, blackAndWhite } = edits
  useEffect(() => {
    if (url === undefined) return
    let current = true
    const source = new Image()
    source.onload = () => {
      if (current && canvas.current) drawTurned(canvas.current, source, quarterTurns)
    }
    source.src = url
    return () => {
      current = false
    }
  }, [url, quarterTurns])
  const seen = turnedPixels(picture, quarterTurns)
  return (
    <div class="edited" style={{ '--ratio': seen.width / seen.height }}>
      <canvas ref={canvas} role="img" aria-label="Preview of the edit" class={blackAndWhite ? 'grey' : ''} />
      {crop && <CropBox box={crop} onChange={onCrop} />}
    </div>
  )
}

function drawTurned(canvas: HTMLCanvasElement, source: HTMLImageElement, quarterTurns: number): void {
  const { naturalWidth: width, naturalHeight: height } = source
  const seen = turnedPixels({ width, height }, quarterTurns)
  canvas.width = seen.width
  canvas.height = seen.height
  const context = canvas.getContext('2d')
  if (!context) return
  context.translate(seen.width / 2, seen.height / 2)
  context.rotate((quarterTurns * Math.PI) / 2)
  context.drawImage(source, -width / 2, -height / 2)
}
