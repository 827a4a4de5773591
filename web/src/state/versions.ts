import type { EditOperation, Image, ImageVersion, Sizes } from '../api/types'
import { editsOf, type Edits, type Pixels } from './edits'

/** Where an editor begins: the picture that edits are applied to, and those that the photo has. */
export interface EditStart {
  /** The revision of that picture; 0 is the upload. */
  base: number
  picture: Pixels
  sizes: Sizes | undefined
  edits: Edits
}

/** The revision whose picture a version shows. */
export function pictureOf(version: ImageVersion): number {
  return version.revertedTo ?? version.revision
}

/** Whether the photo shows an edit, and not what was uploaded. */
export function isEdited(image: Image): boolean {
  return image.sizes?.FULL !== undefined
}

/** Versions are needed of a photo that was edited; any other is its own base. */
export function editStart(image: Image, versions: readonly ImageVersion[]): EditStart {
  const current = versions.find((version) => version.current)
  const base = versions.find(({ revision }) => revision === current?.base)
  const picture = { width: (base?.width ?? image.width) || 1, height: (base?.height ?? image.height) || 1 }
  return {
    base: base?.revision ?? 0, picture, sizes: base?.sizes ?? image.sizes, edits: editsOf(current?.operations ?? [], picture),
  }
}

/** Bytes of the current picture in full size; undefined while they are not known. */
export function bytesOf(image: Image, versions: readonly ImageVersion[]): number | undefined {
  if (!isEdited(image)) return image.fileSize
  return versions.find(({ revision }) => revision === image.revision)?.fileSize
}

const OPERATION_WORDS: Record<EditOperation['op'], string> = {
  rotate: 'rotated', crop: 'cropped', auto_levels: 'auto levels', black_and_white: 'black and white',
}

/** What was done to the photo, in words. */
export function versionWords(version: ImageVersion): string {
  if (version.revertedTo === 0) return 'Back to the original'
  if (version.revertedTo !== undefined) return `Back to version ${version.revertedTo}`
  if (version.revision === 0) return 'As uploaded'
  const words = [...new Set((version.operations ?? []).map(({ op }) => OPERATION_WORDS[op]))].join(', ')
  return words === '' ? 'Edited' : words[0]?.toUpperCase() + words.slice(1)
}
