import { useSignal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import { explain } from '../../api/problem'
import type { Session } from '../../api/types'
import { agoWords, deviceOf } from '../account_words'
import { useApp, useGallery } from '../context'
import { FormError } from '../form'
import { Icon } from '../icons'
import { ListingFrame } from '../loading'

/** Where the account is logged in. */
export function SessionsCard() {
  const app = useApp()
  const { settings } = useGallery()
  const { sessions } = settings
  const error = useSignal('')
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => void sessions.reload(), [sessions])
  const attempt = async (work: () => Promise<void>, done: string) => {
    error.value = ''
    try {
      await work()
      heading.current?.focus()
      app.toasts.show(done)
    } catch (failure) {
      error.value = explain(failure)
    }
  }
  const others = sessions.items.value.some(({ current }) => !current)
  return (
    <section class="panel" aria-labelledby="sessions-title">
      <header>
        <h3 id="sessions-title" ref={heading} tabIndex={-1}>Sessions</h3>
        {others && (
          <button class="small danger" onClick={() => void attempt(() => settings.endOtherSessions(), 'All other sessions have ended')}>
            End all others
          </button>
        )}
      </header>
      <FormError text={error.value} />
      <ListingFrame list={sessions} empty={<p>There are no sessions.</p>}>
        <ul class="rows" aria-label="Sessions">
          {sessions.items.value.map((session) => (
            <SessionRow key={session.id} session={session}
              onEnd={(name) => void attempt(() => settings.endSession(session.id), `The session of ${name} has ended`)} />
          ))}
        </ul>
      </ListingFrame>
    </section>
  )
}

function SessionRow({ session, onEnd }: { session: Session; onEnd: (name: string) => void }) {
  const { name, kind } = deviceOf(session.userAgent)
  return (
    <li>
      <span class="lead"><Icon name={kind} /></span>
      <div class="grow">
        <b title={session.userAgent}>{name}</b> {session.current && <span class="pill good">This device</span>}
        <p class="soft">Last used {agoWords(session.lastUsedAt, Date.now())} · {session.address}</p>
      </div>
      {!session.current && <button class="small" aria-label={`End the session of ${name}`} onClick={() => onEnd(name)}>End</button>}
    </li>
  )
}
