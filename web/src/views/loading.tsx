import type { ComponentChildren } from 'preact'
import type { Listing } from '../state/listing'

/** Stands where something will be, about as high as that. */
export function Loading() {
  return <p class="loading" role="status"><span>Loading…</span></p>
}

interface ListingProps<T> {
  list: Listing<T>
  /** What to say when there is nothing in it. */
  empty: ComponentChildren
  children: ComponentChildren
}

/** A list with what surrounds it: that it is loading, that it is empty, that it cannot be had, that there is more. */
export function ListingFrame<T>({ list, empty, children }: ListingProps<T>) {
  const { items, loading, known, complete, error } = list
  const nothing = items.value.length === 0
  return (
    <>
      {!nothing && children}
      {known.value && nothing && complete.value && <div class="nothing">{empty}</div>}
      {known.value && nothing && !complete.value && !loading.value && <p class="nothing">Nothing in the newest part.</p>}
      {loading.value && !known.value && <Loading />}
      {error.value !== '' && (
        <div class="banner bad" role="alert">
          <p>{error}</p>
          <button onClick={() => void (known.value ? list.loadMore() : list.reload())}>Try again</button>
        </div>
      )}
      {known.value && !complete.value && error.value === '' && (
        <button class="show-more" aria-disabled={loading.value} onClick={() => void list.loadMore()}>
          {loading.value ? 'Loading…' : 'Show more'}
        </button>
      )}
    </>
  )
}
