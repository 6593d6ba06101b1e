/** Styles of views that are loaded later: the sheet of the first visit is without them. */

const added = new Set<string>();

/** Add a sheet behind those of the page, once. */
export function addStyles(rules: string): void {
  if (added.has(rules)) return;
  added.add(rules);
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(rules);
  document.adoptedStyleSheets.push(sheet);
}
