import { signal } from '@preact/signals'

export interface Toast {
  readonly id: number
  readonly text: string
  readonly tone: 'plain' | 'error'
  readonly action?: { label: string; run: () => void }
}

const PLAIN_MILLISECONDS = 6_000
const ACTION_MILLISECONDS = 15_000

/** Short messages at the edge of the page, one at a time: what was done last, with the way back. Errors stay until somebody
 * dismisses them. */
export class Toasts {
  readonly items = signal<readonly Toast[]>([])
  private nextId = 1

  show(text: string, action?: Toast['action']): void {
    const toast = this.add(action ? { text, tone: 'plain', action } : { text, tone: 'plain' })
    setTimeout(() => this.dismiss(toast.id), action ? ACTION_MILLISECONDS : PLAIN_MILLISECONDS)
  }

  showError(text: string): void {
    this.add({ text, tone: 'error' })
  }

  dismiss(id: number): void {
    this.items.value = this.items.value.filter((toast) => toast.id !== id)
  }

  private add(toast: Omit<Toast, 'id'>): Toast {
    const added = { ...toast, id: this.nextId++ }
    // The same error twice says nothing new, and what was done before has been seen.
    const kept = this.items.value.filter((other) => other.text !== added.text && (other.tone === 'error' || added.tone === 'error'))
    this.items.value = [...kept, added]
    return added
  }
}
