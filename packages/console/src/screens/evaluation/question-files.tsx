/** Adds questions from a text or a file, and saves them as the file of `quire eval`. */
import { useRef, useState } from 'react';
import { Button } from '../../components/button.tsx';
import { saveFile } from '../../components/save-file.ts';
import { addQuestions, type Question } from '../../data/evaluation-set.ts';
import { useWorkspace } from '../../data/workspace.ts';
import { AddQuestions } from './add-questions.tsx';
import { readQuestions, writeQuestions } from './question-file.ts';

interface QuestionFilesProps {
  questions: readonly Question[];
  onError: (error: unknown) => void;
}

export function QuestionFiles({ questions, onError }: QuestionFilesProps): React.ReactElement {
  const { id: ws } = useWorkspace();
  const input = useRef<HTMLInputElement>(null);
  const [isAdding, setAdding] = useState(false);
  const open = async (file: File | undefined): Promise<void> => {
    if (file === undefined) return;
    try {
      addQuestions(ws, readQuestions(await file.text()));
    } catch (error) {
      onError(error);
    }
  };
  const save = (): void =>
    saveFile(new Blob([writeQuestions(questions)], { type: 'application/x-ndjson' }), 'questions.jsonl');
  return (
    <>
      <input
        ref={input}
        type="file"
        accept=".jsonl,.ndjson,.txt,.csv,.tsv"
        hidden
        aria-label="Questions"
        onChange={({ target }) => {
          void open(target.files?.[0]);
          // The same file can be opened again after a change.
          target.value = '';
        }}
      />
      <Button icon="plus" onClick={() => setAdding(true)}>
        Add questions
      </Button>
      <Button icon="upload" onClick={() => input.current?.click()}>
        Open a file
      </Button>
      {questions.length > 0 && (
        <Button icon="download" onClick={save}>
          Save as a file
        </Button>
      )}
      <AddQuestions isOpen={isAdding} onClose={() => setAdding(false)} />
    </>
  );
}
