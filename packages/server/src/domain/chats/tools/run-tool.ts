import type { AnswerRequest, Draft } from '../answer-engine.ts';
import type { ChatTool, ToolResult } from './tool.ts';

/** Runs a tool and shows the call as a part of the draft. */
export async function runTool<Input extends Record<string, unknown>, Result extends ToolResult>(
  tool: ChatTool<Input, Result>,
  input: Input,
  request: AnswerRequest,
  draft: Draft,
): Promise<Result> {
  const { name } = tool.definition;
  let position = -1;
  await draft.write(({ parts }) => {
    position = parts.push({ type: 'tool', name, input, status: 'running', resultCount: null }) - 1;
  });
  const result = await tool.run(input, request);
  const resultCount = 'hits' in result ? result.hits.length : null;
  await draft.write(({ parts }) => {
    const part = parts[position];
    if (part?.type === 'tool') Object.assign(part, { status: 'done', resultCount });
  });
  return result;
}
