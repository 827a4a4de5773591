import type { ComponentChildren } from 'preact'
import type { Image } from '../api/types'
import { durationText, typeOf } from '../state/assets'
import { Icon, type IconName } from './icons'
import { apertureWords, byteWords, countWords, dateWords, fileIcon, focalLengthWords, isoWords, placeWords, shutterWords, takenWords } from './words'

/** What is known of a photo of one's own: when and where it was taken, with what, and its file. The bytes are those of the
 * picture as it is shown; nothing while they are not known. */
export function InfoPanel({ image, bytes }: { image: Image; bytes: number | undefined }) {
  const { camera, lens, takenAt, gps } = image.exifData ?? {}
  const taken = takenAt === undefined ? undefined : takenWords(takenAt)
  const place = gps === undefined ? undefined : placeWords(gps)
  const device = [camera, lens].filter((name) => name !== undefined).join(' · ')
  const exposure = exposureOf(image)
  return (
    <section class="info" aria-label="Facts">
      {taken && (
        <Fact icon="calendar" name="Taken" about={taken.when}>
          {taken.offset === undefined ? 'Local time, from the camera' : `Local time (${taken.offset}), from the camera`}
        </Fact>
      )}
      {place && (
        <Fact icon="pin" name="Place" about={place.position}>
          {place.altitude && <>{place.altitude} · </>}Only you see this
        </Fact>
      )}
      {(device !== '' || exposure.length > 0) && (
        <Fact icon="camera" name="Camera" about={device || 'Unknown camera'}>
          {exposure.length > 0 && <ul class="exposure" aria-label="Exposure">{exposure.map((words) => <li key={words}>{words}</li>)}</ul>}
        </Fact>
      )}
      <Fact icon={fileIcon(image)} name="File" about={image.originalFilename}>
        {sizeWords(image, bytes)}
      </Fact>
      <Fact icon="upload" name="Added" about={`Added ${dateWords(image.uploadedAt)}`} />
    </section>
  )
}

function exposureOf({ exifData }: Image): string[] {
  const { aperture, shutterSpeed, iso, focalLength } = exifData ?? {}
  return [
    aperture === undefined ? '' : apertureWords(aperture),
    shutterSpeed === undefined ? '' : shutterWords(shutterSpeed),
    iso === undefined ? '' : isoWords(iso),
    focalLength === undefined ? '' : focalLengthWords(focalLength),
  ].filter((words) => words !== '')
}

function sizeWords(image: Image, bytes: number | undefined): string {
  const { width, height, duration, pages } = image
  // Of anything else they are those of the picture that stands for it.
  const pixels = typeOf(image) === 'IMAGE' && width && height ? `${width} × ${height}` : ''
  const long = duration === undefined ? '' : durationText(duration)
  return [pixels, long, pages ? countWords(pages, 'page', 'pages') : '', bytes === undefined ? '' : byteWords(bytes)].filter((words) => words !== '').join(' · ')
}

interface FactProps {
  icon: IconName
  /** What it is about, for those who cannot see the icon. */
  name: string
  about: string
  children?: ComponentChildren
}

function Fact({ icon, name, about, children }: FactProps) {
  return (
    <div class="fact">
      <Icon name={icon} />
      <p><span class="visually-hidden">{name}: </span><span>{about}</span></p>
      {children ? <div class="soft">{children}</div> : null}
    </div>
  )
}

/** Says what is wrong with what was developed as far as its file goes. That there is no picture is said where it would be. */
export function DamageNotice({ image }: { image: Image }) {
  if (!image.processingWarning || image.processingWarning.code === 'no-preview') return null
  return (
    <p class="damage" role="status"><Icon name="warning" /> <span>{image.processingWarning.message}</span></p>
  )
}
