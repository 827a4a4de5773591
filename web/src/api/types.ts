// The answers of the REST API that the page reads, written by hand until they come from the OpenAPI document.

export type ProcessingStatus = 'pending' | 'processing' | 'completed' | 'failed'
export type Visibility = 'private' | 'shared'
export type SizeName = 'ORIGINAL' | 'LARGE' | 'MEDIUM' | 'SMALL' | 'THUMB'

/** Signed URLs by size. Before a photo is developed some or all are missing. */
export type Sizes = Partial<Record<SizeName, string>>

export interface User {
  userId: string
  email: string
  username: string
}

/** What login, sign-up and refresh answer when asked for a cookie session. */
export interface SessionAnswer {
  user: User
  csrfToken: string
}

/** GET /me: the account, with the token that unsafe requests carry. */
export interface Me extends User {
  csrfToken: string
}

export interface AuthState {
  /** True until the first account exists; its sign-up needs the setup token. */
  setupRequired: boolean
}

/** One photo of the signed-in person: the catalog's attributes with signed URLs. */
export interface Image {
  id: string
  userId: string
  albumId?: string
  originalFilename: string
  mimeType: string
  fileSize: number
  /** Pixels of the current version; missing or 0 until the photo was developed. */
  width?: number
  height?: number
  /** What to paint until the picture is there; missing for photos from before it was measured. */
  blurhash?: string
  processingStatus: ProcessingStatus
  processingError?: string
  title?: string
  description?: string
  altText?: string
  tags?: string[]
  createdAt: string
  updatedAt: string
  uploadedAt: string
  /** Raised by every change that a person makes; sent back as If-Match. */
  version: number
  imageUrl?: string
  thumbnailUrl?: string
  sizes?: Sizes
  visibility: Visibility
}

export interface ImagePage {
  items: Image[]
  lastEvaluatedKey?: string | null
  hasMore?: boolean
}

/** What a person may change. null takes an attribute away. */
export interface ImageChange {
  title?: string | null
  description?: string | null
  altText?: string | null
  tags?: string[]
}

/** One shared photo in the feed, in the shape of the feed's own document. */
export interface FeedImage {
  imageId: string
  uploadedBy: string
  uploaded_datetime: string
  /** Signed URLs; `images` holds the document's keys, which no browser can open. */
  sizes?: Sizes
  username?: string
  title?: string
  description?: string
  altText?: string
  width?: number
  height?: number
  blurhash?: string
  tags?: string[]
}

export interface FeedPage {
  images: FeedImage[]
  lastEvaluatedKey?: string | null
}

export type Operation =
  | { op: 'rotate'; degrees: 90 | 180 | 270 }
  | { op: 'crop'; left: number; top: number; width: number; height: number }
  | { op: 'auto_levels' }
  | { op: 'black_and_white' }

export type JobStatus = 'QUEUED' | 'PROCESSING' | 'EDITING' | 'COMPLETED' | 'FAILED'

export interface Job {
  jobId: string
  status: JobStatus
  error?: { code: string; message: string }
}

/** RFC 9457 problem details, as every failed call answers. */
export interface Problem {
  type?: string
  title?: string
  status: number
  detail?: string
  code?: string
  requestId?: string
}
