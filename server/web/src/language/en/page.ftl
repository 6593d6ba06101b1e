# What the page shows first.

try-again = Try again.
language-not-loaded = The language could not be loaded
view-not-loaded = This part of the page could not be loaded
