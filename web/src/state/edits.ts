import type { EditOperation } from '../api/types'

/** A rectangle in parts (0 to 1) of a picture as it is seen, that is, after its rotation. */
export interface Box {
  left: number
  top: number
  width: number
  height: number
}

export interface Pixels {
  width: number
  height: number
}

/** The edits that a person has put together, before they are sent as a job. */
export interface Edits {
  /** Clockwise, 0 to 3. */
  quarterTurns: number
  crop: Box | undefined
  autoLevels: boolean
  blackAndWhite: boolean
}

export const NO_EDITS: Edits = { quarterTurns: 0, crop: undefined, autoLevels: false, blackAndWhite: false }

/** The side of a crop is at least this part of the picture, so that its handles stay apart. */
const SIDE_MIN = 0.02

/** Turns the picture clockwise, and the crop with it. */
export function turned(edits: Edits, quarterTurns: 1 | 3): Edits {
  let crop = edits.crop
  for (let turn = 0; crop && turn < quarterTurns; ++turn) {
    crop = { left: 1 - crop.top - crop.height, top: crop.left, width: crop.height, height: crop.width }
  }
  return { ...edits, quarterTurns: (edits.quarterTurns + quarterTurns) % 4, crop }
}

/** The pixels of the picture after the rotation. */
export function turnedPixels({ width, height }: Pixels, quarterTurns: number): Pixels {
  return quarterTurns % 2 === 0 ? { width, height } : { width: height, height: width }
}

/** Moves the whole box, staying inside the picture. */
export function moved(box: Box, right: number, down: number): Box {
  return {
    ...box,
    left: clamp(box.left + right, 0, 1 - box.width),
    top: clamp(box.top + down, 0, 1 - box.height),
  }
}

/** Moves one corner or side; the opposite one stays. Names are compass points, as in cursors: 'nw', 'e'. */
export function resized(box: Box, handle: string, right: number, down: number): Box {
  let { left, top } = box
  let end = box.left + box.width
  let bottom = box.top + box.height
  if (handle.includes('w')) left = clamp(left + right, 0, end - SIDE_MIN)
  if (handle.includes('e')) end = clamp(end + right, left + SIDE_MIN, 1)
  if (handle.includes('n')) top = clamp(top + down, 0, bottom - SIDE_MIN)
  if (handle.includes('s')) bottom = clamp(bottom + down, top + SIDE_MIN, 1)
  return { left, top, width: end - left, height: bottom - top }
}

/** The box in whole pixels of the turned picture: never empty, never outside. */
export function boxInPixels(box: Box, picture: Pixels): Box {
  const left = clamp(Math.round(box.left * picture.width), 0, picture.width - 1)
  const top = clamp(Math.round(box.top * picture.height), 0, picture.height - 1)
  return {
    left,
    top,
    width: clamp(Math.round(box.width * picture.width), 1, picture.width - left),
    height: clamp(Math.round(box.height * picture.height), 1, picture.height - top),
  }
}

/** A box given in pixels, brought inside the picture. */
export function boxFromPixels(box: Box, picture: Pixels): Box {
  const width = clamp(box.width, 1, picture.width)
  const height = clamp(box.height, 1, picture.height)
  return {
    left: clamp(box.left, 0, picture.width - width) / picture.width,
    top: clamp(box.top, 0, picture.height - height) / picture.height,
    width: width / picture.width,
    height: height / picture.height,
  }
}

/** The job's operations. The rotation comes first, because the crop was drawn on the turned picture. */
export function operationsOf(edits: Edits, picture: Pixels): EditOperation[] {
  const operations: EditOperation[] = []
  const degrees = edits.quarterTurns * 90
  if (degrees === 90 || degrees === 180 || degrees === 270) operations.push({ op: 'rotate', degrees })
  if (edits.crop) {
    operations.push({ op: 'crop', ...boxInPixels(edits.crop, turnedPixels(picture, edits.quarterTurns)) })
  }
  if (edits.autoLevels) operations.push({ op: 'auto_levels' })
  if (edits.blackAndWhite) operations.push({ op: 'black_and_white' })
  return operations
}

/**
 * What a list of operations comes to, to go on from. Lists of other programs may crop twice, or turn after a crop; here they
 * are one crop after one turn.
 */
export function editsOf(operations: readonly EditOperation[], picture: Pixels): Edits {
  let edits = NO_EDITS
  for (const operation of operations) {
    switch (operation.op) {
      case 'rotate':
        for (let turn = 0; turn < operation.degrees / 90; ++turn) edits = turned(edits, 1)
        break
      case 'crop': {
        const seen = turnedPixels(picture, edits.quarterTurns)
        const { left, top } = edits.crop ? boxInPixels(edits.crop, seen) : { left: 0, top: 0 }
        const { width, height } = operation
        edits = { ...edits, crop: boxFromPixels({ left: left + operation.left, top: top + operation.top, width, height }, seen) }
        break
      }
      case 'auto_levels':
        edits = { ...edits, autoLevels: true }
        break
      case 'black_and_white':
        edits = { ...edits, blackAndWhite: true }
        break
    }
  }
  return edits
}

function clamp(value: number, min: number, max: number): number {
  return Math.min(Math.max(value, min), max)
}
