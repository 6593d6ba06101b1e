# What the page shows first.

try-again = Réessayez.
language-not-loaded = La langue n’a pas pu être chargée
view-not-loaded = Cette partie de la page n’a pas pu être chargée
