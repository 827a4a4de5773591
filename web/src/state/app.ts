import { effect, signal, untracked } from '@preact/signals'
import { Api } from '../api/client'
import { explain } from '../api/problem'
import type { Limit, OutsideRedirect, OutsideReturn, User } from '../api/types'
import { Administration } from './administration'
import type { Draft } from './details'
import { Feed } from './feed'
import { Jobs } from './jobs'
import { Library } from './library'
import { Previews } from './previews'
import { Router } from './router'
import { Session } from './session'
import { Settings } from './settings'
import { Toasts } from './toasts'
import { Trash } from './trash'
import { Uploads } from './uploads'

const LIMIT_WAITS_MILLISECONDS = [500, 2_000, 8_000]

/** Everything that belongs to one signed-in person; another person gets another one. */
export class Gallery {
  readonly previews = new Previews()
  readonly library: Library
  readonly feed: Feed
  readonly trash: Trash
  readonly uploads: Uploads
  readonly jobs: Jobs
  readonly settings: Settings
  readonly administration: Administration
  /** What was typed into details forms and not saved yet, by image id. */
  readonly drafts = signal<ReadonlyMap<string, Draft>>(new Map())
  /** How much more may be uploaded and stored; undefined until known. */
  readonly limit = signal<Limit | undefined>(undefined)

  constructor(readonly user: User, private readonly api: Api, session: Session) {
    this.settings = new Settings(api, session)
    this.administration = new Administration(api)
    this.library = new Library(api)
    this.feed = new Feed(api)
    this.trash = new Trash(api, this.library)
    this.jobs = new Jobs(api, this.library)
    this.uploads = new Uploads({
      send: (file, options) => api.upload(file, options),
      onUploaded: ({ image, duplicate }, file) => {
        this.library.put(image)
        this.trash.forget(image.id)
        if (!duplicate) void this.previews.make(image.id, file)
        void this.readLimit()
      },
    })
  }

  start(): void {
    void this.library.loadMore()
    void this.readLimit()
  }

  stop(): void {
    this.uploads.stop()
    this.library.stop()
    this.jobs.stop()
  }

  setDraft(id: string, draft: Draft | undefined): void {
    const drafts = new Map(this.drafts.value)
    if (draft) drafts.set(id, draft)
    else drafts.delete(id)
    this.drafts.value = drafts
  }

  /** Deletions give uploads back when the server is through with them, which takes a moment. */
  readonly readLimitSoon = (): void => {
    for (const wait of LIMIT_WAITS_MILLISECONDS) setTimeout(() => void this.readLimit(), wait)
  }

  async readLimit(): Promise<void> {
    try {
      this.limit.value = await this.api.limit()
    } catch {
      this.limit.value = undefined // The header leaves the number out; uploads tell on their own.
    }
  }
}

/** The whole page's state, made once by main.tsx. */
export class App {
  readonly api = new Api()
  readonly session = new Session(this.api)
  readonly router = new Router()
  readonly toasts = new Toasts()
  readonly gallery = signal<Gallery | undefined>(undefined)

  constructor() {
    effect(() => this.matchGallery())
    addEventListener('beforeunload', (event) => {
      if (this.gallery.peek()?.uploads.isBusy()) event.preventDefault()
    })
  }

  /** Begins, with what another service sent the browser back with, if it did. */
  async start(back?: OutsideReturn): Promise<void> {
    // First who is signed in here: an account is linked only for them.
    await this.session.start()
    const linked = back !== undefined && (await this.session.finishOutside(back))
    const signedIn = this.session.state.peek().kind === 'active'
    if (linked) {
      this.router.go({ section: 'settings' }, 'replace')
      this.toasts.show('You can sign in with it from now on')
    } else if (signedIn && this.session.outsideFailure.peek() !== '') {
      this.toasts.showError(this.session.outsideFailure.peek())
      this.session.outsideFailure.value = ''
    }
  }

  /** Leaves for another service; the page begins anew when the browser is back. */
  async leaveFor(redirect: Promise<OutsideRedirect>): Promise<void> {
    this.session.outsideFailure.value = ''
    location.assign((await redirect).url)
  }

  /** Runs what a person asked for and tells of its failure. */
  async attempt(work: () => Promise<void>): Promise<void> {
    try {
      await work()
    } catch (error) {
      this.toasts.showError(explain(error))
    }
  }

  private matchGallery(): void {
    const state = this.session.state.value
    const gallery = this.gallery.peek()
    const user = state.kind === 'active' || state.kind === 'expired' ? state.user : undefined
    if (gallery?.user.userId === user?.userId) return
    // What starting reads is no reason to run this again.
    untracked(() => {
      gallery?.stop()
      const next = user && new Gallery(user, this.api, this.session)
      this.gallery.value = next
      next?.start()
    })
  }
}
