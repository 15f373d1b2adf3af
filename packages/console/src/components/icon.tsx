/** Icons of the console, drawn on a grid of 16 units with strokes of 1.4. */
const PATHS = {
  start: 'M3 13V3l10 5-10 5Z',
  collections: 'M2.5 4.5h4l1.5 2h5.5v6.5h-11zM2.5 4.5V3h4',
  documents: 'M4 2h5l3 3v9H4zM9 2v3h3',
  search: 'M7 11.5a4.5 4.5 0 1 0 0-9 4.5 4.5 0 0 0 0 9ZM10.3 10.3 14 14',
  chat: 'M2.5 3h11v8H7l-3 2.5V11H2.5zM5 6h6M5 8.3h4',
  evaluation: 'M2.5 13.5h11M4 11V8M8 11V3M12 11V6',
  runs: 'M8 2v3M8 11v3M2 8h3M11 8h3M8 10.5a2.5 2.5 0 1 0 0-5 2.5 2.5 0 0 0 0 5Z',
  configurations:
    'M2 5h7M12 5h2M2 11h2M7 11h7M10.5 6.5a1.5 1.5 0 1 0 0-3 1.5 1.5 0 0 0 0 3ZM5.5 12.5a1.5 1.5 0 1 0 0-3 1.5 1.5 0 0 0 0 3Z',
  connectors: 'M6 10 10 6M7 4.5l1.5-1.5a3 3 0 0 1 4.5 4.2L11.5 9M9 11.5 7.5 13A3 3 0 0 1 3 8.800L4.500 7',
  webhooks: 'M8 2v6l4 4M4 13a2 2 0 1 0 0-4 2 2 0 0 0 0 4ZM13 14a1.500 1.500 0 1 0 0-3 1.500 1.500 0 0 0 0 3Z',
  keys: 'M5 13a3 3 0 1 0 0-6 3 3 0 0 0 0 6ZM7.200 7.800 13 2M11 4l2 2M9.200 5.800l1.500 1.500',
  audit: 'M3 2.500h10v11H3zM5.500 5.500h5M5.500 8h5M5.500 10.500h3',
  system: 'M2 8h3l1.500-4 3 8L11 8h3',
  plus: 'M8 3v10M3 8h10',
  close: 'm4 4 8 8M12 4l-8 8',
  check: 'm3 8.500 3.500 3.500L13 4.500',
  copy: 'M5.500 5.500h8v8h-8zM3 10.500H2.500v-8h8V3',
  upload: 'M8 11V3M4.500 6 8 2.500 11.500 6M2.500 13.500h11',
  download: 'M8 3v8M4.500 8 8 11.500 11.500 8M2.500 13.500h11',
  retry: 'M13 8a5 5 0 1 1-1.500-3.600M13 2v3h-3',
  trash: 'M2.500 4.500h11M6 4.500V2.500h4v2M4 4.500l.7 9h6.600l.7-9',
  more: 'M3.500 8h.01M8 8h.01M12.500 8h.01',
  up: 'm4 10 4-4 4 4',
  down: 'm4 6 4 4 4-4',
  left: 'm10 4-4 4 4 4',
  right: 'm6 4 4 4-4 4',
  menu: 'M2.500 4h11M2.500 8h11M2.500 12h11',
  sun: 'M8 11a3 3 0 1 0 0-6 3 3 0 0 0 0 6ZM8 1v1.500M8 13.500V15M1 8h1.500M13.500 8H15M3 3l1 1M12 12l1 1M13 3l-1 1M4 12l-1 1',
  moon: 'M13 9.500A5.500 5.500 0 1 1 6.500 3 4.500 4.500 0 0 0 13 9.500Z',
  auto: 'M8 13.500a5.500 5.500 0 1 0 0-11 5.500 5.500 0 0 0 0 11ZM8 2.500v11',
  warning: 'M8 2 1.800 13.500h12.400zM8 6.500v3.500M8 11.800h.01',
  info: 'M8 14A6 6 0 1 0 8 2a6 6 0 0 0 0 12ZM8 7.500V11M8 5h.01',
  link: 'M6.500 3.500H3v9.500h9.500V9.500M9 2.500h4.500V7M13 3 7.500 8.500',
  stop: 'M4 4h8v8H4z',
  send: 'M2 8 14 2.500 10.500 14 8 9z',
  star: 'm8 2 1.800 3.900 4.200.5-3.100 2.900.8 4.200L8 11.400 4.300 13.500l.8-4.200L2 6.400l4.200-.5z',
  swap: 'M3 5.500h9M9.500 3 12 5.500 9.500 8M13 10.500H4M6.500 8 4 10.500 6.500 13',
  blocks: 'M2.5 2.5h11v3h-11zM2.5 8h5v5.500h-5zM10 8h3.500v5.500H10z',
  code: 'M5.5 4.5 2 8l3.5 3.5M10.5 4.5 14 8l-3.500 3.500M9 3.500 7 12.500',
  exit: 'M6.500 2.500h-4v11h4M6 8h8M11 5l3 3-3 3',
} as const;

export type IconName = keyof typeof PATHS;

/** An icon beside a text; it is hidden from assistive technology. */
export const Icon = ({ name, className = '' }: { name: IconName; className?: string }): React.ReactElement => (
  <svg
    viewBox="0 0 16 16"
    aria-hidden="true"
    className={`inline-block size-4 shrink-0 ${className}`}
    fill="none"
    stroke="currentColor"
    strokeWidth={name === 'more' ? 2.2 : 1.4}
    strokeLinecap="round"
    strokeLinejoin="round"
  >
    <path d={PATHS[name]} />
  </svg>
);
