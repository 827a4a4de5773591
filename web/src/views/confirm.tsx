import type { ComponentChildren } from 'preact'
import { Dialog } from './dialog'

interface ConfirmProps {
  title: string
  /** What the button says that does it. */
  action: string
  onCancel: () => void
  onConfirm: () => void
  children: ComponentChildren
}

/** Asks before something is gone for good. It opens on Cancel. */
export function Confirm({ title, action, onCancel, onConfirm, children }: ConfirmProps) {
  return (
    <Dialog title={title} onClose={onCancel}>
      <div class="stack">
        {children}
        <div class="form-buttons end">
          <button onClick={onCancel}>Cancel</button>
          <button class="danger-fill" onClick={onConfirm}>{action}</button>
        </div>
      </div>
    </Dialog>
  )
}
