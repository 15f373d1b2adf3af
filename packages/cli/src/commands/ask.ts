/** `quire ask`: streams a cited answer, once or in a conversation. */
import type { Filter, Message } from '@quire/client';
import { chosenCollection, type Context } from '../context.ts';
import { CommandError, EXIT, type ExitCode } from '../exit-code.ts';
import { printable } from '../output.ts';
import { sources } from './answer-sources.ts';
import { BoldLines } from './bold-lines.ts';
import { questions } from './prompt.ts';

export interface AskOptions {
  collection?: string;
  chat?: string;
  model?: string;
  filter?: Filter;
}

/** Maximum length of a chat's title. */
const TITLE_LENGTH = 60;

export async function ask(context: Context, question: string | undefined, options: AskOptions): Promise<ExitCode> {
  if (question?.trim() === '')
    throw new CommandError('the question is empty', {
      exitCode: EXIT.usage,
      next: 'Without a question, the command holds a conversation.',
    });
  const chatId = options.chat ?? (await createChat(context, question ?? 'Conversation', options));
  if (question !== undefined) return askOne(context, chatId, question);
  try {
    return await converse(context, chatId);
  } finally {
    if (context.io.stdin.isTTY === true) context.output.note(`\nContinue with \`quire ask --chat ${chatId}\`.`);
  }
}

/** Answers the lines of the user. Ctrl-C stops a running answer; at the prompt it ends the conversation. */
async function converse(context: Context, chatId: string): Promise<ExitCode> {
  let code: ExitCode = EXIT.ok;
  let answering: AbortController | undefined;
  const onInterrupt = (leave: () => void): void => {
    if (answering !== undefined) return answering.abort(new Error('interrupted'));
    code = EXIT.interrupted;
    leave();
  };
  for await (const line of questions(context.io, '> ', onInterrupt)) {
    answering = new AbortController();
    const signal = AbortSignal.any([context.signal, answering.signal]);
    code = await askOne({ ...context, signal }, chatId, line);
    answering = undefined;
  }
  return code;
}

async function createChat(context: Context, title: string, options: AskOptions): Promise<string> {
  const { id } = await chosenCollection(context, options.collection);
  const body = {
    title: title.slice(0, TITLE_LENGTH),
    collection_id: id,
    ...(options.model === undefined ? {} : { modelId: options.model }),
    ...(options.filter === undefined ? {} : { filter: options.filter }),
  };
  return (await context.quire.chats.create(body, { signal: context.signal })).id;
}

async function askOne(
  { quire, output, profile, signal }: Context,
  chatId: string,
  question: string,
): Promise<ExitCode> {
  const answer = quire.chat(chatId).ask(question, { signal });
  // In a pipe, text stays Markdown.
  const lines = new BoldLines((text) => output.style('bold', text));
  const shown = (text: string): string => (output.isTerminal ? lines.push(printable(text)) : printable(text));
  let message: Message | undefined;
  try {
    for await (const event of answer.events()) {
      if (event.type === 'end') message = event.message;
      if (output.isJson) output.record({ chatId, ...event }, '');
      else if (event.type === 'text')
        output.text(`${event.isReplacement ? `${lines.end()}\n` : ''}${shown(event.text)}`);
      else if (event.type === 'tool' && event.tool.status === 'running') output.progress('Searching…');
    }
  } catch (error) {
    if (!signal.aborted) throw error;
    // Ctrl-C ends the answer on the server, too. The aborted signal must not end this request.
    if (answer.state !== undefined) await answer.stop();
    output.note(`\nStopped. Continue with \`quire ask --chat ${chatId}\`.`);
    return EXIT.interrupted;
  }
  if (!output.isJson) output.text(`${lines.end()}\n${sources(message?.citations ?? [], profile.url)}`);
  if (message?.status !== 'failed') return EXIT.ok;
  output.note(`The answer failed: ${message.error?.message ?? 'no reason was given'}`);
  return EXIT.failed;
}
