/** The command line of `npx @quire/parse`. */
import { parseArgs } from 'node:util';
import { ContentError } from '@quire/blocks/content-error';
import type { ContentWarning } from '@quire/blocks/content-warning';
import { toHtml } from '@quire/blocks/to-html';
import { toMarkdown } from '@quire/blocks/to-markdown';
import { errorCode } from '@quire/shared/error-code';
import { parseFile, type ParsedFile } from './parse-file.ts';
import type { ParseOptions } from './parser.ts';
import { FileRefused } from './validate/file-refused.ts';

export interface CommandOutput {
  write: (text: string) => void;
  writeError: (text: string) => void;
}

const USAGE = `Usage: quire-parse [options] FILE

Prints the content of a document as Markdown.

  --to markdown|html|json    output format (default: markdown)
  --ocr auto|always|never    text recognition in images and scanned pages (default: auto)
  --languages eng,deu        languages for text recognition (default: eng)
  --help                     prints this text
`;

const OCR_MODES: readonly string[] = ['auto', 'always', 'never'] satisfies ParseOptions['ocr'][];

const RENDERERS = new Map<string, (file: ParsedFile) => string>([
  ['markdown', toMarkdown],
  ['html', toHtml],
  ['json', (file) => `${JSON.stringify(file, null, 2)}\n`],
]);

/**
 * Parses the file that the arguments name and writes the result. Returns the exit code: 0, 1 for the file, 2 for usage.
 */
export async function runCommand(args: readonly string[], output: CommandOutput): Promise<number> {
  const request = readArguments(args);
  if (typeof request === 'string') {
    output.writeError(request);
    return 2;
  }
  if (request.file === null) {
    output.write(USAGE);
    return 0;
  }
  try {
    const parsed = await parseFile(request.file, request.options);
    for (const warning of parsed.warnings) output.writeError(`warning: ${warningLine(warning)}\n`);
    output.write(request.render(parsed));
    return 0;
  } catch (error) {
    if (!(error instanceof ContentError || error instanceof FileRefused || errorCode(error) !== undefined)) throw error;
    output.writeError(`${request.file}: ${(error as Error).message}\n`);
    return 1;
  }
}

const warningLine = ({ message, pages }: ContentWarning): string =>
  pages.length === 0 ? message : `${message} (page ${pages.join(', ')})`;

interface CommandRequest {
  /** Null for a request for help. */
  file: string | null;
  options: Pick<ParseOptions, 'ocr' | 'ocrLanguages'>;
  render: (file: ParsedFile) => string;
}

/** Returns a message for invalid arguments. */
function readArguments(args: readonly string[]): CommandRequest | string {
  let parsed;
  try {
    parsed = parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        to: { type: 'string', default: 'markdown' },
        ocr: { type: 'string', default: 'auto' },
        languages: { type: 'string', default: 'eng' },
        help: { type: 'boolean', default: false },
      },
    });
  } catch (error) {
    return `${(error as Error).message}\n\n${USAGE}`;
  }
  const { values, positionals } = parsed;
  const render = RENDERERS.get(values.to);
  const [file = null] = positionals;
  const isValid = render !== undefined && OCR_MODES.includes(values.ocr) && (values.help || positionals.length === 1);
  if (!isValid) return USAGE;
  const options = { ocr: values.ocr as ParseOptions['ocr'], ocrLanguages: values.languages.split(',') };
  return { file: values.help ? null : file, options, render };
}
