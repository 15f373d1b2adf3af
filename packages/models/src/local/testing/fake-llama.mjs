// Replaces node-llama-cpp in tests of the process that uses it; generates the text of the last turn, word by word.
const words = (text) => text.split(/(?<= )/);

export const getLlama = async () => ({
  loadModel: async ({ modelPath }) => {
    if (modelPath.includes('broken')) throw new Error(`tensor missing in ${modelPath}`);
    return {
      tokenizer: null,
      tokenize: (text) => Array.from({ length: text.length / 2 }),
      createContext: async ({ contextSize }) => ({
        contextSize,
        getSequence: () => ({ tokenMeter: { usedOutputTokens: 0 } }),
      }),
    };
  },
  createGrammarForJsonSchema: async (schema) => schema,
});

export class LlamaChat {
  #sequence;

  constructor({ contextSequence }) {
    this.#sequence = contextSequence;
  }

  chatWrapper = {
    generateContextState: ({ chatHistory }) => ({
      contextText: { tokenize: () => words(chatHistory.map((item) => item.text ?? '').join(' ')) },
    }),
  };

  async generateResponse(history, { onResponseChunk, signal, maxTokens, grammar }) {
    const text = history.findLast((item) => item.type === 'user').text;
    if (text === 'crash') process.kill(process.pid, 'SIGSEGV');
    if (text === 'environment') onResponseChunk({ text: Object.keys(process.env).toSorted().join(' ') });
    const said = grammar === undefined ? words(text) : [JSON.stringify(grammar)];
    const length = text === 'for ever' ? Infinity : said.length;
    for (let made = 0; made < length; made += 1) {
      if (signal.aborted) return { metadata: { stopReason: 'abort' } };
      if (made === maxTokens) return { metadata: { stopReason: 'maxTokens' } };
      this.#sequence.tokenMeter.usedOutputTokens += 1;
      onResponseChunk({ text: said[made % said.length], segmentType: said[made] === 'hm ' ? 'thought' : undefined });
      await new Promise((resolve) => setImmediate(resolve));
    }
    return { metadata: { stopReason: 'eogToken' } };
  }
}
