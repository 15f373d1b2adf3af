/** Converts a conversation to the format of the AI SDK. */
import type { ChatRequest, ChatTurn, ToolCall, ToolDefinition } from '../../chat-model.ts';
import type { SdkOptions, SdkPrompt } from './sdk-model.ts';

type SdkTool = NonNullable<SdkOptions['tools']>[number];
type SdkMessage = SdkPrompt[number];

/** Key under which the SDKs keep the signature of a tool call. */
export type SignatureKey = 'google' | 'openaiCompatible';

/**
 * Converts turns to messages. System turns after the first become user messages, as many models accept them only at the
 * beginning. Consecutive tool results are one message.
 */
export function toPrompt(turns: readonly ChatTurn[], signatureKey: SignatureKey): SdkPrompt {
  const messages: SdkMessage[] = [];
  for (const turn of turns) {
    const last = messages.at(-1);
    if (turn.role === 'tool') {
      const { id: toolCallId, name: toolName } = turn.call;
      const output = { type: 'text' as const, value: turn.text };
      const result = { type: 'tool-result' as const, toolCallId, toolName, output };
      if (last?.role === 'tool') last.content.push(result);
      else messages.push({ role: 'tool', content: [result] });
    } else if (turn.role === 'assistant') {
      const text = turn.text === '' ? [] : [{ type: 'text' as const, text: turn.text }];
      const calls = (turn.toolCalls ?? []).map((call) => toCallPart(call, signatureKey));
      messages.push({ role: 'assistant', content: [...text, ...calls] });
    } else if (turn.role === 'system' && messages.length === 0) {
      messages.push({ role: 'system', content: turn.text });
    } else {
      const files = (turn.images ?? []).map(({ contentType, bytes }) => ({
        type: 'file' as const,
        mediaType: contentType,
        data: bytes,
      }));
      messages.push({ role: 'user', content: [{ type: 'text', text: turn.text }, ...files] });
    }
  }
  return messages;
}

function toCallPart({ id, name, input, signature }: ToolCall, key: SignatureKey) {
  const part = { type: 'tool-call' as const, toolCallId: id, toolName: name, input };
  return signature === undefined ? part : { ...part, providerOptions: { [key]: { thoughtSignature: signature } } };
}

export const toTools = (tools: readonly ToolDefinition[]): SdkTool[] =>
  tools.map(({ name, description, inputSchema }) => ({ type: 'function', name, description, inputSchema }));

/** Appends the schema to the conversation as text, for models without schema support. */
export function withSchemaInWords({ turns, output }: ChatRequest): readonly ChatTurn[] {
  if (output === undefined) return turns;
  const text = `Answer with JSON of this JSON Schema, and nothing else:\n${JSON.stringify(output.schema)}`;
  return [...turns, { role: 'user', text }];
}
