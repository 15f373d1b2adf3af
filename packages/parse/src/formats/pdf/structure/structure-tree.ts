/**
 * Reads the structure tree of a tagged page: which marked content belongs to which heading, and the alternative texts
 * of pictures. Tags are often wrong or missing; `layout/headings/structure-tags.ts` decides whether they are used.
 */
import type { Tag } from '../../../layout/page/page-content.ts';
import type { Pdfium } from '../pdfium.ts';

export interface PageStructure {
  /** Tags by marked content id. */
  tags: ReadonlyMap<number, Tag>;
  /** Alternative texts of pictures, by marked content id. */
  alternatives: ReadonlyMap<number, string>;
}

const MAX_DEPTH = 40;
/** Maximum number of elements read from one page. */
const MAX_ELEMENTS = 5000;

/** Reads the structure of a page; undefined for pages without tags. */
export function readStructure(pdfium: Pdfium, page: number): PageStructure | undefined {
  const { api } = pdfium;
  const tree = api.FPDF_StructTree_GetForPage(page);
  if (tree === 0) return undefined;
  try {
    const reader = new StructureReader(pdfium);
    const count = api.FPDF_StructTree_CountChildren(tree);
    for (let i = 0; i < count; i++) reader.read(api.FPDF_StructTree_GetChildAtIndex(tree, i), { level: 0 }, 0);
    return reader.tags.size === 0 ? undefined : reader;
  } finally {
    api.FPDF_StructTree_Close(tree);
  }
}

class StructureReader implements PageStructure {
  readonly tags = new Map<number, Tag>();
  readonly alternatives = new Map<number, string>();
  private readonly pdfium: Pdfium;
  private elements = 0;

  constructor(pdfium: Pdfium) {
    this.pdfium = pdfium;
  }

  read(element: number, parent: Tag, depth: number): void {
    if (element === 0 || depth > MAX_DEPTH || this.elements >= MAX_ELEMENTS) return;
    this.elements++;
    const { api } = this.pdfium;
    const type = this.pdfium.utf16((pointer, bytes) => api.FPDF_StructElement_GetType(element, pointer, bytes));
    const level = levelOf(type);
    // Descendants of a heading (spans, links) belong to the heading.
    const tag = level > 0 || parent.level === 0 ? { level } : parent;
    const ids = this.contentIds(element);
    for (const id of ids) this.tags.set(id, tag);
    if (type === 'Figure') this.readAlternative(element, ids);
    const count = api.FPDF_StructElement_CountChildren(element);
    for (let i = 0; i < count; i++) this.read(api.FPDF_StructElement_GetChildAtIndex(element, i), tag, depth + 1);
  }

  private contentIds(element: number): number[] {
    const { api } = this.pdfium;
    const count = Math.max(0, api.FPDF_StructElement_GetMarkedContentIdCount(element));
    return Array.from({ length: count }, (_, index) =>
      api.FPDF_StructElement_GetMarkedContentIdAtIndex(element, index),
    ).filter((id) => id >= 0);
  }

  private readAlternative(element: number, ids: readonly number[]): void {
    const { api } = this.pdfium;
    const text = this.pdfium
      .utf16((pointer, bytes) => api.FPDF_StructElement_GetAltText(element, pointer, bytes))
      .trim();
    if (text !== '') for (const id of ids) this.alternatives.set(id, text);
  }
}

/** Returns the heading level 1..6, or 0 for other types. */
function levelOf(type: string): number {
  if (type === 'Title' || type === 'H') return 1;
  const level = /^H([1-9])$/.exec(type)?.[1];
  return level === undefined ? 0 : Math.min(6, Number(level));
}
