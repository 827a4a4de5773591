import { useSignal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import { explain } from '../../api/problem'
import type { ApiKey } from '../../api/types'
import { keyEndWords, keyUseWords, scopeWords } from '../account_words'
import { Confirm } from '../confirm'
import { useApp, useGallery } from '../context'
import { FormError } from '../form'
import { Icon } from '../icons'
import { ListingFrame } from '../loading'
import { NewKeyDialog } from './new_key_dialog'

/** What programs use in the person's name. */
export function ApiKeysCard() {
  const app = useApp()
  const { settings } = useGallery()
  const { apiKeys } = settings
  const making = useSignal(false)
  const deleting = useSignal<ApiKey | undefined>(undefined)
  const error = useSignal('')
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => void apiKeys.reload(), [apiKeys])
  const remove = async ({ id, name }: ApiKey) => {
    deleting.value = undefined
    error.value = ''
    try {
      await settings.deleteApiKey(id)
      heading.current?.focus()
      app.toasts.show(`The API key “${name}” is deleted`)
    } catch (failure) {
      error.value = explain(failure)
    }
  }
  const now = Date.now()
  return (
    <section class="panel" aria-labelledby="keys-title">
      <header>
        <h3 id="keys-title" ref={heading} tabIndex={-1}>API keys</h3>
        <button class="small" onClick={() => (making.value = true)}><Icon name="plus" /> New API key</button>
      </header>
      <FormError text={error.value} />
      <ListingFrame list={apiKeys} empty={<p>No API keys. Programs that upload or back up your photos need one.</p>}>
        <ul class="rows" aria-label="API keys">
          {apiKeys.items.value.map((key) => (
            <li key={key.id}>
              <span class="lead"><Icon name="key" /></span>
              <div class="grow">
                <b>{key.name}</b>
                <p class="soft">{scopeWords(key.scopes)} · {keyUseWords(key, now)} · {keyEndWords(key, now)}</p>
              </div>
              <button class="small danger" aria-label={`Delete the API key ${key.name}`} onClick={() => (deleting.value = key)}>Delete</button>
            </li>
          ))}
        </ul>
      </ListingFrame>
      {making.value && <NewKeyDialog onClose={() => (making.value = false)} />}
      {deleting.value && (
        <Confirm title={`Delete the API key “${deleting.value.name}”?`} action="Delete" onCancel={() => (deleting.value = undefined)}
          onConfirm={() => deleting.value && void remove(deleting.value)}>
          <p>Programs that use it are refused at once. This cannot be undone.</p>
        </Confirm>
      )}
    </section>
  )
}
