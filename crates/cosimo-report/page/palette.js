// Colours that people with any colour vision can tell apart (after Okabe and Ito), for a light and a dark ground.

const LIGHT = ["#0072b2", "#d55e00", "#009e73", "#b5538b", "#c98500", "#3c97cf", "#6b5bb5", "#5c6670"];
const DARK = ["#4ea8e6", "#ff8b47", "#2fc79a", "#e596c6", "#f0b93c", "#8fd0f7", "#a99bf0", "#b3bdc9"];

const darkScheme = globalThis.matchMedia?.("(prefers-color-scheme: dark)");

export function isDark() {
  return darkScheme?.matches ?? false;
}

/// The k-th colour of curves and subsystems.
export function paletteColor(k) {
  const colors = isDark() ? DARK : LIGHT;
  return colors[k % colors.length];
}

/// Dashes that tell curves apart after the colours are used up.
export function paletteDash(k) {
  return [[], [6, 3], [2, 3], [9, 3, 2, 3]][Math.floor(k / LIGHT.length) % 4];
}

/// Red, green, blue from 0 to 1 of "#rrggbb".
export function rgbOf(hex) {
  return [1, 3, 5].map((k) => parseInt(hex.slice(k, k + 2), 16) / 255);
}

/// A colour of the style sheet.
export function themeColor(name) {
  return getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim();
}
