import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { explain } from '../api/problem'
import type { Image } from '../api/types'
import { hasPicture, typeOf } from '../state/assets'
import { copiedText, documentText, type DocumentText } from '../state/document'
import { useGallery } from './context'
import { CopyButton } from './copy_field'

/** The words of a document, to read and to copy. Asked for when it is opened. */
export function DocumentTextPanel({ image }: { image: Image }) {
  const { library } = useGallery()
  const open = useSignal(false)
  const text = useSignal<DocumentText | undefined>(undefined)
  const failure = useSignal('')
  const shown = typeOf(image) === 'DOCUMENT' && image.processingStatus === 'completed' && hasPicture(image)
  useEffect(() => {
    if (!open.value || text.value || !shown) return
    let current = true
    failure.value = ''
    library.text(image.id).then(
      (whole) => current && (text.value = documentText(whole)),
      (error) => current && (failure.value = explain(error)),
    )
    return () => {
      current = false
    }
  }, [image.id, open.value, shown])
  if (!shown) return null
  const { pages = [], cut = false } = text.value ?? {}
  return (
    <details class="document-text" open={open.value} onToggle={(event) => (open.value = event.currentTarget.open)}>
      <summary>Text of the document</summary>
      {failure.value !== '' && <p class="error" role="alert">{failure.value}</p>}
      {!text.value && failure.value === '' && <p class="soft" role="status">Loading…</p>}
      {text.value && pages.length === 0 && <p class="soft">There are no words in it, or only as pictures.</p>}
      {text.value && pages.length > 0 && (
        <>
          <div class="text-well" tabIndex={0} role="region" aria-label="Text">
            {pages.map((page) => (
              <section key={page.number}>
                {(image.pages ?? 1) > 1 && <h3>Page {page.number}</h3>}
                <p>{page.text}</p>
              </section>
            ))}
            {cut && <p class="soft">Here is the beginning. Copy the text to have all of it.</p>}
          </div>
          <CopyButton text={() => copiedText(text.value ?? documentText(''))} />
        </>
      )}
    </details>
  )
}
