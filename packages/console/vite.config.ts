import tailwindcss from '@tailwindcss/vite';
import { defineConfig } from 'vite';

/** Address of a running service, for `npm run dev -w packages/console`. */
const SERVICE = process.env['QUIRE_URL'] ?? 'http://127.0.0.1:8080';

export default defineConfig({
  // The service inserts a `<base>` with its base path, so one build works below any path.
  base: './',
  plugins: [tailwindcss()],
  build: {
    target: 'es2022',
    // Keeps `light-dark()`, which the themes are made of.
    cssTarget: ['chrome123', 'firefox120', 'safari17.5'],
    // The policy of the pages allows no `data:` addresses.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    chunkSizeWarningLimit: 1_000,
    rolldownOptions: {
      onLog: (level, log, handle) => {
        // Libraries mark modules for servers; the mark has no meaning in a browser.
        if (log.code !== 'MODULE_LEVEL_DIRECTIVE') handle(level, log);
      },
    },
    manifest: 'manifest.json',
    license: { fileName: 'licences.md' },
  },
  server: { proxy: { '^/(v1|docs|guide|openapi.json|healthz|readyz|metrics)': SERVICE } },
});
