import { Dialog } from '../../components/dialogs/dialog.tsx';
import { TextAreaField } from '../../components/forms/fields.tsx';
import { Form } from '../../components/forms/form.tsx';
import { toast } from '../../components/states/toast.tsx';
import { addQuestions } from '../../data/evaluation-set.ts';
import { useWorkspace } from '../../data/workspace.ts';
import { readQuestions } from './question-file.ts';

/** A text of questions, typed or pasted from a table. */
export function AddQuestions({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }): React.ReactElement {
  const { id: ws } = useWorkspace();
  return (
    <Dialog title="Add questions" isOpen={isOpen} onClose={onClose} width={40}>
      <Form
        action="Add"
        onCancel={onClose}
        onSubmit={(values) => {
          const added = readQuestions(values('questions') ?? 'empty');
          addQuestions(ws, added);
          toast.done(added.length === 1 ? 'Added one question' : `Added ${added.length} questions`);
          onClose();
          return Promise.resolve();
        }}
      >
        <TextAreaField
          name="questions"
          label="Questions"
          isRequired
          rows={8}
          spellCheck={false}
          placeholder={'How high is the monthly rent?, lease.pdf\nWhere do bicycles belong?, house-rules.md'}
          help="One question on each line, then the names or ids of the documents that answer it; a table of a spreadsheet works, and so do the lines of quire eval."
        />
      </Form>
    </Dialog>
  );
}
