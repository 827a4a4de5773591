import type { ReadonlySignal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { useEffect, useRef } from 'preact/hooks'

/** A list that loads its next page when its end comes near. */
export interface PagedList {
  readonly images: ReadonlySignal<readonly unknown[]>
  readonly loading: ReadonlySignal<boolean>
  readonly complete: ReadonlySignal<boolean>
  readonly error: ReadonlySignal<string>
  loadMore: () => Promise<void>
}

interface GridProps {
  label: string
  list: PagedList
  empty: ComponentChildren
  children: ComponentChildren
}

/** Rows of tiles that fill the width; see grid.css for how tiles share a row. */
export function Grid({ label, list, empty, children }: GridProps) {
  const count = list.images.value.length
  if (count === 0 && list.complete.value) return <div class="empty">{empty}</div>
  return (
    <>
      <ul class="grid" aria-label={label} aria-busy={list.loading.value}>
        {children}
        {count === 0 && list.loading.value && <Placeholders />}
      </ul>
      <GridEnd list={list} />
    </>
  )
}

function Placeholders() {
  return (
    <>
      {[1.5, 0.75, 1.5, 1.33, 1.5, 0.67].map((ratio, index) => (
        <li key={index} class="tile placeholder" aria-hidden="true" style={{ '--ratio': ratio }} />
      ))}
    </>
  )
}

function GridEnd({ list }: { list: PagedList }) {
  const end = useRef<HTMLDivElement>(null)
  const loading = list.loading.value
  const failed = list.error.value !== ''
  useEffect(() => {
    if (!end.current || loading || failed || list.complete.value) return
    const observer = new IntersectionObserver(
      (entries) => {
        if (entries.some((entry) => entry.isIntersecting)) void list.loadMore()
      },
      { rootMargin: '800px' },
    )
    observer.observe(end.current)
    return () => observer.disconnect()
  }, [list, loading, failed])
  return (
    <div ref={end} class="grid-end">
      {loading && list.images.value.length > 0 && <p role="status">Loading more…</p>}
      {failed && (
        <p role="alert">
          {list.error} <button onClick={() => void list.loadMore()}>Try again</button>
        </p>
      )}
    </div>
  )
}
