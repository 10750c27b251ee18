// Light and dark: follows the system's preference until the user chooses.

import { byId, setText } from './dom.js';

const NAME = 'aspas-theme';

/** Binds the button. */
export function bindTheme() {
  const root = document.documentElement;
  const button = byId('theme');
  const prefersDark = matchMedia('(prefers-color-scheme: dark)');
  const isDark = () => (root.dataset.theme ? root.dataset.theme === 'dark' : prefersDark.matches);
  const show = () => {
    setText(byId('theme-text'), isDark() ? 'Light' : 'Dark');
    button.setAttribute('aria-label', isDark() ? 'Use light colours' : 'Use dark colours');
  };
  try {
    const kept = localStorage.getItem(NAME);
    if (kept === 'light' || kept === 'dark') {
      root.dataset.theme = kept;
    }
  } catch {
    // Without storage the system's preference counts.
  }
  button.addEventListener('click', () => {
    root.dataset.theme = isDark() ? 'light' : 'dark';
    try {
      localStorage.setItem(NAME, root.dataset.theme);
    } catch {
      // Without storage the choice lasts for this visit only.
    }
    show();
  });
  prefersDark.addEventListener('change', show);
  show();
}
