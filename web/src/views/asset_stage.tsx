import { useSignal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { useEffect } from 'preact/hooks'
import type { Image, Waveform } from '../api/types'
import { formatOf, hasPicture, isPlayable, nounOf, opensInBrowser, pagesToTurn, playbackOf, typeOf, type Asset } from '../state/assets'
import type { Player } from '../state/player'
import { useGallery } from './context'
import { Icon } from './icons'
import { NoPlayer, PlayerView, type Captions } from './player_view'
import { ViewerPicture } from './viewer_frame'
import { byteWords, countWords, fileIcon } from './words'

/** What is said in a video or a sound, once there is a transcript of it in that language. */
export function useCaptions(image: Image, language: string | undefined): Captions | undefined {
  const { library } = useGallery()
  const captions = useSignal<Captions | undefined>(undefined)
  useEffect(() => {
    if (language === undefined || !isPlayable(image)) return
    let current = true
    let url = ''
    library.captions(image.id).then((text) => {
      if (!current) return
      // Asked for here, and not by the player, so that a session that has ended is renewed for it.
      url = URL.createObjectURL(new Blob([text], { type: 'text/vtt' }))
      captions.value = { url, language }
    }, () => undefined) // It plays without them.
    return () => {
      current = false
      captions.value = undefined
      if (url !== '') URL.revokeObjectURL(url)
    }
  }, [image.id, language])
  return captions.value
}

/** How loud a sound is over its time, as soon as that is known. */
export function useWaveform(image: Image): Waveform | undefined {
  const { library } = useGallery()
  const waveform = useSignal<Waveform | undefined>(undefined)
  const wanted = typeOf(image) === 'AUDIO' && image.processingStatus === 'completed'
  useEffect(() => {
    if (!wanted) return
    let current = true
    // A sound plays without it.
    library.waveform(image.id).then((answer) => current && (waveform.value = answer), () => undefined)
    return () => {
      current = false
      waveform.value = undefined
    }
  }, [image.id, wanted])
  return waveform.value
}

interface StageProps {
  /** Developed. */
  asset: Asset
  /** What it is called. */
  name: string
  /** What it shows, for those who cannot see it. */
  alt: string
  player: Player
  bytes?: number
  captions?: Captions | undefined
  waveform?: Waveform | undefined
  /** Where pictures of a document's pages are, for those who may turn them. */
  pageUrl?: (page: number) => string
  onBroken: () => void
  /** What lies over a photo. */
  children?: ComponentChildren
}

/** An asset as large as there is room for it: to look at, to play, or to fetch. */
export function AssetStage({ asset, name, alt, player, bytes, captions, waveform, pageUrl, onBroken, children }: StageProps) {
  const playback = playbackOf(asset)
  const original = asset.sizes?.ORIGINAL
  if (playback === 'ready') {
    return (
      <PlayerView asset={asset} name={name} label={alt} player={player} captions={captions} waveform={waveform} onBroken={onBroken} />
    )
  }
  if (playback === 'preparing') return <NoPlayer asset={asset}>Being made ready for playing…</NoPlayer>
  if (!hasPicture(asset)) return <FileCard asset={asset} name={name} bytes={bytes} original={original} />
  if (playback === 'never') {
    return <NoPlayer asset={asset}>{original === undefined ? 'This cannot be played.' : 'This cannot be played. The original can be downloaded.'}</NoPlayer>
  }
  if (typeOf(asset) !== 'DOCUMENT') return <ViewerPicture image={asset} alt={alt} onError={onBroken}>{children}</ViewerPicture>
  return <DocumentStage asset={asset} alt={alt} original={original} pageUrl={pageUrl} onBroken={onBroken} />
}

interface DocumentProps {
  asset: Asset
  alt: string
  original: string | undefined
  pageUrl: ((page: number) => string) | undefined
  onBroken: () => void
}

/** A document, whose pages can be turned as far as there are pictures of them. */
function DocumentStage({ asset, alt, original, pageUrl, onBroken }: DocumentProps) {
  const page = useSignal(1)
  const last = pageUrl === undefined ? 1 : pagesToTurn(asset.pages)
  const turn = (by: number) => (page.value = Math.min(last, Math.max(1, page.value + by)))
  return (
    <div class="document-stage">
      {page.value === 1 || pageUrl === undefined
        ? <ViewerPicture image={asset} alt={last > 1 ? `${alt}, page 1` : alt} onError={onBroken} />
        : <div class="picture"><img key={page.value} src={pageUrl(page.value)} alt={`${alt}, page ${page.value}`} /></div>}
      <div class="stage-actions">
        {last > 1 && (
          <span class="page-turner" role="group" aria-label="Pages">
            <button type="button" class="button" disabled={page.value === 1} aria-label="Page before" onClick={() => turn(-1)}><Icon name="left" /></button>
            <span class="pages" role="status">Page {page.value} of {asset.pages}</span>
            <button type="button" class="button" disabled={page.value === last} aria-label="Next page" onClick={() => turn(1)}><Icon name="right" /></button>
          </span>
        )}
        {last === 1 && asset.pages !== undefined && <span class="pages">{countWords(asset.pages, 'page', 'pages')}</span>}
        {page.value === last && asset.pages !== undefined && last < asset.pages && <span class="pages">Open it to see the rest.</span>}
        {original !== undefined && opensInBrowser(asset) && (
          <a class="button" href={original} target="_blank" rel="noopener"><Icon name="open" /> Open</a>
        )}
        {original !== undefined && <DownloadLink original={original} filename={asset.originalFilename} />}
      </div>
    </div>
  )
}

function DownloadLink({ original, filename }: { original: string; filename: string | undefined }) {
  // Asked for as a download: the attribute alone does nothing where links lead to a storage elsewhere.
  return <a class="button" href={`${original}&download=1`} download={filename ?? ''}><Icon name="download" /> Download</a>
}

interface FileCardProps {
  asset: Asset
  name: string
  bytes: number | undefined
  original: string | undefined
}

/** A file that nothing can be shown of. */
function FileCard({ asset, name, bytes, original }: FileCardProps) {
  return (
    <div class="file-card">
      <Icon name={fileIcon(asset)} />
      <h2>{name}</h2>
      <p class="soft">{[formatOf(asset), bytes === undefined ? '' : byteWords(bytes)].filter((words) => words !== '').join(' · ')}</p>
      <p>{asset.processingWarning?.message ?? `There is no preview of this ${nounOf(asset)}.`}</p>
      {original !== undefined && <DownloadLink original={original} filename={asset.originalFilename} />}
    </div>
  )
}
