/** A document's text may be as long as a library; a page draws this much of it. */
export const TEXT_CHARACTERS_MAX = 200_000

export interface DocumentText {
  /** What was asked for: with form feeds between pages. */
  whole: string
  /** The pages with something on them, by their number from 1. */
  pages: readonly { number: number; text: string }[]
  /** The pages end before the text does. */
  cut: boolean
}

export function documentText(whole: string, charactersMax = TEXT_CHARACTERS_MAX): DocumentText {
  const pages: { number: number; text: string }[] = []
  let left = charactersMax
  for (const [index, page] of whole.split('\f').entries()) {
    const text = page.trim()
    if (text === '') continue
    if (left <= 0) return { whole, pages, cut: true }
    pages.push({ number: index + 1, text: text.slice(0, left) })
    if (text.length > left) return { whole, pages, cut: true }
    left -= text.length
  }
  return { whole, pages, cut: false }
}

/** To be copied: the pages one below the other. */
export function copiedText({ whole }: DocumentText): string {
  return whole.replace(/\f/g, '\n').trim()
}
