# What is loaded after the first view: windows, and panels that are not always there.

sign-out = Se déconnecter

## Settings

settings-title = Réglages
settings-language = Langue
# The language that the browser prefers.
language-browser = Comme dans le navigateur
settings-colours = Couleurs
theme-system = Comme dans le système
theme-light = Clair
theme-dark = Sombre
settings-board-size = Taille de l’échiquier
settings-pieces = Pièces
pieces-classic = Classiques
pieces-flat = Plates
pieces-signs = Signes avec lettres
settings-board = Échiquier
board-slate = Ardoise
board-wood = Bois
board-green = Vert
board-contrast = Contraste élevé
settings-sounds = Sons
settings-volume = Volume
settings-arrows = Flèches pour les meilleurs coups
settings-bar = Barre d’évaluation
settings-stops-when-hidden = Arrêter le moteur tant que cette page est masquée
settings-levels-take-time = Les niveaux faibles prennent leur temps
settings-nothing-stored = Ce navigateur n’enregistre rien pour cette page : la partie et ces réglages durent jusqu’à ce que vous la fermiez.
