interface SparklineProps {
  values: readonly number[];
  label: string;
}

const WIDTH = 160;
const HEIGHT = 32;

/** A line of the latest values, scaled to the greatest one. */
export function Sparkline({ values, label }: SparklineProps): React.ReactElement {
  const top = Math.max(...values, Number.MIN_VALUE);
  const step = WIDTH / Math.max(1, values.length - 1);
  const points = values.map(
    (value, index) => `${(index * step).toFixed(1)},${(HEIGHT - 2 - (value / top) * (HEIGHT - 4)).toFixed(1)}`,
  );
  return (
    <svg
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      role="img"
      aria-label={label}
      className="h-8 w-full"
      preserveAspectRatio="none"
    >
      <polyline points={points.join(' ')} fill="none" className="stroke-accent" strokeWidth={1.5} />
    </svg>
  );
}
