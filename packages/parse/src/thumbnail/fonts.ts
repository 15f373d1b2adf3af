/**
 * Configures the font of drawings, so that they look the same on a server without fonts: Noto Sans, which covers Latin,
 * Greek, Cyrillic and Devanagari. Other scripts fall back to the fonts of the system.
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
 * Points fontconfig at the shipped fonts. It reads its settings once per process, so call this before any text is
 * drawn. `directory` receives the settings file, which may be removed after the first drawing.
 */
export function useShippedFonts(directory: string): Promise<void> {
  configured ??= configure(directory);
  return configured;
}

async function configure(directory: string): Promise<void> {
  const home = path.dirname(require.resolve('@expo-google-fonts/noto-sans/package.json'));
  const folders = [...FACES.map((face) => path.join(home, face)), ...SYSTEM_FOLDERS];
  // The system's cache is used; otherwise every process would scan 1,000 installed fonts.
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
  // fontconfig accepts settings only from the environment. This process does nothing but drawing.
  process.env['FONTCONFIG_FILE'] = file;
}
