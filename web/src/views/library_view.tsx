import { useGallery } from './context'
import { Grid } from './grid'
import { Tile } from './tile'

/** The person's own photos and other files, newest first. */
export function LibraryView() {
  const { library, previews, jobs } = useGallery()
  const bitmaps = previews.bitmaps.value
  const running = jobs.running.value
  return (
    <Grid label="Your photos" list={library} empty={
      <>
        <h2>Nothing here yet</h2>
        <p>Drop photos, videos, sounds or any other files anywhere on this page, or choose them with the button above.</p>
      </>
    }>
      {library.images.value.map((image) => (
        <Tile key={image.id} image={image} preview={bitmaps.get(image.id)} editing={running.has(image.id)}
          onShown={(id) => previews.drop(id)} onBroken={(id) => library.refreshUrls(id)} />
      ))}
    </Grid>
  )
}
