import { drawnWidth } from '../state/pictures'

interface Measured {
  width?: number
  height?: number
}

/** The pictures that are followed, with the sizes of their originals. */
const followed = new WeakMap<Element, Measured>()

// One for all tiles. It is called between layout and painting, before the browser chooses what to load lazily.
const observer = typeof ResizeObserver === 'undefined' ? undefined : new ResizeObserver((entries) => {
  for (const { target, contentRect } of entries) {
    const image = followed.get(target)
    if (image && contentRect.width > 0) (target as HTMLImageElement).sizes = `${drawnWidth(image, contentRect)}px`
  }
})

/** Keeps the `sizes` of an <img> at the width that it is drawn with, until the returned function is called. */
export function followWidth(img: HTMLImageElement, image: Measured): () => void {
  followed.set(img, image)
  observer?.observe(img)
  return () => observer?.unobserve(img)
}
