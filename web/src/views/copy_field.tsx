import { useSignal } from '@preact/signals'
import { useId, useRef } from 'preact/hooks'
import { Icon } from './icons'

/** A text that is there to be copied: a link, or a key that is shown once. */
export function CopyField({ label, text }: { label: string; text: string }) {
  const id = useId()
  const input = useRef<HTMLInputElement>(null)
  const result = useSignal<'' | 'done' | 'refused'>('')
  const copy = async () => {
    input.current?.select()
    result.value = (await putOnClipboard(text)) ? 'done' : 'refused'
  }
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <div class="copy-row">
        <input id={id} ref={input} class="mono" readOnly value={text} spellcheck={false} onFocus={(event) => event.currentTarget.select()} />
        <button type="button" onClick={() => void copy()}>
          <Icon name={result.value === 'done' ? 'check' : 'copy'} /> {result.value === 'done' ? 'Copied' : 'Copy'}
        </button>
      </div>
      <p class="field-note" role="status">
        {result.value === 'done' && <span class="visually-hidden">Copied</span>}
        {result.value === 'refused' && 'The browser does not let this page copy. The text is selected: copy it by hand.'}
      </p>
    </div>
  )
}

/** Copies a text that stands beside it. */
export function CopyButton({ text }: { text: () => string }) {
  const copied = useSignal<'' | 'done' | 'refused'>('')
  const copy = async () => {
    copied.value = (await putOnClipboard(text())) ? 'done' : 'refused'
  }
  return (
    <>
      <button type="button" onClick={() => void copy()}>
        <Icon name={copied.value === 'done' ? 'check' : 'copy'} /> {copied.value === 'done' ? 'Copied' : 'Copy text'}
      </button>
      <p class="field-note" role="status">
        {copied.value === 'refused' && 'The browser does not let this page copy. Select the text and copy it by hand.'}
      </p>
    </>
  )
}

/** Browsers offer their clipboard only to secure origins; on plain http in a network, the old way works on what is selected. */
export async function putOnClipboard(text: string): Promise<boolean> {
  try {
    if ('clipboard' in navigator) {
      await navigator.clipboard.writeText(text)
      return true
    }
    return document.execCommand('copy')
  } catch {
    return false
  }
}
