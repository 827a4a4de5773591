// Line icons of 24 units, drawn for this page. They repeat what a label says, so readers skip them.

const PATHS = {
  close: 'M6 6l12 12M18 6L6 18',
  left: 'M15 5l-7 7 7 7',
  right: 'M9 5l7 7-7 7',
  upload: 'M12 16V5M7 9.5L12 4.5l5 5M5 15v4h14v-4',
  download: 'M12 4v11M7 10.5l5 5 5-5M5 16v4h14v-4',
  share: 'M15 8.5a3.5 3.5 0 1 0-7 0 3.5 3.5 0 0 0 7 0zM5 20c.6-4 3-6 6.5-6s5.9 2 6.5 6M16.5 5.6a3 3 0 0 1 0 5.8M18.5 14.5c1.5.9 2.3 2.4 2.6 4.5',
  trash: 'M5 7h14M10 7V4.5h4V7M7 7l1 13h8l1-13M10.5 11v5.5M13.5 11v5.5',
  edit: 'M5 19l1-4L16 5l3 3L9 18zM14 7l3 3',
  turnLeft: 'M5 4v5h5M5.5 9a8 8 0 1 1-1 6',
  turnRight: 'M19 4v5h-5M18.5 9a8 8 0 1 0 1 6',
  crop: 'M7 3v14h14M3 7h14v14',
  levels: 'M4 19h16M7 19V9M12 19V5M17 19v-7',
  contrast: 'M12 4a8 8 0 1 0 0 16 8 8 0 0 0 0-16zM12 4v16M12 8h6.5M12 12h7.5M12 16h6.5',
  undo: 'M5 4v5h5M5.5 9a8 8 0 1 1-1 6',
  retry: 'M19 4v5h-5M18.5 9a8 8 0 1 0 1 6',
  restore: 'M4 5v5h5M4.5 10a8 8 0 1 1-.4 4M12 8v4.5l3 2',
  check: 'M5 12.5l4.5 4.5L19 7',
  calendar: 'M8 3v4M16 3v4M4 10h16M4 5.5h16v15H4z',
  pin: 'M12 21.5s-7-6.2-7-11.5a7 7 0 0 1 14 0c0 5.3-7 11.5-7 11.5zM14.5 10a2.5 2.5 0 1 0-5 0 2.5 2.5 0 0 0 5 0z',
  camera: 'M3.5 8h4l1.5-3h6l1.5 3h4v11.5h-17zM15.3 13.3a3.3 3.3 0 1 0-6.6 0 3.3 3.3 0 0 0 6.6 0z',
  photo: 'M4 4.5h16v15H4zM4 17l5-5 4 4 3-3 4 4M15.2 8.8v.1',
  warning: 'M12 4L2.8 20h18.4zM12 10v4.5M12 17.2v.1',
  info: 'M12 11v6M12 7.5v.1M12 3.5a8.5 8.5 0 1 0 0 17 8.5 8.5 0 0 0 0-17z',
}

export type IconName = keyof typeof PATHS

export function Icon({ name }: { name: IconName }) {
  return (
    <svg class={`icon icon-${name}`} viewBox="0 0 24 24" aria-hidden="true" focusable="false">
      <path d={PATHS[name]} />
    </svg>
  )
}
