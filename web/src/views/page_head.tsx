import type { ComponentChildren } from 'preact'
import { useEffect, useRef } from 'preact/hooks'

/** The title of a page, which takes the focus when one comes to it, so that readers and the Tab key begin there. */
export function PageHead({ title, children }: { title: string; children?: ComponentChildren }) {
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => heading.current?.focus({ preventScroll: true }), [])
  return (
    <div class="page-head">
      <h2 ref={heading} tabIndex={-1}>{title}</h2>
      {children}
    </div>
  )
}
