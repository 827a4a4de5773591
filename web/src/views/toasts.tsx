import { useApp } from './context'
import { Icon } from './icons'

/** Messages at the lower edge. The region is always there, so that readers announce what enters it. */
export function ToastRegion() {
  const { toasts } = useApp()
  return (
    <div class="toasts" role="status" aria-live="polite">
      {toasts.items.value.map(({ id, text, tone, action }) => (
        <div key={id} class={`toast ${tone}`}>
          <span>{text}</span>
          {action && (
            <button onClick={() => {
              toasts.dismiss(id)
              action.run()
            }}>{action.label}</button>
          )}
          <button class="icon-button" aria-label="Dismiss" onClick={() => toasts.dismiss(id)}><Icon name="close" /></button>
        </div>
      ))}
    </div>
  )
}
