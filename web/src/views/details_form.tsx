import { useSignal } from '@preact/signals'
import { ApiError, explain } from '../api/problem'
import type { Image } from '../api/types'
import { nounOf } from '../state/assets'
import { changeBetween, fieldsOf, rebased, savedOver, TAGS_LIMIT, tooLong, type Draft, type Fields } from '../state/details'
import { useApp, useGallery } from './context'

/** Title, description, alternative text and tags. What is typed is kept in the gallery's drafts until saved. */
export function DetailsForm({ image }: { image: Image }) {
  const { toasts } = useApp()
  const gallery = useGallery()
  const busy = useSignal(false)
  const error = useSignal('')
  const conflict = useSignal(false)

  const draft: Draft = gallery.drafts.value.get(image.id) ?? { base: image, fields: fieldsOf(image) }
  const { fields } = draft
  const change = changeBetween(draft.base, fields)
  const type = (part: Partial<Fields>) => gallery.setDraft(image.id, { ...draft, fields: { ...fields, ...part } })
  const discard = () => {
    gallery.setDraft(image.id, undefined)
    conflict.value = false
    error.value = ''
  }

  const save = async (event: Event) => {
    event.preventDefault()
    if (!change || busy.value) return
    error.value = tooLong(fields) ?? ''
    if (error.value !== '') return
    busy.value = true
    try {
      await gallery.library.change(savedOver(draft, image), change)
      discard()
      toasts.show('Saved.')
    } catch (failure) {
      if (failure instanceof ApiError && failure.status === 412) await showNewState()
      else error.value = explain(failure)
    } finally {
      busy.value = false
    }
  }

  const showNewState = async () => {
    try {
      gallery.setDraft(image.id, rebased(draft, await gallery.library.fetch(image.id)))
      conflict.value = true
    } catch (failure) {
      error.value = explain(failure)
    }
  }

  return (
    <form class="details stack" onSubmit={save} aria-label="Details">
      {conflict.value && <Conflict theirs={draft.base} onTake={discard} />}
      <label class="field"><span>Title</span>
        <input name="title" value={fields.title} onInput={(event) => type({ title: event.currentTarget.value })} />
      </label>
      <label class="field"><span>Description</span>
        <textarea name="description" rows={3} value={fields.description}
          onInput={(event) => type({ description: event.currentTarget.value })} />
      </label>
      <label class="field"><span>Alternative text</span>
        <textarea name="altText" rows={2} value={fields.altText} aria-describedby="alt-hint"
          onInput={(event) => type({ altText: event.currentTarget.value })} />
        <small id="alt-hint">What the {nounOf(image)} shows, for those who cannot see it.</small>
      </label>
      <label class="field"><span>Tags</span>
        <input name="tags" value={fields.tags} aria-describedby="tags-hint" autocapitalize="none"
          onInput={(event) => type({ tags: event.currentTarget.value })} />
        <small id="tags-hint">Separated by commas, at most {TAGS_LIMIT}.</small>
      </label>
      <p class="error" role="alert">{error}</p>
      <div class="form-buttons">
        <button class="primary" aria-disabled={!change || busy.value}>{conflict.value ? 'Save mine over it' : 'Save'}</button>
        {change && !conflict.value && <button type="button" onClick={discard}>Discard</button>}
      </div>
    </form>
  )
}

/** Shows the state that came first, so that nobody overwrites it unseen. */
function Conflict({ theirs, onTake }: { theirs: Image; onTake: () => void }) {
  const { title, description, altText, tags } = fieldsOf(theirs)
  const rows = [['Title', title], ['Description', description], ['Alternative text', altText], ['Tags', tags]]
  return (
    <div class="conflict" role="alert">
      <p><strong>Changed meanwhile.</strong> Here is the new state; your text still stands below.</p>
      <dl>{rows.map(([name, value]) => <div key={name}><dt>{name}</dt><dd>{value || <em>empty</em>}</dd></div>)}</dl>
      <button type="button" onClick={onTake}>Take the new state</button>
    </div>
  )
}
