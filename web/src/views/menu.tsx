import { useSignal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { useEffect, useRef } from 'preact/hooks'

interface MenuProps {
  /** What the button and the menu are called. */
  label: string
  /** What the button shows. */
  face: ComponentChildren
  class?: string
  /** Stands above the entries. */
  head?: ComponentChildren
  /** MenuItems and MenuLinks. */
  children: ComponentChildren
}

/** A button that opens a menu below it: arrows move, Escape and a click elsewhere close, and the focus goes back to the button. */
export function Menu({ label, face, class: name = 'icon-button', head, children }: MenuProps) {
  const open = useSignal(false)
  const root = useRef<HTMLDivElement>(null)
  const button = useRef<HTMLButtonElement>(null)
  const items = () => [...(root.current?.querySelectorAll<HTMLElement>('[role=menuitem]') ?? [])]
  const close = (giveBack: boolean) => {
    open.value = false
    if (giveBack) button.current?.focus()
  }
  useEffect(() => {
    if (!open.value) return
    items()[0]?.focus()
    const onPress = (event: PointerEvent) => {
      if (!root.current?.contains(event.target as Node)) close(false)
    }
    document.addEventListener('pointerdown', onPress)
    return () => document.removeEventListener('pointerdown', onPress)
  }, [open.value])
  const onKeyDown = (event: KeyboardEvent) => {
    if (!open.value) {
      if (event.key !== 'ArrowDown' || event.target !== button.current) return
      open.value = true
    } else if (event.key === 'Escape') {
      close(true)
    } else if (event.key === 'Tab') {
      close(false)
      return
    } else {
      const all = items()
      const at = all.indexOf(document.activeElement as HTMLElement)
      const to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: all.length - 1 }[event.key]
      if (to === undefined) return
      all[(to + all.length) % all.length]?.focus()
    }
    event.preventDefault()
    event.stopPropagation()
  }
  return (
    <div class="menu-root" ref={root} onKeyDown={onKeyDown}>
      <button ref={button} class={name} aria-label={label} title={label} aria-haspopup="menu" aria-expanded={open.value}
        onClick={() => (open.value = !open.value)}>
        {face}
      </button>
      {open.value && (
        <div class="menu-box">
          {head}
          {/* What is chosen may open a dialog, which gives the focus back to where it was: the button. */}
          <div role="menu" aria-label={label} onClick={() => close(true)}>{children}</div>
        </div>
      )}
    </div>
  )
}

export function MenuItem({ onChoose, tone, children }: { onChoose: () => void; tone?: 'danger'; children: ComponentChildren }) {
  return <button role="menuitem" tabIndex={-1} class={tone ?? ''} onClick={onChoose}>{children}</button>
}

export function MenuLink({ href, children }: { href: string; children: ComponentChildren }) {
  return <a role="menuitem" tabIndex={-1} href={href}>{children}</a>
}
