import { useState } from 'react';
import { CopyButton } from '../controls/copy.tsx';

export interface Sample {
  label: string;
  code: string;
}

/** The same call in several languages, to copy. */
export function CodeSamples({ samples }: { samples: readonly Sample[] }): React.ReactElement {
  const [chosen, setChosen] = useState(0);
  const sample = samples[chosen] ?? samples[0];
  return (
    <div className="card overflow-hidden">
      <div className="flex items-center border-b border-line bg-sunken px-1">
        {samples.map(({ label }, index) => (
          <button
            key={label}
            type="button"
            aria-pressed={index === chosen}
            onClick={() => setChosen(index)}
            className="px-2 py-1 text-sm text-muted aria-pressed:font-medium aria-pressed:text-ink"
          >
            {label}
          </button>
        ))}
        <span className="ml-auto">
          <CopyButton text={sample?.code ?? ''} label="Copy the code" />
        </span>
      </div>
      <pre className="overflow-x-auto p-3 font-mono text-sm" tabIndex={0}>
        {sample?.code}
      </pre>
    </div>
  );
}
