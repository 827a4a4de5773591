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
  alert: 'M12 7.5v5.5M12 16.3v.1M12 3.5a8.5 8.5 0 1 0 0 17 8.5 8.5 0 0 0 0-17z',
  user: 'M16 8a4 4 0 1 1-8 0 4 4 0 0 1 8 0zM4.5 20.5c.8-4 3.6-6 7.5-6s6.7 2 7.5 6',
  userPlus: 'M13 8a4 4 0 1 1-8 0 4 4 0 0 1 8 0zM2 20.5c.7-4 3.2-6 7-6s6.3 2 7 6M19 8v6M16 11h6',
  mail: 'M3.5 6h17v12.5h-17zM3.5 7l8.5 6.5L20.5 7',
  key: 'M20.5 8a4.5 4.5 0 1 1-9 0 4.5 4.5 0 0 1 9 0zM12.8 11.2L4 20M6.5 17.5L9 20M9.5 14.5l2 2',
  link: 'M10 14a4 4 0 0 0 6 .3l3-3a4.2 4.2 0 0 0-6-6l-1.5 1.5M14 10a4 4 0 0 0-6-.3l-3 3a4.2 4.2 0 0 0 6 6l1.5-1.5',
  computer: 'M4.5 5h15v10.5h-15zM2.5 19h19',
  phone: 'M7 3h10v18H7zM11 18h2',
  program: 'M4 5h16v14H4zM7.5 9.5l3 2.5-3 2.5M12.5 15h4',
  copy: 'M9 9h11v11H9zM15 9V4H4v11h5',
  logOut: 'M9 4H5v16h4M15 8l4 4-4 4M19 12H9.5',
  shield: 'M12 3l7.5 2.5V12c0 4.5-3 7.5-7.5 9-4.5-1.5-7.5-4.5-7.5-9V5.5zM9 12l2.2 2.2L15 10',
  settings: 'M4 8h9M17 8h3M13 5.5v5M4 16h3M11 16h9M11 13.5v5',
  plus: 'M12 5v14M5 12h14',
  more: 'M5 12h.01M12 12h.01M19 12h.01',
  eye: 'M2.5 12S6 5.5 12 5.5 21.5 12 21.5 12 18 18.5 12 18.5 2.5 12 2.5 12zM15 12a3 3 0 1 1-6 0 3 3 0 0 1 6 0z',
  eyeClosed: 'M2.5 12S6 5.5 12 5.5 21.5 12 21.5 12 18 18.5 12 18.5 2.5 12 2.5 12zM15 12a3 3 0 1 1-6 0 3 3 0 0 1 6 0zM4 3.5l16 17',
  play: 'M7.5 4.8l11.5 7.2-11.5 7.2z',
  sound: 'M9 18V6l10-2.2V16M9 18a2.7 2.7 0 1 1-5.4 0 2.7 2.7 0 0 1 5.4 0zM19 16a2.7 2.7 0 1 1-5.4 0 2.7 2.7 0 0 1 5.4 0z',
  film: 'M4 4.5h16v15H4zM8 4.5v15M16 4.5v15M4 9.5h4M4 14.5h4M16 9.5h4M16 14.5h4',
  document: 'M6 3h8l5 5v13H6zM14 3v5h5M9.5 13h6M9.5 17h6',
  file: 'M6 3h8l5 5v13H6zM14 3v5h5',
  open: 'M14 4h6v6M20 4l-9 9M18 14v6H4V6h6',
  search: 'M17 11a6 6 0 1 1-12 0 6 6 0 0 1 12 0zM15.5 15.5L20 20',
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
