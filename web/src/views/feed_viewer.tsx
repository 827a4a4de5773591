import { useEffect } from 'preact/hooks'
import { urlOf } from '../state/pictures'
import { Avatar } from './avatar'
import { useGallery } from './context'
import { dateWords } from './words'
import { usePreload, ViewerFrame, ViewerPicture } from './viewer_frame'

/** A shared photo, to look at. */
export function FeedViewer({ id }: { id: string }) {
  const { feed } = useGallery()
  const images = feed.images.value
  const at = images.findIndex((image) => image.imageId === id)
  const image = images[at]
  const [previous, next] = at < 0 ? [] : [images[at - 1], images[at + 1]]
  useEffect(() => {
    if (at >= 0 && at >= images.length - 3) void feed.loadMore()
  }, [at, images.length])
  usePreload([previous, next].map((neighbour) => urlOf(neighbour?.sizes, 'LARGE')))

  const route = { section: 'feed' as const, photo: id }
  if (!image) {
    return (
      <ViewerFrame route={route} label="Shared photo" previous={undefined} next={undefined} side={null}>
        <p class="stage-note" role="status">{feed.loading.value ? 'Loading…' : 'This photo is not shared any more.'}</p>
      </ViewerFrame>
    )
  }
  const by = image.displayName ?? image.username
  const side = (
    <>
      <h2>{image.title ?? 'A shared photo'}</h2>
      {image.description && <p class="prose">{image.description}</p>}
      <dl class="facts">
        {by !== undefined && <><dt>By</dt><dd class="by"><Avatar name={by} picture={image.picture} /> <span>{by}</span></dd></>}
        <dt>Added</dt><dd>{dateWords(image.uploaded_datetime)}</dd>
        {image.tags && image.tags.length > 0 && <><dt>Tags</dt><dd>{image.tags.join(', ')}</dd></>}
      </dl>
    </>
  )
  return (
    <ViewerFrame route={route} label={image.title ?? 'Shared photo'} previous={previous?.imageId} next={next?.imageId} side={side}>
      <ViewerPicture image={image} alt={image.altText ?? image.title ?? 'A shared photo'}
        onError={() => void feed.refreshUrls()} />
    </ViewerFrame>
  )
}
