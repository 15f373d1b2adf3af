/**
 * Fonts whose characters are known to be right, because plausible text of other pages is set in them. Lists of symbols
 * and names read like garbled text, but a font that is right on one page is right on all. Invisible text is excluded:
 * the text layer of a scan has one font on all pages.
 */
import type { FontStyle } from '../../../layout/page/page-content.ts';
import type { PageReading } from '../page/read-page.ts';
import { isUnusable } from './text-quality.ts';

/** Minimum number of usable characters in a font on a plausible page. */
const MIN_CHARACTERS = 200;
/** Minimum share of a page's characters in trusted fonts. */
const TRUSTED_SHARE = 0.9;

/** The fonts of a page. */
export interface FontUse {
  /** Number of the page's characters other than spaces. */
  characters: number;
  /** Number of visible characters with a usable code by font. */
  usable: ReadonlyMap<FontStyle, number>;
}

export function fontUse({ glyphs: { codes, count, runOf, runs } }: Pick<PageReading, 'glyphs'>): FontUse {
  const usable = new Map<FontStyle, number>();
  let characters = 0;
  for (let i = 0; i < count; i++) {
    const [run, code] = [runs[runOf[i] ?? 0], codes[i] ?? 0];
    if (run === undefined || code === 32 || code === 10 || code === 13) continue;
    characters++;
    if (!run.hidden && !isUnusable(code)) usable.set(run.style, (usable.get(run.style) ?? 0) + 1);
  }
  return { characters, usable };
}

export class TrustedFonts {
  private readonly styles = new Set<FontStyle>();

  /** Adds the fonts of a page whose text is plausible. */
  add({ usable }: FontUse): void {
    for (const [style, count] of usable) if (count >= MIN_CHARACTERS) this.styles.add(style);
  }

  /** Checks whether nearly all characters of a page are visible, usable and in trusted fonts. */
  covers({ characters, usable }: FontUse): boolean {
    let trusted = 0;
    for (const [style, count] of usable) if (this.styles.has(style)) trusted += count;
    return trusted > 0 && trusted >= TRUSTED_SHARE * characters;
  }
}
