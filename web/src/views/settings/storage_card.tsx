import { storageWords, limitWords } from '../account_words'
import { useGallery } from '../context'

/** How much of what the person may have is used. Nothing until it is known. */
export function StorageCard() {
  const limit = useGallery().limit.value
  if (limit === undefined) return null
  const { usedBytes, quotaBytes } = limit
  return (
    <section class="panel" aria-labelledby="storage-title">
      <h3 id="storage-title">Storage</h3>
      {quotaBytes !== null && quotaBytes > 0 && (
        <progress aria-labelledby="storage-title" max={quotaBytes} value={Math.min(usedBytes, quotaBytes)} />
      )}
      <p class="soft">
        {storageWords(limit)} used, with edits and what is in the trash · {limit.limit === null ? 'no upload limit' : `${limitWords(limit.limit)} uploads left`}
      </p>
    </section>
  )
}
