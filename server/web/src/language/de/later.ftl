# What is loaded after the first view: windows, and panels that are not always there.

sign-out = Abmelden

## Settings

settings-title = Einstellungen
settings-language = Sprache
# The language that the browser prefers.
language-browser = Wie im Browser
settings-colours = Farben
theme-system = Wie im System
theme-light = Hell
theme-dark = Dunkel
settings-board-size = Größe des Bretts
settings-pieces = Figuren
pieces-classic = Klassisch
pieces-flat = Flach
pieces-signs = Zeichen mit Buchstaben
settings-board = Brett
board-slate = Schiefer
board-wood = Holz
board-green = Grün
board-contrast = Hoher Kontrast
settings-sounds = Töne
settings-volume = Lautstärke
settings-arrows = Pfeile für die besten Züge
settings-bar = Bewertungsbalken
settings-stops-when-hidden = Die Engine anhalten, solange diese Seite verdeckt ist
settings-levels-take-time = Schwache Stufen lassen sich Zeit
settings-nothing-stored = Dieser Browser speichert nichts für diese Seite: Partie und Einstellungen bleiben, bis Sie sie schließen.
