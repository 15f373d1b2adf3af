/** Maps the control word that opens a group to the destination of its text, and control words to characters. */
export type Destination =
  | 'body'
  | 'skip'
  | 'fonts'
  | 'styles'
  | 'info'
  | 'title'
  | 'instruction'
  | 'label'
  | 'note'
  | 'comment'
  | 'box'
  | 'furniture'
  | 'object'
  | 'result';

export const DESTINATIONS: Readonly<Record<string, Destination>> = {
  fonttbl: 'fonts',
  stylesheet: 'styles',
  info: 'info',
  fldinst: 'instruction',
  listtext: 'label',
  pntext: 'label',
  footnote: 'note',
  annotation: 'comment',
  shptxt: 'box',
  dptxbxtext: 'box',
  // The fallback of shapes for old programs repeats their text.
  shprslt: 'skip',
  fldrslt: 'result',
  colortbl: 'skip',
  pict: 'skip',
  objdata: 'object',
  header: 'furniture',
  headerl: 'furniture',
  headerr: 'furniture',
  headerf: 'furniture',
  footer: 'furniture',
  footerl: 'furniture',
  footerr: 'furniture',
  footerf: 'furniture',
  nonshppict: 'skip',
  private: 'skip',
  xe: 'skip',
  tc: 'skip',
  rxe: 'skip',
  atnid: 'skip',
  atnauthor: 'skip',
  sp: 'skip',
  pnseclvl: 'skip',
  pn: 'skip',
  filetbl: 'skip',
  revtbl: 'skip',
  ftnsep: 'skip',
  ftnsepc: 'skip',
  ftncn: 'skip',
  aftnsep: 'skip',
  aftnsepc: 'skip',
  aftncn: 'skip',
};
/** Starred destinations that nevertheless contain text. */
export const STARRED_TEXT = new Set([
  'fldinst',
  'shpinst',
  'shptxt',
  'do',
  'objdata',
  'annotation',
  'nesttableprops',
  'pn',
  'footnote',
]);
export const CHARACTERS: Readonly<Record<string, string>> = {
  line: '\n',
  tab: '\t',
  emdash: '—',
  endash: '–',
  bullet: '•',
  lquote: '‘',
  rquote: '’',
  ldblquote: '“',
  rdblquote: '”',
  emspace: ' ',
  enspace: ' ',
  qmspace: ' ',
  page: '\n',
  column: '\n',
  softline: '\n',
};
export const SYMBOLS: Readonly<Record<string, string>> = { '~': '\u00a0', _: '-', '\\': '\\', '{': '{', '}': '}' };
