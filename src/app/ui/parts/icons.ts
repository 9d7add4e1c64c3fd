/** The icon set: one path each, on a 16-pixel grid. */

export const iconPaths = {
  chevron: 'M6 4l4 4-4 4',
  close: 'M4 4l8 8M12 4l-8 8',
  copy: 'M6 6V3.5A.5.5 0 0 1 6.5 3h6a.5.5 0 0 1 .5.5v6a.5.5 0 0 1-.5.5H10M3.5 6h6a.5.5 0 0 1 .5.5v6a.5.5 0 0 1-.5.5h-6a.5.5 0 0 1-.5-.5v-6a.5.5 0 0 1 .5-.5z',
  done: 'M3 8.5l3.5 3.5L13 5',
  download: 'M8 2.5v7.5M5 7.5L8 10.5l3-3M3 13h10',
  error: 'M8 2a6 6 0 1 1 0 12A6 6 0 0 1 8 2zM8 5v3.5M8 11v.01',
  file: 'M4 2.5h5l3 3v8H4zM9 2.5v3h3',
  folder: 'M2 4.5h4.5L8 6h6v7H2z',
  help: 'M8 2a6 6 0 1 1 0 12A6 6 0 0 1 8 2zM6.2 6.3A1.9 1.9 0 1 1 8.6 8.2C8.2 8.4 8 8.7 8 9.2M8 11.2v.01',
  menu: 'M2.5 4.5h11M2.5 8h11M2.5 11.5h11',
  note: 'M8 2a6 6 0 1 1 0 12A6 6 0 0 1 8 2zM8 7.5V11M8 5v.01',
  pin: 'M6 2.5h4M6.5 2.5v4L4.5 9h7l-2-2.5v-4M8 9v4.5',
  play: 'M5 3.5l7 4.5-7 4.5z',
  refresh: 'M13 8a5 5 0 1 1-1.5-3.5M13 2.5v2.5h-2.5',
  search: 'M7 2.5a4.5 4.5 0 1 1 0 9 4.5 4.5 0 0 1 0-9zM10.5 10.5L14 14',
  settings:
    'M2 4.5h7M12.5 4.5H14M9 4.5a1.75 1.75 0 1 0 3.5 0a1.75 1.75 0 1 0-3.5 0M2 11.5h1.5M7 11.5h7M3.5 11.5a1.75 1.75 0 1 0 3.5 0a1.75 1.75 0 1 0-3.5 0',
  stop: 'M4.5 4.5h7v7h-7z',
  upload: 'M8 10.5V3M5 5.5L8 2.5l3 3M3 13h10',
  warning: 'M8 2.5l6 11H2zM8 6.5v3M8 11.5v.01',
} as const;

export type IconName = keyof typeof iconPaths;
