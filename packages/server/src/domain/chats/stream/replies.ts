/** Fixed replies of both answer engines, in the language of the question; in English where it is unknown. */

const NO_ANSWER: Readonly<Record<string, string>> = {
  en: 'The documents in this collection do not hold an answer to this question.',
  de: 'Die Dokumente dieser Sammlung enthalten keine Antwort auf diese Frage.',
  fr: 'Les documents de cette collection ne contiennent pas de réponse à cette question.',
  es: 'Los documentos de esta colección no contienen ninguna respuesta a esta pregunta.',
  it: 'I documenti di questa raccolta non contengono una risposta a questa domanda.',
  pt: 'Os documentos desta coleção não contêm uma resposta a esta pergunta.',
  nl: 'De documenten in deze verzameling bevatten geen antwoord op deze vraag.',
  zh: '此集合中的文档不包含这个问题的答案。',
  ja: 'このコレクションの文書には、この質問への答えがありません。',
};

/** The reply to a greeting or thanks. */
const ASK_A_QUESTION: Readonly<Record<string, string>> = {
  en: 'Please ask a question about the documents in this collection.',
  de: 'Bitte stellen Sie eine Frage zu den Dokumenten dieser Sammlung.',
  fr: 'Posez une question sur les documents de cette collection.',
  es: 'Haga una pregunta sobre los documentos de esta colección.',
  it: 'Faccia una domanda sui documenti di questa raccolta.',
  pt: 'Faça uma pergunta sobre os documentos desta coleção.',
  nl: 'Stel een vraag over de documenten in deze verzameling.',
  zh: '请就此集合中的文档提问。',
  ja: 'このコレクションの文書について質問してください。',
};

const inLanguage = (texts: Readonly<Record<string, string>>, language: string | null): string =>
  texts[language ?? 'en'] ?? texts['en'] ?? '';

export const noAnswer = (language: string | null): string => inLanguage(NO_ANSWER, language);

export const askAQuestion = (language: string | null): string => inLanguage(ASK_A_QUESTION, language);
