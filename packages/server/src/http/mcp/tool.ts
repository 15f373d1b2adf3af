/** The form in which tools are declared; `endpoint.ts` offers them to callers. */
import type { CallToolResult, ContentBlock, ToolAnnotations } from '@modelcontextprotocol/server';
import type { z } from 'zod';
import type { Principal } from '../../domain/keys/types.ts';
import type { McpCaller } from './caller.ts';

export interface ToolDescription {
  name: string;
  title: string;
  /** At most 400 characters. */
  description: string;
  annotations: ToolAnnotations;
  input: z.ZodObject;
  output: z.ZodObject;
  /** Whether a key sees the tool; a key that may read sees a tool without it. */
  isOffered?: (principal: Principal) => boolean;
}

/** A declared tool with the types of its input and output erased. */
export interface McpTool extends ToolDescription {
  call: (input: Record<string, unknown>, caller: McpCaller) => Promise<CallToolResult>;
}

export interface ToolAnswer<Data> {
  /** The structured result; the first content is the same as JSON text. */
  data: Data;
  /** Content after the text. */
  content?: ContentBlock[];
}

/** Declares a tool; `run` is typed by the schemas of input and output. */
export function tool<Input extends z.ZodObject, Output extends z.ZodObject>(
  definition: Omit<ToolDescription, 'input' | 'output'> & {
    input: Input;
    output: Output;
    run: (input: z.output<Input>, caller: McpCaller) => Promise<ToolAnswer<z.output<Output>>>;
  },
): McpTool {
  const { run, ...description } = definition;
  return {
    ...description,
    call: async (input, caller) => {
      const { data, content = [] } = await run(input as z.output<Input>, caller);
      return {
        content: [{ type: 'text', text: JSON.stringify(data) }, ...content],
        structuredContent: data,
      };
    },
  };
}

/** Annotations of tools that change nothing and read only this service. */
export const READS: ToolAnnotations = {
  readOnlyHint: true,
  destructiveHint: false,
  idempotentHint: true,
  openWorldHint: false,
};
