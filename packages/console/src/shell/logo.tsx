export const Logo = (): React.ReactElement => (
  <span className="inline-flex items-center gap-2 font-display text-xl text-ink">
    <svg viewBox="0 0 32 32" className="size-6" aria-hidden="true">
      <rect width="32" height="32" rx="7" fill="#0d5c63" />
      <path d="M8 9h16M8 14h16M8 24h9" stroke="#fff" strokeWidth="2.4" strokeLinecap="round" opacity=".85" />
      <rect x="7" y="17" width="18" height="4.4" rx="1" fill="#f2b544" />
    </svg>
    Quire
  </span>
);
