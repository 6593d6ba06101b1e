# What the page shows first.

try-again = Versuchen Sie es noch einmal.
language-not-loaded = Die Sprache konnte nicht geladen werden
view-not-loaded = Dieser Teil der Seite konnte nicht geladen werden
