/** The output of the command line on a terminal of 80 columns, and without a terminal. */
import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createWorkspace } from '../factories.ts';
import { startTestService, type TestService } from '../server.ts';
import { onTerminal, TMUX, type Screen, type TerminalOptions } from './on-terminal.ts';

const FILES = {
  'hours.md': '# Opening hours\n\nThe library is open from nine to five. On Thursdays it closes at eight.',
  'fees.md': '# Fees\n\nThe fee for late books is ten cents a day.',
  'broken.pdf': '%PDF-1.7 nothing',
};

let service: TestService;
let folder: string;
let env: Record<string, string>;

beforeAll(async () => {
  service = await startTestService();
  const { admin } = await createWorkspace(service);
  folder = await mkdtemp(path.join(tmpdir(), 'quire-terminal-'));
  env = { QUIRE_CONFIG: path.join(folder, 'profiles.json'), QUIRE_URL: service.address, QUIRE_KEY: admin };
  await mkdir(path.join(folder, 'library'));
  for (const [name, content] of Object.entries(FILES)) await writeFile(path.join(folder, 'library', name), content);
});
afterAll(async () => {
  await service.stop();
  await rm(folder, { recursive: true });
});

/** Replaces values that differ between runs, by values of the same length where the layout depends on it. */
const masked = (text: string): string =>
  text
    .replaceAll(service.address, 'http://127.0.0.1:PORT')
    .replaceAll(folder, '/home/ada')
    .replaceAll(/Request [0-9a-f-]{36}/g, 'Request REQUEST-ID')
    .replaceAll(/[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}/g, '00000000-0000-7000-8000-000000000000')
    .replaceAll(/in \d+(?:\.\d+)? ms/g, 'in N ms')
    .replaceAll(/node: v\d\S+/g, 'node: VERSION')
    .replaceAll(/differ by \d s/g, 'differ by N s');

describe.skipIf(TMUX === undefined)('on a terminal of 80 columns (skipped: tmux is not installed)', () => {
  const run = (args: string, options: Partial<TerminalOptions> = {}): Promise<Screen> =>
    onTerminal(args, { folder, ...options, env: { ...env, NO_COLOR: '1', ...options.env } });
  const screen = async (args: string, steps: TerminalOptions['steps'] = []): Promise<string> =>
    `\n${masked((await run(args, { steps })).text)}\n`;

  test('help fits the width and lists every command', async () => {
    expect(await screen('--help')).toMatchInlineSnapshot(`
      "
      Usage: quire [options] [command]

      Search and process documents with a Quire service.

      Options:
        -V, --version         output the version number
        --json                write JSON lines (default if stdout is no terminal)
        --text                write text also if stdout is no terminal
        --profile <name>      use this profile
        -h, --help            display help for command

      Commands:
        login <url>           check a key and store it as a profile
        use [profile]         list the profiles, switch to one, or set its default
                              collection
        whoami                show the permission and the workspace of the key
        add <path...>         add files and folders to a collection; run it again to
                              continue or to send changes
        ls                    list documents, newest first
        show <document>       show a document by id, or by name in its collection
        rm <document...>      delete documents
        retry [document...]   process failed documents again
        search <query>        search one collection, or all that the key may read
        ask [question]        answer from a collection with sources; without a
                              question, hold a conversation
        eval <file>           measure search with questions and their right documents
                              (JSON lines)
        process <file...>     parse files and, by option, summarise, classify, extract
                              or edit them
        extract <file...>     extract JSON by a schema
        collections           list, create and delete collections
        keys                  list, create and revoke API keys
        config                list, create and test models, embedders and parsers
        webhooks              list, create and test webhooks, or receive deliveries
        deliveries            list and repeat deliveries of webhooks
        connectors            import from a source and keep a collection in step
        export                write a collection (originals, metadata, settings) as
                              one tar
        import <file>         create a collection from an export, - for stdin
        mcp                   serve MCP over stdio, for assistants that start a
                              program
        doctor                check the configuration, the service and the key
        serve [arguments...]  start the service, if @quire/server is installed
        completion <shell>    print a completion script for bash, zsh or fish
        help [command...]     show the help of a command
      exit 0
      "
    `);
    expect(await screen('add --help')).toMatchInlineSnapshot(`
      "
      Usage: quire add [options] <path...>

      add files and folders to a collection; run it again to continue or to send
      changes

      Options:
        -c, --collection <name>  name or id of the collection
        --meta <key=value...>    metadata of each document (default: none)
        --parallel <n>           number of files sent at once (default: 4)
        --no-wait                do not wait until the documents are searchable
        --watch                  keep running and send changes
        --delete                 delete documents whose file is gone from the paths
        -h, --help               display help for command

      Global Options:
        -V, --version            output the version number
        --json                   write JSON lines (default if stdout is no terminal)
        --text                   write text also if stdout is no terminal
        --profile <name>         use this profile
      exit 0
      "
    `);
  });

  test('add shows a bar with files, bytes and rate, then the failures and the total', async () => {
    const { text, written } = await run(`add ${folder}/library -c Library`);
    expect(`\n${masked(text)}\n`).toMatchInlineSnapshot(`
      "
      Created the collection Library.
      broken.pdf: corrupt: The PDF file is damaged: it holds no objects
      2 added, 0 unchanged, 1 failed in Library.
      exit 3
      "
    `);
    const bars = Array.from(written.matchAll(/\r([█░]{16}) (\d)\/3 files, ([^/]*)\/s, [\d.]+ files\/s/g));
    expect(bars.map(([, bar, count]) => [bar, count])).toEqual([
      ['█████░░░░░░░░░░░', '1'],
      ['███████████░░░░░', '2'],
      ['████████████████', '3'],
    ]);
    expect(bars.at(-1)?.[3]).toMatch(/^138 B, [\d.]+ k?B$/);
  });

  test('tables, hits and answers with numbered sources fit the width', async () => {
    // The files were uploaded at once, so either can be the newest.
    const [head, ...documents] = (await run('ls -c Library')).text.split('\n');
    expect([head, ...documents.map(masked).toSorted()]).toEqual([
      'ID                                    STATUS  SIZE  NAME',
      '00000000-0000-7000-8000-000000000000  ready   50 B  fees.md',
      '00000000-0000-7000-8000-000000000000  ready   88 B  hours.md',
      'exit 0',
    ]);
    expect(await screen(`search 'When does it close on Thursdays?' -c Library`)).toMatchInlineSnapshot(`
      "
      1. hours.md › Opening hours  1.000
         The library is open from nine to five. On Thursdays it closes at eight.

      2. fees.md › Fees  0.000
         The fee for late books is ten cents a day.

      2 hits in N ms
      exit 0
      "
    `);
    expect(await screen(`search 'late books' -c Library --explain`)).toMatchInlineSnapshot(`
      "
      #  SCORE  DENSE     SPARSE    DOCUMENT
      1  1.000  #1 0.591  #1 1.482  fees.md
      2  0.000  #2 0.194  –         hours.md
      2 hits in N ms
      exit 0
      "
    `);
    expect(await screen(`ask 'When does it close on Thursdays?' -c Library`)).toMatchInlineSnapshot(`
      "
      eight

      Opening hours: On Thursdays it closes at eight. [1]

      [1] hours.md › Opening hours
          http://127.0.0.1:PORT/collections/00000000-0000-7000-8000-000000000000/documents/00000000-0000-7000-8000-000000000000?chunk=00000000-0000-7000-8000-000000000000
      exit 0
      "
    `);
  });

  test('a conversation lasts until the end of input', async () => {
    const steps = [
      ['>', 'When does it close on Thursdays?', 'Enter'],
      ['chunk=', 'C-d'],
    ] as const;
    expect(await screen('ask -c Library', steps)).toMatchInlineSnapshot(`
      "
      > When does it close on Thursdays?
      eight

      Opening hours: On Thursdays it closes at eight. [1]

      [1] hours.md › Opening hours
          http://127.0.0.1:PORT/collections/00000000-0000-7000-8000-000000000000/documents/00000000-0000-7000-8000-000000000000?chunk=00000000-0000-7000-8000-000000000000
      >
      Continue with \`quire ask --chat 00000000-0000-7000-8000-000000000000\`.
      exit 0
      "
    `);
  });

  test('errors say what, why and the next step', async () => {
    expect(await screen('ls -c Nowhere')).toMatchInlineSnapshot(`
      "
      quire: there is no collection Nowhere
        List them with \`quire collections\`.
      exit 5
      "
    `);
    expect(await screen('serach x')).toMatchInlineSnapshot(`
      "
      error: unknown command 'serach'
      (Did you mean search?)
        Add --help for the usage.
      exit 2
      "
    `);
    expect(await screen('show 00000000-0000-7000-8000-000000000000')).toMatchInlineSnapshot(`
      "
      quire: no collection holds the document 00000000-0000-7000-8000-000000000000
        List what there is with \`quire collections\` or \`quire ls\`.
      exit 5
      "
    `);
    const { text } = await run('whoami', { env: { QUIRE_KEY: 'quire_wrong' } });
    expect(`\n${masked(text)}\n`).toMatchInlineSnapshot(`
      "
      quire: This API key is not valid
        Sign in with \`quire login\`, or set QUIRE_KEY to a valid key.
        Request REQUEST-ID
      exit 4
      "
    `);
  });

  test('doctor lists its checks', async () => {
    expect(await screen('doctor')).toMatchInlineSnapshot(`
      "
      ok      node: VERSION
      ok      service: http://127.0.0.1:PORT answers, version 0.1.0
      ok      readiness: database, index, storage, sandbox, queue, embedder are ready
      ok      clock: the clocks differ by N s
      ok      key: admin permission in 00000000-0000-7000-8000-000000000000
      ok      collections: 1 in the workspace
      exit 0
      "
    `);
  });

  test('colours are written without NO_COLOR only', async () => {
    const coloured = await run(`search 'late books' -c Library -n 1`, { env: { NO_COLOR: '' } });
    expect(coloured.written).toContain('\u001b[33mlate\u001b[39m');
    const plain = await run(`search 'late books' -c Library -n 1`);
    expect(plain.written).not.toContain('\u001b[33m');
  });

  test('Ctrl-C ends a watched add and names the next step', async () => {
    const steps = [['Watching', 'C-c']] as const;
    expect(await screen(`add ${folder}/library/fees.md -c Watched --watch`, steps)).toMatchInlineSnapshot(`
      "
      Created the collection Watched.
      1 added, 0 unchanged, 0 failed in Watched.
      Watching for changes. Press Ctrl-C to stop.
      ^CStopped. The same command sends what changes until then.
      exit 0
      "
    `);
  });

  test('Ctrl-C at the prompt ends a conversation', async () => {
    expect(await screen('ask -c Library', [['>', 'C-c']])).toMatchInlineSnapshot(`
      "
      >
      Continue with \`quire ask --chat 00000000-0000-7000-8000-000000000000\`.
      exit 130
      "
    `);
  });
});

describe('without a terminal', () => {
  const program = fileURLToPath(new URL('../../../cli/bin/quire.mjs', import.meta.url));

  /** Returns the fields of each line of stdout, then stderr and the exit code. */
  const piped = async (...args: string[]): Promise<string> => {
    const ran = await promisify(execFile)(process.execPath, [program, ...args], { env: { ...process.env, ...env } })
      .then((outputs) => ({ ...outputs, code: 0 }))
      .catch((error: unknown) => error as { stdout: string; stderr: string; code: number });
    const lines = ran.stdout.split('\n').slice(0, -1);
    const fields = lines.map((line) => Object.keys(JSON.parse(line) as object).join(' '));
    return `\n${[...fields, masked(`${ran.stderr}exit ${ran.code}`)].join('\n')}\n`;
  };

  test('each record is a line of JSON on stdout, and notes are on stderr', async () => {
    expect(await piped('add', path.join(folder, 'library'), '-c', 'Piped')).toMatchInlineSnapshot(`
      "
      path status documentId error
      path status documentId
      path status documentId
      Created the collection Piped.
      2 added, 0 unchanged, 1 failed in Piped.
      exit 3
      "
    `);
    expect(await piped('ls', '-c', 'Piped', '-n', '1')).toMatchInlineSnapshot(`
      "
      id workspaceId collectionId parentId name status contentType sizeBytes sha256 metadata language pageCount chunkCount revision searchableRevision stage progress error warnings createdAt modifiedAt readyAt deletedAt
      The list ends after 1 document: pass a larger number with -n.
      exit 0
      "
    `);
    expect(await piped('search', 'late books', '-c', 'Piped', '-n', '1')).toMatchInlineSnapshot(`
      "
      documentId documentName collectionId chunkId revision score relevance text snippet highlights nameHighlights headingHighlights highlightBoxes highlightBlocks headings boxes blockIds metadata
      exit 0
      "
    `);
    // Each read of the stream writes the parts that changed: only the order of the first of each kind is certain.
    const asked = await piped('ask', 'What is the fee for late books?', '-c', 'Piped');
    expect(`\n${[...new Set(asked.trim().split('\n'))].join('\n')}\n`).toMatchInlineSnapshot(`
      "
      chatId type part text isReplacement
      chatId type part tool
      chatId type citation
      chatId type message
      exit 0
      "
    `);
    expect(await piped('doctor')).toMatchInlineSnapshot(`
      "
      check ok detail
      check ok detail
      check ok detail
      check ok detail
      check ok detail
      check ok detail
      exit 0
      "
    `);
    expect(await piped('ls', '-c', 'Nowhere')).toMatchInlineSnapshot(`
      "
      quire: there is no collection Nowhere
        List them with \`quire collections\`.
      exit 5
      "
    `);
  });
});
