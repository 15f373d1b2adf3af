/** Adds questions from a text or a file, and saves them as the file of `quire eval`. */
import { useState } from 'react';
import { Button } from '../../components/controls/button.tsx';
import { FileButton } from '../../components/forms/file-field.tsx';
import { saveFile } from '../../components/content/save-file.ts';
import { addQuestions, type Question } from '../../data/evaluation-set.ts';
import { useWorkspace } from '../../data/workspace.ts';
import { AddQuestions } from './add-questions.tsx';
import { readQuestions, writeQuestions } from './question-file.ts';

interface QuestionFilesProps {
  questions: readonly Question[];
  onError: (error: unknown) => void;
}

/** Phones have room for the three buttons without their icons. */
const PHONE = 'max-md:[&>svg]:hidden';

export function QuestionFiles({ questions, onError }: QuestionFilesProps): React.ReactElement {
  const { id: ws } = useWorkspace();
  const [isAdding, setAdding] = useState(false);
  const open = async (file: File): Promise<void> => {
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
      <Button icon="plus" className={PHONE} onClick={() => setAdding(true)}>
        Add questions
      </Button>
      <FileButton
        label="Questions"
        accept=".jsonl,.ndjson,.txt,.csv,.tsv"
        className={PHONE}
        onFile={(file) => void open(file)}
      >
        Open a file
      </FileButton>
      {questions.length > 0 && (
        <Button icon="download" className={PHONE} onClick={save}>
          Save as a file
        </Button>
      )}
      <AddQuestions isOpen={isAdding} onClose={() => setAdding(false)} />
    </>
  );
}
