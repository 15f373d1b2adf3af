import type { StyleKind } from './paragraph-flow.ts';

export interface RtfStyle {
  kind: StyleKind;
  level: number;
}

/** Returns the meaning of a style from its name and outline level. */
export function styleOf(name: string, outline: number | undefined): RtfStyle {
  const lower = name.trim().toLowerCase();
  if (lower === 'title') return { kind: 'title', level: 0 };
  const level = /\bheading ?([1-9])\b/.exec(lower)?.[1];
  if (level !== undefined) return { kind: 'heading', level: Number(level) };
  if (/^toc ?\d/.test(lower)) return { kind: 'body', level: 0 };
  if (outline !== undefined && outline < 9) return { kind: 'heading', level: outline + 1 };
  if (/^(?:source code|code|html preformatted|preformatted text)$/.test(lower)) return { kind: 'code', level: 0 };
  if (/^(?:intense )?quot(?:e|ations)$/.test(lower)) return { kind: 'quote', level: 0 };
  return { kind: lower === 'caption' ? 'caption' : 'body', level: 0 };
}
