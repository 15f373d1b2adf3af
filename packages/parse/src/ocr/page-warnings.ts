/** Collects the warnings about pages and pictures that were recognised by OCR. */
import { contentWarning, mergeWarnings, type ContentWarning } from '@quire/blocks/content-warning';

/** How well the text of a page was recognised. */
export interface Recognition {
  /** Mean confidence of all recognised characters, 0..1; null without any. */
  confidence: number | null;
  /** Tesseract's name of the page's script, if no OCR language covers it. */
  foreignScript?: string;
  /** Whether text was left out because it could not be read with any certainty. */
  isUnreadable?: boolean;
}

/** Mean confidence below which the text is likely to contain errors: clean pages have 0.9, poor scans 0.7. */
const LOW_CONFIDENCE = 0.65;

export class PageWarnings {
  readonly #languages: string;
  readonly #warnings: ContentWarning[] = [];
  readonly #unsure = new Map<number, number>();

  constructor(languages: readonly string[]) {
    this.#languages = languages.join(', ');
  }

  add(warning: ContentWarning): void {
    this.#warnings.push(warning);
  }

  /** Adds the faults of a recognised page; `hasText` is whether any of its text was kept. */
  addRecognition({ confidence, foreignScript, isUnreadable }: Recognition, hasText: boolean, pages: number[]): void {
    if (foreignScript !== undefined) {
      const message = `Text in ${foreignScript} script was left out: the OCR languages (${this.#languages}) do not cover it`;
      this.add(contentWarning('ocr_language_missing', message, pages));
    } else if (isUnreadable === true) {
      this.add(contentWarning('low_confidence', 'Text that could not be read with any certainty was left out', pages));
    } else if (hasText && confidence !== null && confidence < LOW_CONFIDENCE) {
      for (const page of pages) this.#unsure.set(page, confidence);
    }
  }

  addWithoutText(page: number): void {
    this.add(contentWarning('pages_without_text', 'No text was read from these pages', [page]));
  }

  /** Returns the warnings, with one for each fault and all pages that it concerns. */
  finish(): ContentWarning[] {
    if (this.#unsure.size === 0) return mergeWarnings(this.#warnings);
    const mean = [...this.#unsure.values()].reduce((sum, each) => sum + each, 0) / this.#unsure.size;
    const message = `Text was recognised with a mean confidence of ${mean.toFixed(2)} and may contain errors`;
    return mergeWarnings([...this.#warnings, contentWarning('low_confidence', message, [...this.#unsure.keys()])]);
  }
}
