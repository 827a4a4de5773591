import { Component } from 'preact'
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import type { FeedImage, Image, Sizes } from '../api/types'
import { badgeOf, formatOf, hasPicture, nounOf, type Asset } from '../state/assets'
import { pixelsOf } from '../state/blurhash'
import { ratioOf, sizesOf, srcsetOf, urlOf } from '../state/pictures'
import { hashOf } from '../state/router_paths'
import { Icon } from './icons'
import { followWidth } from './tile_width'
import { byteWords, captionOf, fileIcon, namedBy, sharedName, waitingWords, warningWords } from './words'

/** The browser stretches it to the tile, which smooths it. */
const BLUR_SIDE = 16

interface PictureProps {
  image: { width?: number; height?: number; sizes?: Sizes; blurhash?: string }
  alt: string
  onLoad?: () => void
  onError?: () => void
}

export function TilePicture({ image, alt, onLoad, onError }: PictureProps) {
  const [loaded, setLoaded] = useState(false)
  const img = useRef<HTMLImageElement>(null)
  const src = urlOf(image.sizes, 'SMALL', 'THUMB', 'MEDIUM', 'LARGE')
  useLayoutEffect(() => (img.current ? followWidth(img.current, image) : undefined), [src, image.width, image.height])
  if (src === undefined) return null
  const show = () => {
    setLoaded(true)
    onLoad?.()
  }
  return (
    <>
      {image.blurhash !== undefined && !loaded && <Blur hash={image.blurhash} />}
      <img ref={img} src={src} srcset={srcsetOf(image)} sizes={sizesOf(image)} alt={alt} loading="lazy" decoding="async"
        onLoad={show} {...(onError ? { onError } : {})} />
    </>
  )
}

/** Stands in for a picture that is on its way. */
function Blur({ hash }: { hash: string }) {
  const canvas = useRef<HTMLCanvasElement>(null)
  useEffect(() => {
    const pixels = pixelsOf(hash, BLUR_SIDE, BLUR_SIDE)
    if (canvas.current && pixels) {
      canvas.current.getContext('2d')?.putImageData(new ImageData(pixels, BLUR_SIDE, BLUR_SIDE), 0, 0)
    }
  }, [hash])
  return <canvas ref={canvas} class="blur" width={BLUR_SIDE} height={BLUR_SIDE} aria-hidden="true" />
}

/** Draws the bitmap of a just uploaded file. */
function Preview({ bitmap }: { bitmap: ImageBitmap }) {
  const canvas = useRef<HTMLCanvasElement>(null)
  useEffect(() => {
    if (!canvas.current) return
    canvas.current.width = bitmap.width
    canvas.current.height = bitmap.height
    canvas.current.getContext('2d')?.drawImage(bitmap, 0, 0)
  }, [bitmap])
  return <canvas ref={canvas} aria-hidden="true" />
}

/** Says of what is no photo what it is, and how long. */
export function AssetBadge({ asset }: { asset: Asset }) {
  const badge = badgeOf(asset)
  if (!badge) return null
  return (
    <span class={`kind kind-${badge.icon}`}>
      <Icon name={badge.icon} />
      {badge.text !== '' && <span aria-hidden="true">{badge.text}</span>}
      <span class="visually-hidden">{badge.words}</span>
    </span>
  )
}

/** Stands where there is no picture. */
export function FileFace({ asset, name, bytes }: { asset: Asset; name: string; bytes?: number }) {
  return (
    <span class="file-face">
      <Icon name={fileIcon(asset)} />
      <span class="name">{name}</span>
      <span class="soft">{[formatOf(asset), bytes === undefined ? '' : byteWords(bytes)].filter((words) => words !== '').join(' · ')}</span>
    </span>
  )
}

/** A file without a picture has no shape of its own. */
const FACE_RATIO = 1

interface TileProps {
  image: Image
  preview: ImageBitmap | undefined
  editing: boolean
  onShown: (id: string) => void
  onBroken: (id: string) => void
}

/** One photo in the grid. Drawn again only when it changed, because there may be thousands. */
export class Tile extends Component<TileProps> {
  override shouldComponentUpdate(next: TileProps): boolean {
    const { image, preview, editing } = this.props
    return image !== next.image || preview !== next.preview || editing !== next.editing
  }

  override render({ image, preview, editing, onShown, onBroken }: TileProps) {
    const { id, processingStatus: status } = image
    const developed = status === 'completed'
    const pictured = developed && hasPicture(image)
    const warning = warningWords(image.processingWarning?.code)
    return (
      <li class={`tile ${status}`} style={{ '--ratio': developed && !pictured ? FACE_RATIO : ratioOf(image, preview) }}>
        <a href={hashOf({ section: 'library', photo: id })} data-photo={id}
          {...(developed ? {} : { 'aria-label': `${captionOf(image)}, ${status === 'failed' ? 'failed' : waitingWords(image).toLowerCase()}` })}>
          {preview && <Preview bitmap={preview} />}
          {pictured && (
            <TilePicture image={image} alt={namedBy(image)}
              onLoad={() => onShown(id)} onError={() => onBroken(id)} />
          )}
          {developed && !pictured && <FileFace asset={image} name={captionOf(image)} bytes={image.fileSize} />}
          {pictured && <AssetBadge asset={image} />}
          {!developed && status !== 'failed' && <span class="note developing">{waitingWords(image)}…</span>}
          {editing && <span class="note developing">Editing…</span>}
          {status === 'failed' && (
            <span class="note failed">
              <strong>{nounOf(image) === 'photo' ? 'Could not be developed' : 'Could not be read'}</strong>
              <span>{image.processingError ?? 'The server gave no reason.'}</span>
            </span>
          )}
          {warning !== '' && <span class="note damaged"><Icon name="warning" /> {warning}</span>}
          {image.visibility === 'shared' && <span class="badge">Shared</span>}
        </a>
      </li>
    )
  }
}

export function FeedTile({ image, onBroken }: { image: FeedImage; onBroken: () => void }) {
  return (
    <li class="tile completed" style={{ '--ratio': hasPicture(image) ? ratioOf(image) : FACE_RATIO }}>
      <a href={hashOf({ section: 'feed', photo: image.imageId })} data-photo={image.imageId}>
        {hasPicture(image) ? (
          <>
            <TilePicture image={image} alt={sharedName(image)} onError={onBroken} />
            <AssetBadge asset={image} />
          </>
        ) : <FileFace asset={image} name={image.title ?? `A shared ${nounOf(image)}`} />}
        {image.username && <span class="byline">{image.username}</span>}
      </a>
    </li>
  )
}
