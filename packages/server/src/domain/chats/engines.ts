import type { ChatRecord } from '../../database/tables.ts';
import { ApiError, conflict } from '../../errors.ts';
import type { ChatModelSource } from '@quire/models/chat-model';
import { Agent } from './agent/agent.ts';
import type { AnswerEngine } from './answer-engine.ts';
import { ExtractiveEngine } from './extractive/extractive-engine.ts';
import type { Likenesses } from '../search/likeness.ts';

/** Opens the engine of a chat: its language model, or the extractive engine. */
export class AnswerEngines {
  readonly #models: ChatModelSource;
  readonly #extractive: ExtractiveEngine;

  constructor(models: ChatModelSource, likenesses: Likenesses) {
    this.#models = models;
    this.#extractive = new ExtractiveEngine(likenesses);
  }

  /** Throws 409 with the reason if the chat's model cannot be used. */
  async open(chat: Pick<ChatRecord, 'workspace_id' | 'model_id'>): Promise<AnswerEngine> {
    try {
      const model = await this.#models.open(chat.workspace_id, chat.model_id);
      return model === null ? this.#extractive : new Agent(model);
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      throw conflict('The model of this chat cannot answer', { modelId: chat.model_id, reason: error.message });
    }
  }
}
