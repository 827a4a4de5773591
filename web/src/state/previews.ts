import { signal } from '@preact/signals'

const PREVIEW_WIDTH = 384
/** About half a megabyte each; the oldest give way. */
const PREVIEWS_MAX = 60

/**
 * Small pictures of just uploaded files, by image id, shown until the server has developed its own. They
 * are bitmaps and not blob: URLs, because the page's policy loads images from the server only.
 */
export class Previews {
  readonly bitmaps = signal<ReadonlyMap<string, ImageBitmap>>(new Map())

  async make(id: string, file: File): Promise<void> {
    let bitmap: ImageBitmap
    try {
      bitmap = await createImageBitmap(file, { resizeWidth: PREVIEW_WIDTH, resizeQuality: 'medium' })
    } catch {
      return // Not every file that the server can develop this browser can show.
    }
    const [oldest] = this.bitmaps.value.keys()
    if (oldest !== undefined && this.bitmaps.value.size >= PREVIEWS_MAX) this.drop(oldest)
    this.bitmaps.value = new Map(this.bitmaps.value).set(id, bitmap)
  }

  /** For when the developed picture is on the screen. */
  drop(id: string): void {
    const bitmap = this.bitmaps.value.get(id)
    if (bitmap === undefined) return
    const rest = new Map(this.bitmaps.value)
    rest.delete(id)
    this.bitmaps.value = rest
    bitmap.close()
  }
}
