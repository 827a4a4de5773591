import { useEffect } from 'preact/hooks'
import { useGallery } from './context'
import { Grid } from './grid'
import { FeedTile } from './tile'

/** What everybody on this server has shared. */
export function FeedView() {
  const { feed } = useGallery()
  useEffect(() => void feed.reload(), [feed])
  return (
    <Grid label="Shared photos" list={feed} empty={
      <>
        <h2>Nothing is shared yet</h2>
        <p>Open one of your photos and choose “Share”: everybody on this server will see it here.</p>
      </>
    }>
      {feed.images.value.map((image) => (
        <FeedTile key={image.imageId} image={image} onBroken={() => void feed.refreshUrls()} />
      ))}
    </Grid>
  )
}
