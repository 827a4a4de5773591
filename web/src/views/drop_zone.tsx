import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { isMeant } from '../state/uploads'
import { Icon } from './icons'

/** Every file in what was dropped, folders opened. */
async function filesOf(transfer: DataTransfer): Promise<File[]> {
  // Entries must all be taken before the first await: the browser empties the transfer after the event.
  const entries = [...transfer.items].map((item) => item.webkitGetAsEntry()).filter((entry) => entry !== null)
  const loose = [...transfer.files]
  if (!entries.some((entry) => entry.isDirectory)) return loose
  return (await Promise.all(entries.map(filesBelow))).flat()
}

async function filesBelow(entry: FileSystemEntry): Promise<File[]> {
  if (!isMeant(entry.name)) return []
  if (entry.isFile) return [await new Promise<File>((resolve, reject) => (entry as FileSystemFileEntry).file(resolve, reject))]
  const reader = (entry as FileSystemDirectoryEntry).createReader()
  const files: File[] = []
  for (;;) {
    const entries = await new Promise<FileSystemEntry[]>((resolve, reject) => reader.readEntries(resolve, reject))
    if (entries.length === 0) return files
    files.push(...(await Promise.all(entries.map(filesBelow))).flat())
  }
}

/** Takes files that are dropped anywhere on the page. */
export function DropZone({ onFiles }: { onFiles: (files: File[]) => void }) {
  const over = useSignal(false)
  useEffect(() => {
    // Elements below the pointer enter and leave in turn; only the outermost pair matters.
    let depth = 0
    const hasFiles = (event: DragEvent) => event.dataTransfer?.types.includes('Files') ?? false
    const enter = (event: DragEvent) => {
      if (!hasFiles(event)) return
      event.preventDefault()
      over.value = ++depth > 0
    }
    const leave = (event: DragEvent) => {
      if (hasFiles(event)) over.value = --depth > 0
    }
    const allow = (event: DragEvent) => {
      if (hasFiles(event)) event.preventDefault()
    }
    const drop = (event: DragEvent) => {
      if (!event.dataTransfer || !hasFiles(event)) return
      event.preventDefault()
      depth = 0
      over.value = false
      void filesOf(event.dataTransfer).then(onFiles)
    }
    addEventListener('dragenter', enter)
    addEventListener('dragleave', leave)
    addEventListener('dragover', allow)
    addEventListener('drop', drop)
    return () => {
      removeEventListener('dragenter', enter)
      removeEventListener('dragleave', leave)
      removeEventListener('dragover', allow)
      removeEventListener('drop', drop)
    }
  }, [onFiles])
  if (!over.value) return null
  return (
    <div class="drop-zone" aria-hidden="true">
      <p><Icon name="upload" /> Drop files or whole folders to add them</p>
    </div>
  )
}

/** The way in for those who do not drag. */
export function ChooseFiles({ onFiles }: { onFiles: (files: File[]) => void }) {
  return (
    <label class="choose-files">
      <input type="file" multiple class="visually-hidden"
        onChange={(event) => {
          const input = event.currentTarget
          onFiles([...(input.files ?? [])])
          input.value = '' // So that choosing the same file again is a change again.
        }} />
      <span class="button primary"><Icon name="upload" /> <span>Add files</span></span>
    </label>
  )
}
