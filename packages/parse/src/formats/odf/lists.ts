import type { Story } from '../../office/build/story.ts';
import { withLead } from '../../office/build/text-builder.ts';
import type { BuiltText } from '../../office/build/text-builder.ts';
import type { XmlAttributes } from '../../office/xml/xml-element.ts';
import { ListCounter } from './styles.ts';
import type { ListLevel, OdfStyles } from './styles.ts';

interface OpenList {
  style: string | undefined;
}

/**
 * Tracks the open lists around a paragraph. Their nesting is its level; the first paragraph of an item has the label.
 */
export class OdfLists {
  readonly #styles: OdfStyles;
  readonly #open: OpenList[] = [];
  /** Counters by list style, for lists that continue an earlier one. */
  readonly #counters = new Map<string, ListCounter>();
  #counter = new ListCounter();
  /**
   * State of the open item: `new` until its first paragraph, then `continued`; `header` for a list header, which has no
   * label.
   */
  #itemState: 'new' | 'continued' | 'header' = 'header';
  #startValue: number | undefined;

  constructor(styles: OdfStyles) {
    this.#styles = styles;
  }

  openList(attributes: XmlAttributes): void {
    const style = attributes['text:style-name'] ?? this.#open.at(-1)?.style;
    if (this.#open.length === 0) {
      const continues =
        attributes['text:continue-numbering'] === 'true' || attributes['text:continue-list'] !== undefined;
      const known = continues ? this.#counters.get(style ?? '') : undefined;
      this.#counter = known ?? new ListCounter();
      this.#counters.set(style ?? '', this.#counter);
    }
    this.#open.push({ style });
  }

  closeList(): void {
    this.#open.pop();
    // Content after an inner list of the same item has no label.
    this.#itemState = 'continued';
  }

  openItem(name: string, attributes: XmlAttributes): void {
    this.#itemState = name === 'text:list-item' ? 'new' : 'header';
    const start = Number(attributes['text:start-value']);
    this.#startValue = Number.isInteger(start) ? start : undefined;
  }

  /** Adds the paragraph as a list entry. Returns false if no list is open. */
  write(story: Story, content: BuiltText): boolean {
    const level = this.#open.length;
    if (level === 0 || this.#itemState === 'header') return false;
    if (this.#itemState === 'continued') {
      story.continueListEntry(content);
      return true;
    }
    this.#itemState = 'continued';
    const style = this.#open.at(-1)?.style;
    const levelAt = (each: number): ListLevel | undefined => this.#styles.listLevel(style, each);
    const own = levelAt(level);
    const number = this.#advance(level, own?.start ?? 1);
    if (!own || own.bullet || own.format === '') {
      story.addListEntry({ level, ordered: false, content });
    } else if (own.format === '1' && own.displayLevels <= 1 && /^[.)]?$/.test(own.prefix + own.suffix)) {
      story.addListEntry({ level, ordered: true, number, content });
    } else {
      const label = `${this.#counter.label(level, levelAt)} `;
      story.addListEntry({ level, ordered: false, content: withLead(label, content) });
    }
    return true;
  }

  /** Returns the label of a heading inside a list, where it replaces an entry; empty if no list is open. */
  headingLabel(): string {
    const level = this.#open.length;
    if (level === 0 || this.#itemState !== 'new') return '';
    const style = this.#open.at(-1)?.style;
    const levelAt = (each: number): ListLevel | undefined => this.#styles.listLevel(style, each);
    const own = levelAt(level);
    if (!own || own.bullet || own.format === '') return '';
    this.#itemState = 'continued';
    this.#advance(level, own.start);
    return this.#counter.label(level, levelAt);
  }

  #advance(level: number, start: number): number {
    if (this.#startValue !== undefined) this.#counter.restart(level, this.#startValue);
    this.#startValue = undefined;
    return this.#counter.advance(level, start);
  }
}
