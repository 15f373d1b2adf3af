/** Starts the console: reads the key of the link, applies the theme, renders. */
import { createRoot } from 'react-dom/client';
import { App } from './app.tsx';
import { takeKeyFromAddress } from './session/session.ts';
import { applyTheme } from './shell/theme.ts';
import './styles.css';

takeKeyFromAddress();
applyTheme();
const container = document.getElementById('root');
if (container === null) throw new Error('the page has no element for the console');
createRoot(container).render(<App />);
