/** The registered languages of extraction. For equal month and country names the first language wins. */
import type { ExtractionLanguage } from './language.ts';
import { chinese } from './languages/chinese.ts';
import { czech } from './languages/czech.ts';
import { danish } from './languages/danish.ts';
import { dutch } from './languages/dutch.ts';
import { english } from './languages/english.ts';
import { finnish } from './languages/finnish.ts';
import { french } from './languages/french.ts';
import { german } from './languages/german.ts';
import { hungarian } from './languages/hungarian.ts';
import { italian } from './languages/italian.ts';
import { japanese } from './languages/japanese.ts';
import { korean } from './languages/korean.ts';
import { malay } from './languages/malay.ts';
import { norwegian } from './languages/norwegian.ts';
import { polish } from './languages/polish.ts';
import { portuguese } from './languages/portuguese.ts';
import { romanian } from './languages/romanian.ts';
import { spanish } from './languages/spanish.ts';
import { swedish } from './languages/swedish.ts';
import { turkish } from './languages/turkish.ts';

export const LANGUAGES: readonly ExtractionLanguage[] = [
  english,
  german,
  french,
  spanish,
  italian,
  dutch,
  portuguese,
  swedish,
  danish,
  norwegian,
  finnish,
  polish,
  czech,
  romanian,
  hungarian,
  turkish,
  malay,
  japanese,
  chinese,
  korean,
];
