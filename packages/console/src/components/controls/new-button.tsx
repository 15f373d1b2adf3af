import type { Permission } from '../../data/workspace.ts';
import { Button } from './button.tsx';

interface NewButtonProps {
  needs: Permission;
  /** Text of the button, such as “New webhook”. */
  children: React.ReactNode;
  onClick: () => void;
}

/** The button that opens the form for a new record: above a list, and in place of an empty one. */
export const NewButton = ({ needs, children, onClick }: NewButtonProps): React.ReactElement => (
  <Button kind="primary" icon="plus" needs={needs} onClick={onClick}>
    {children}
  </Button>
);
