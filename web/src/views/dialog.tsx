import type { ComponentChildren } from 'preact'
import { Modal } from './modal'

interface DialogProps {
  title: string
  onClose: () => void
  children: ComponentChildren
}

/** A question or a short form that has to end before anything else goes on; on phones a sheet at the lower edge. */
export function Dialog({ title, onClose, children }: DialogProps) {
  return (
    <Modal label={title} class="dialog" onEscape={onClose}>
      <h2>{title}</h2>
      {children}
    </Modal>
  )
}
