/** Styles of views that are loaded later: the sheet of the first visit is without them. */

/** Add a sheet behind those of the page. */
export function addStyles(rules: string): void {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(rules);
  document.adoptedStyleSheets.push(sheet);
}
