/**
 * The font that drawings are set in, so that they look the same on a server without any: Noto Sans, which covers
 * Latin, Greek, Cyrillic and Devanagari. Fonts of the system stand behind it, for other scripts.
 */
import { mkdir, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';

export const FONT_FAMILY = 'Noto Sans';

const require = createRequire(import.meta.url);
const FACES = ['400Regular', '400Regular_Italic', '700Bold'];
const SYSTEM_FOLDERS = ['/usr/share/fonts', '/usr/local/share/fonts', '/Library/Fonts', '/System/Library/Fonts'];

let configured: Promise<void> | undefined;

/**
 * Points fontconfig, which reads its settings once a process, at the shipped fonts. Call it before anything with text
 * is drawn. `directory` takes the settings file; it may be removed after the first drawing.
 */
export function useShippedFonts(directory: string): Promise<void> {
  configured ??= configure(directory);
  return configured;
}

async function configure(directory: string): Promise<void> {
  const home = path.dirname(require.resolve('@expo-google-fonts/noto-sans/package.json'));
  const folders = [...FACES.map((face) => path.join(home, face)), ...SYSTEM_FOLDERS];
  // The system's cache is read, or 1,000 installed fonts would be scanned by every process.
  const settings = [
    '<?xml version="1.0"?><!DOCTYPE fontconfig SYSTEM "fonts.dtd"><fontconfig>',
    ...folders.map((folder) => `<dir>${folder.replaceAll('&', '&amp;').replaceAll('<', '&lt;')}</dir>`),
    '<cachedir>/var/cache/fontconfig</cachedir>',
    ...['sans-serif', 'serif', 'Arial', 'Helvetica', 'Calibri'].map(
      (family) =>
        `<alias binding="same"><family>${family}</family><prefer><family>${FONT_FAMILY}</family></prefer></alias>`,
    ),
    '</fontconfig>',
  ];
  await mkdir(directory, { recursive: true });
  const file = path.join(directory, 'fonts.conf');
  await writeFile(file, settings.join('\n'));
  // fontconfig takes its settings from nowhere else; this is the process of the drawing alone.
  process.env['FONTCONFIG_FILE'] = file;
}
