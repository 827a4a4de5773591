import { useEffect, useMemo } from 'preact/hooks'
import { isPlayable, nounOf } from '../state/assets'
import { urlOf } from '../state/pictures'
import { Player } from '../state/player'
import { AssetStage } from './asset_stage'
import { Avatar } from './avatar'
import { useGallery } from './context'
import { dateWords, sharedName } from './words'
import { usePreload, ViewerFrame } from './viewer_frame'

/** What somebody shares, to look at and to play. */
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

  const player = useMemo(() => new Player(), [id])
  const route = { section: 'feed' as const, photo: id }
  if (!image) {
    return (
      <ViewerFrame route={route} label="Shared photo" previous={undefined} next={undefined} side={null}>
        <p class="stage-note" role="status">{feed.loading.value ? 'Loading…' : 'This is not shared any more.'}</p>
      </ViewerFrame>
    )
  }
  const name = image.title ?? `A shared ${nounOf(image)}`
  const by = image.displayName ?? image.username
  const side = (
    <>
      <h2>{name}</h2>
      {image.description && <p class="prose">{image.description}</p>}
      <dl class="facts">
        {by !== undefined && <><dt>By</dt><dd class="by"><Avatar name={by} picture={image.picture} /> <span>{by}</span></dd></>}
        <dt>Added</dt><dd>{dateWords(image.uploaded_datetime)}</dd>
        {image.tags && image.tags.length > 0 && <><dt>Tags</dt><dd>{image.tags.join(', ')}</dd></>}
      </dl>
    </>
  )
  return (
    <ViewerFrame route={route} label={name} previous={previous?.imageId} next={next?.imageId} noun={nounOf(image)}
      player={isPlayable(image) ? player : undefined} side={side}>
      <AssetStage key={id} asset={image} name={name} alt={sharedName(image)} player={player} onBroken={() => void feed.refreshUrls()} />
    </ViewerFrame>
  )
}
