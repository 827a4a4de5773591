import { useGallery } from './context'
import { Grid } from './grid'
import { Tile } from './tile'

/** The person's own photos, newest first. */
export function LibraryView() {
  const { library, previews, jobs } = useGallery()
  const bitmaps = previews.bitmaps.value
  const running = jobs.running.value
  return (
    <Grid label="Your photos" list={library} empty={
      <>
        <h2>No photos yet</h2>
        <p>Drop some anywhere on this page, or choose them with the button above.</p>
      </>
    }>
      {library.images.value.map((image) => (
        <Tile key={image.id} image={image} preview={bitmaps.get(image.id)} editing={running.has(image.id)}
          onShown={(id) => previews.drop(id)} onBroken={(id) => library.refreshUrls(id)} />
      ))}
    </Grid>
  )
}
