/** The interface of the tools that a language model can call while it answers. Register a new one in `registry.ts`. */
import type { ToolDefinition } from '@quire/models/chat-model';
import type { SearchHit } from '../../search/types.ts';
import type { AnswerRequest } from '../answer-engine.ts';

/** The result of a tool: hits become numbered sources that the answer can cite; text goes to the model as it is. */
export type ToolResult = { hits: readonly SearchHit[] } | { text: string };

export interface ChatTool<Input extends Record<string, unknown>, Result extends ToolResult = ToolResult> {
  /** Name, description and input schema, as models receive them. */
  readonly definition: ToolDefinition;
  /** One line for the system prompt: when to call the tool. */
  readonly instruction: string;
  /** Returns the input of a call, checked; undefined when the tool does not accept it. */
  readInput(input: unknown): Input | undefined;
  run(input: Input, request: AnswerRequest): Promise<Result>;
}
