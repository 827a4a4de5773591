import { useEffect } from 'preact/hooks'
import { useGallery } from '../context'
import { PageHead } from '../page_head'
import { ApiKeysCard } from './api_keys_card'
import { DeletionCard } from './deletion_card'
import { IdentitiesCard } from './identities_card'
import { PasswordCard } from './password_card'
import { ProfileCard } from './profile_card'
import { SessionsCard } from './sessions_card'
import { StorageCard } from './storage_card'

/** What one can set about one's own account. */
export default function SettingsView() {
  const gallery = useGallery()
  const { settings } = gallery
  useEffect(() => void settings.readMe().catch(() => undefined), [settings]) // The server tells as well, once something is sent.
  useEffect(() => void gallery.readLimit(), [gallery])
  return (
    <div class="panels">
      <PageHead title="Settings" />
      <div class="duo">
        <div class="column">
          <ProfileCard />
          <StorageCard />
          <PasswordCard />
        </div>
        <div class="column">
          <SessionsCard />
          <IdentitiesCard />
          <ApiKeysCard />
          <DeletionCard />
        </div>
      </div>
    </div>
  )
}
