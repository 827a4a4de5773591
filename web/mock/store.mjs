// What the mock remembers: accounts, sessions, photos and jobs, all in memory.
import { createHash, randomBytes } from 'node:crypto'
import { measure } from './pictures.mjs'

/** An answer that is an error, in problem details. */
export class Refusal extends Error {
  constructor(status, code, detail) {
    super(detail)
    Object.assign(this, { status, code, detail })
  }
}

const token = () => randomBytes(12).toString('hex')
const DEVELOPED = ['ORIGINAL', 'LARGE', 'MEDIUM', 'SMALL', 'THUMB']

export class Store {
  users = new Map()
  sessions = new Map()
  images = new Map()
  jobs = new Map()
  uploads = new Map()
  setupToken = 'open-sesame'
  count = 0
  canceled = 0

  constructor(settings) {
    this.settings = settings
  }

  // Ids sort by the order in which they were made, as ULIDs do.
  newId(prefix = '01MOCK') {
    return `${prefix}${String(++this.count).padStart(20, '0')}`
  }

  addUser({ email, username, password, setupToken }) {
    if (this.users.size === 0 && setupToken !== this.setupToken) {
      throw new Refusal(403, 'InvalidSetupToken', 'The setup token is wrong')
    }
    for (const user of this.users.values()) {
      if (user.email === email) throw new Refusal(409, 'EmailTaken', 'The email is taken')
      if (user.username === username) throw new Refusal(409, 'UsernameTaken', 'The username is taken')
    }
    const user = { userId: this.newId(), email, username, password, limit: this.settings.limit }
    this.users.set(user.userId, user)
    return user
  }

  login({ email, password }) {
    const user = [...this.users.values()].find((other) => other.email === email && other.password === password)
    if (!user) throw new Refusal(401, 'InvalidCredentials', 'Email or password is wrong')
    return user
  }

  openSession(user) {
    const session = { user, access: token(), refresh: token(), csrfToken: token() }
    this.sessions.set(session.access, session)
    return session
  }

  /** Ends the access tokens; with `refreshToo`, everything, so that a log-in is needed. */
  expire({ refreshToo = false } = {}) {
    for (const session of this.sessions.values()) {
      session.expired = true
      if (refreshToo) session.refresh = undefined
    }
  }

  /** Begins an upload in parts; answers its id. */
  addUpload(user, { length, filename }) {
    if (user.limit <= 0) throw new Refusal(403, 'UploadLimitReached', 'The upload limit is used up')
    const id = this.newId()
    this.uploads.set(id, { id, user, length, filename, bytes: Buffer.alloc(0) })
    return id
  }

  uploadOf(user, id) {
    const upload = this.uploads.get(id)
    if (upload?.user !== user) throw new Refusal(404, 'NotFound', 'No such upload')
    return upload
  }

  /** Makes a photo of an upload whose parts are all there; one that cannot be is given up. */
  completeUpload(user, upload) {
    if (upload.bytes.length < upload.length) return
    try {
      Object.assign(upload, this.addImage(user, upload.bytes, { filename: upload.filename }))
    } catch (error) {
      this.uploads.delete(upload.id)
      throw error
    }
  }

  /** Takes a photo; answers it, and whether it was there before. */
  addImage(user, bytes, { filename, visibility = 'private', uploadedAt = new Date().toISOString() }) {
    const measured = measure(bytes)
    if (!measured) throw new Refusal(415, 'UnsupportedMediaType', 'The bytes are not of an image type that is known')
    const checksum = createHash('sha256').update(bytes).digest('hex')
    for (const image of this.images.values()) {
      if (image.userId !== user.userId || image.checksum !== checksum) continue
      image.trashed = false
      return { image, duplicate: true }
    }
    if (user.limit <= 0) throw new Refusal(403, 'UploadLimitReached', 'The upload limit is used up')
    user.limit -= 1
    const image = {
      id: this.newId(), userId: user.userId, originalFilename: filename, mimeType: measured.mimeType,
      fileSize: bytes.length, createdAt: uploadedAt, updatedAt: uploadedAt, uploadedAt, version: 1, visibility,
      processingStatus: 'pending', revision: 0, bytes, checksum, measured, trashed: false,
    }
    this.images.set(image.id, image)
    setTimeout(() => this.develop(image), this.settings.developMilliseconds).unref()
    return { image, duplicate: false }
  }

  develop(image) {
    if (this.settings.developError) {
      Object.assign(image, { processingStatus: 'failed', processingError: this.settings.developError })
    } else {
      Object.assign(image, { processingStatus: 'completed', width: image.measured.width, height: image.measured.height })
    }
  }

  /** A photo of this person that is not in the trash. */
  imageOf(user, id, { trashed = false } = {}) {
    const image = this.images.get(id)
    if (!image || image.userId !== user.userId || (image.trashed && !trashed)) {
      throw new Refusal(404, 'NotFound', 'No such image')
    }
    return image
  }

  changeImage(image, change) {
    for (const [name, value] of Object.entries(change)) {
      if (value === null) delete image[name]
      else image[name] = value
    }
    image.version += 1
    image.updatedAt = new Date().toISOString()
  }

  addJob(user, { imageId, provider, operations }) {
    const image = this.imageOf(user, imageId)
    const job = { jobId: this.newId('01JOB'), userId: user.userId, imageId, provider, operations, status: 'QUEUED' }
    this.jobs.set(job.jobId, job)
    const step = (status, after) =>
      setTimeout(() => {
        job.status = status
        if (status === 'COMPLETED') this.finishEdit(image, operations)
      }, after).unref()
    const { jobMilliseconds: time, jobError } = this.settings
    step('EDITING', time / 2)
    step(jobError ? 'FAILED' : 'COMPLETED', time)
    if (jobError) job.error = { code: 'EDIT_FAILED', message: jobError }
    return job
  }

  // The mock keeps the bytes as they are; sizes and revision change as they would.
  finishEdit(image, operations) {
    for (const { op, degrees, width, height } of operations) {
      if (op === 'rotate' && degrees !== 180) [image.width, image.height] = [image.height, image.width]
      if (op === 'crop') Object.assign(image, { width, height })
    }
    image.revision += 1
    image.version += 1
  }

  /** A photo as the API answers it. */
  shown(image, base) {
    const { bytes, checksum, measured, trashed, revision, ...rest } = image
    const url = (size) => `${base}/media/images/${image.id}/${size}?revision=${revision}&expires=9999999999&signature=mock`
    const names = image.processingStatus === 'completed' ? DEVELOPED : ['ORIGINAL']
    return { ...rest, imageUrl: url('LARGE'), thumbnailUrl: url('THUMB'), sizes: Object.fromEntries(names.map((name) => [name, url(name)])) }
  }

  shownInFeed(image, base) {
    const { email, username } = this.users.get(image.userId)
    const { id, title, description, altText, tags = [], width, height, uploadedAt, sizes } = this.shown(image, base)
    return {
      imageId: id, uploadedBy: email, username, uploaded_datetime: uploadedAt, s3Key: `originals/${id}.jpg`,
      images: { large: `processed/${id}_large.webp`, medium: `processed/${id}_medium.webp` }, persons: [], tags,
      sizes, title, description, altText, width, height,
    }
  }
}
