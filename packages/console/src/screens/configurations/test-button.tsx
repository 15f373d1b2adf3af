import { useState } from 'react';
import { Button } from '../../components/controls/button.tsx';
import { formatMs } from '../../components/content/format.ts';
import { toast } from '../../components/states/toast.tsx';
import { useWorkspace } from '../../data/workspace.ts';
import { callsOf, type Configuration, type Kind } from './kinds.ts';

interface TestButtonProps {
  kind: Kind;
  configuration: Configuration;
}

/** Sends one tiny request to the provider and says how it went. */
export function TestButton({ kind, configuration }: TestButtonProps): React.ReactElement {
  const { quire } = useWorkspace();
  const [isBusy, setBusy] = useState(false);
  const { id, name } = configuration;
  const test = async (): Promise<void> => {
    setBusy(true);
    try {
      const { ok, latencyMs, message } = await callsOf(quire, kind).test(id);
      if (ok) toast.done(`“${name}” answered in ${formatMs(latencyMs)}. ${message}`);
      else toast.failed(`“${name}” does not work`, new Error(message));
    } catch (error) {
      toast.failed(`“${name}” was not tested`, error);
    } finally {
      setBusy(false);
    }
  };
  return (
    <Button
      kind="quiet"
      className="text-accent"
      needs="admin"
      isBusy={isBusy}
      aria-label={`Test ${name}`}
      onClick={() => void test()}
    >
      Test
    </Button>
  );
}
