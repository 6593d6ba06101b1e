# What is loaded after the first view: windows, and panels that are not always there.

sign-out = Sign out

## Settings

settings-title = Settings
settings-language = Language
# The language that the browser prefers.
language-browser = As in the browser
settings-colours = Colours
theme-system = System default
theme-light = Light
theme-dark = Dark
settings-board-size = Board size
settings-pieces = Pieces
pieces-classic = Classic
pieces-flat = Flat
pieces-signs = Signs with letters
settings-board = Board
board-slate = Slate
board-wood = Wood
board-green = Green
board-contrast = High contrast
settings-sounds = Sounds
settings-volume = Volume
settings-arrows = Arrows for the best moves
settings-bar = Evaluation bar
settings-stops-when-hidden = Stop the engine while this page is hidden
settings-levels-take-time = Weak levels take their time
settings-nothing-stored = This browser stores nothing for this page: the game and these settings last until you close it.
