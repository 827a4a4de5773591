import { LIMITS, type Image, type ImageChange } from '../api/types'

export const TAGS_LIMIT = LIMITS.Tags.maxItems

/** What stands in the fields of the details form, as typed. */
export interface Fields {
  title: string
  description: string
  altText: string
  tags: string
}

/** Fields that were typed and not saved, with the photo as it was when the typing began. */
export interface Draft {
  base: Image
  fields: Fields
}

export function fieldsOf(image: Image): Fields {
  return {
    title: image.title ?? '',
    description: image.description ?? '',
    altText: image.altText ?? '',
    tags: (image.tags ?? []).join(', '),
  }
}

/** Tags as typed, separated by commas: trimmed, each once, in the order given. */
export function parseTags(text: string): string[] {
  return [...new Set(text.split(',').map((tag) => tag.trim().replace(/\s+/g, ' ')).filter((tag) => tag !== ''))]
}

/** How the server counts: characters, not JavaScript's UTF-16 units. */
const charactersIn = (text: string) => [...text].length

/** What is longer than the contract allows, in words; undefined when nothing is. */
export function tooLong(fields: Fields): string | undefined {
  const tags = parseTags(fields.tags)
  if (tags.length > LIMITS.Tags.maxItems) return `A photo has at most ${LIMITS.Tags.maxItems} tags.`
  const texts: [string, string, number][] = [
    ['The title', fields.title.trim(), LIMITS.Title.maxLength],
    ['The description', fields.description.trim(), LIMITS.Description.maxLength],
    ['The alternative text', fields.altText.trim(), LIMITS.AltText.maxLength],
    ...tags.map((tag): [string, string, number] => [`The tag “${[...tag].slice(0, 20).join('')}…”`, tag, LIMITS.Tag.maxLength]),
  ]
  for (const [name, text, limit] of texts) {
    if (charactersIn(text) > limit) return `${name} has ${charactersIn(text)} characters; the limit is ${limit}.`
  }
  return undefined
}

/** What saving the fields would change about the image; undefined when nothing. */
export function changeBetween(image: Image, fields: Fields): ImageChange | undefined {
  const change: ImageChange = {}
  for (const name of ['title', 'description', 'altText'] as const) {
    const text = fields[name].trim()
    if (text !== (image[name] ?? '')) change[name] = text === '' ? null : text
  }
  const tags = parseTags(fields.tags)
  if (tags.join(',') !== (image.tags ?? []).join(',')) change.tags = tags
  return Object.keys(change).length === 0 ? undefined : change
}

/**
 * The state that a save replaces, whose version it names. The photo may have a newer one by now: that is used when
 * only other things changed (it was shared, say), so that nobody is warned of a conflict that is none.
 */
export function savedOver({ base }: Draft, current: Image): Image {
  return changeBetween(current, fieldsOf(base)) === undefined ? current : base
}

/** The draft on a newer state: what the person typed stays, what they left alone follows the new state. */
export function rebased({ base, fields }: Draft, newer: Image): Draft {
  const before = fieldsOf(base)
  const after = fieldsOf(newer)
  const pick = (name: keyof Fields) => (fields[name] === before[name] ? after[name] : fields[name])
  return {
    base: newer,
    fields: { title: pick('title'), description: pick('description'), altText: pick('altText'), tags: pick('tags') },
  }
}
