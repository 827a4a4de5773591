import { Component } from 'preact'
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import type { FeedImage, Image, Sizes } from '../api/types'
import { pixelsOf } from '../state/blurhash'
import { ratioOf, sizesOf, srcsetOf, urlOf } from '../state/pictures'
import { hashOf } from '../state/router_paths'
import { Icon } from './icons'
import { followWidth } from './tile_width'
import { captionOf, namedBy } from './words'

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
    return (
      <li class={`tile ${status}`} style={{ '--ratio': ratioOf(image, preview) }}>
        <a href={hashOf({ section: 'library', photo: id })} data-photo={id}
          {...(developed ? {} : { 'aria-label': `${captionOf(image)}, ${status === 'failed' ? 'failed' : 'developing'}` })}>
          {preview && <Preview bitmap={preview} />}
          {developed && (
            <TilePicture image={image} alt={namedBy(image)}
              onLoad={() => onShown(id)} onError={() => onBroken(id)} />
          )}
          {!developed && status !== 'failed' && <span class="note developing">Developing…</span>}
          {editing && <span class="note developing">Editing…</span>}
          {status === 'failed' && (
            <span class="note failed">
              <strong>Could not be developed</strong>
              <span>{image.processingError ?? 'The server gave no reason.'}</span>
            </span>
          )}
          {image.processingWarning && <span class="note damaged"><Icon name="warning" /> Incomplete</span>}
          {image.visibility === 'shared' && <span class="badge">Shared</span>}
        </a>
      </li>
    )
  }
}

export function FeedTile({ image, onBroken }: { image: FeedImage; onBroken: () => void }) {
  return (
    <li class="tile completed" style={{ '--ratio': ratioOf(image) }}>
      <a href={hashOf({ section: 'feed', photo: image.imageId })} data-photo={image.imageId}>
        <TilePicture image={image} alt={image.altText ?? image.title ?? 'A shared photo'} onError={onBroken} />
        {image.username && <span class="byline">{image.username}</span>}
      </a>
    </li>
  )
}
