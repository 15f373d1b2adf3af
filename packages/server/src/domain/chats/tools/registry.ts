/** All chat tools. The names of tool parts in messages and in the API follow from this list. */
import { retrieve } from './retrieve.ts';
import type { ChatTool } from './tool.ts';

export const CHAT_TOOLS: readonly ChatTool<Record<string, unknown>>[] = [retrieve];

export const TOOL_NAMES: readonly string[] = CHAT_TOOLS.map((tool) => tool.definition.name);

/** Returns the tool of that name; undefined for a name that a model made up. */
export function findTool(name: string): ChatTool<Record<string, unknown>> | undefined {
  return CHAT_TOOLS.find((tool) => tool.definition.name === name);
}
