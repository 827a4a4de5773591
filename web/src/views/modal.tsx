import type { ComponentChildren } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import { ToastRegion } from './toasts'

interface ModalProps {
  label: string
  class: string
  /** Escape was pressed, or the phone's Back gesture made. Without it the dialog cannot be left this way. */
  onEscape?: () => void
  onKeyDown?: (event: KeyboardEvent) => void
  children: ComponentChildren
}

function isTopmost(dialog: HTMLDialogElement): boolean {
  const open = document.querySelectorAll('dialog[open]')
  return open[open.length - 1] === dialog
}

/** A modal <dialog>: the browser keeps the focus inside, and gives it back afterwards. */
export function Modal({ label, class: name, onEscape, onKeyDown, children }: ModalProps) {
  const dialog = useRef<HTMLDialogElement>(null)
  const handlers = useRef({ onEscape, onKeyDown })
  handlers.current = { onEscape, onKeyDown }
  useEffect(() => {
    const element = dialog.current
    if (!element) return
    let mounted = true
    element.showModal()
    // On the document, because the focus falls back to its body when the focused element goes away.
    const onKey = (event: KeyboardEvent) => {
      if (!isTopmost(element)) return
      if (event.key === 'Escape') {
        event.preventDefault()
        handlers.current.onEscape?.()
      } else {
        handlers.current.onKeyDown?.(event)
      }
    }
    // Browsers close a dialog by gestures that are no key, and not always ask before.
    const onClose = () => {
      if (!mounted) return
      if (handlers.current.onEscape) handlers.current.onEscape()
      else element.showModal()
    }
    document.addEventListener('keydown', onKey)
    element.addEventListener('close', onClose)
    return () => {
      mounted = false
      document.removeEventListener('keydown', onKey)
      element.close()
    }
  }, [])
  return (
    <dialog ref={dialog} class={name} aria-label={label}>
      {children}
      {/* Everything outside of a modal dialog is out of reach, the page's own messages too. */}
      <ToastRegion />
    </dialog>
  )
}
