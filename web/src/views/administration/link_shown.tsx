import { CopyField } from '../copy_field'
import { Dialog } from '../dialog'
import { dateWords } from '../words'

interface LinkShownProps {
  title: string
  /** For whom it is and what it does. */
  text: string
  link: string
  expiresAt: string
  onClose: () => void
}

/** A link to send to somebody, which cannot be shown again. */
export function LinkShown({ title, text, link, expiresAt, onClose }: LinkShownProps) {
  return (
    <Dialog title={title} onClose={onClose}>
      <div class="stack">
        <p class="banner good" role="status"><b>Copy it now.</b> It is shown this once.</p>
        <p>{text}</p>
        {/* A server that was not told its address answers a link without one: it is the one that the page came from. */}
        <CopyField label="Link" text={new URL(link, location.href).href} />
        <p class="soft">It works once, until {dateWords(expiresAt)}.</p>
        <div class="form-buttons end"><button class="primary" onClick={onClose}>Done</button></div>
      </div>
    </Dialog>
  )
}
