import { CopyButton } from '../../components/copy.tsx';
import { Button } from '../../components/button.tsx';

interface SecretProps {
  /** Name of the secret, such as “The key”. */
  label: string;
  secret: string;
  children: React.ReactNode;
  onClose: () => void;
}

/** A secret that is shown once, in place of the form that created it. */
export const Secret = ({ label, secret, children, onClose }: SecretProps): React.ReactElement => (
  <div className="space-y-4">
    <div role="status" className="rounded-md bg-warn-soft px-3 py-2">
      {children}
    </div>
    <div className="flex items-start gap-2">
      <textarea
        readOnly
        aria-label={label}
        className="input w-full resize-none font-mono text-sm"
        rows={Math.min(6, Math.ceil(secret.length / 48))}
        value={secret}
        onFocus={(event) => event.currentTarget.select()}
      />
      <CopyButton text={secret} label={`Copy ${label.toLowerCase()}`} />
    </div>
    <div className="flex justify-end">
      <Button kind="primary" onClick={onClose}>
        Done
      </Button>
    </div>
  </div>
);
