# What is loaded after the first view: windows, and panels that are not always there.

# Behind the name of the field.
sign-in-no-token = un jeton commence par rk_ et ne contient pas d’espaces
sign-out = Se déconnecter
sign-out-not-revoked = Déconnecté ici, mais le jeton reste valable

## A code that signs a phone in

code-phone = Se connecter sur un téléphone
code-scan = Scannez ceci avec l’appareil photo du téléphone. Il sera connecté une seule fois comme { $account }.
code-picture = Code QR
# Minutes and seconds, as in “9:58”.
code-left = Valable encore { $time } min
# A browser and a system, as in “Safari on iPhone”.
code-used = Connecté : { $device }
code-expired = Le code a expiré.
code-again = Nouveau code
code-local = Cette page a été ouverte sous { $host }, que seul cet ordinateur peut atteindre. Ouvrez-la sous un nom ou une adresse que le téléphone peut atteindre.
code-plain = Cette connexion n’est pas chiffrée : d’autres personnes sur le réseau pourraient lire le jeton.
code-not-made = Impossible de créer un code
code-question = Connecter ce navigateur à { $host } ? Le code ne sert qu’une fois.
code-stay = Rester connecté sur cet appareil
code-refused = Le code n’a pas connecté ce navigateur. Faites-en afficher un nouveau et scannez-le.
code-token-instead = Utiliser plutôt un jeton
code-done = Connecté comme { $account }
code-done-tab = Ce navigateur a son propre jeton, que l’administrateur peut révoquer. Il n’est gardé que pour cet onglet.
code-done-device = Ce navigateur a son propre jeton, que l’administrateur peut révoquer. Il est gardé jusqu’à ce que vous vous déconnectiez.

## Settings

settings-language = Langue
# The language that the browser prefers.
language-browser = Du navigateur
settings-colours = Couleurs
theme-system = Du système
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

## The analysis of a game, its times, and engines beside the first

companion = Moteur ajouté : { $engine }
companion-engine = Moteur { $engine }
companion-stop = Arrêter ce moteur
companion-start = Démarrer ce moteur
companion-choose = Choisir ce moteur
companion-lines = Variantes de { $engine }
companion-options = Options de { $engine }
companion-remove = Retirer { $engine }
companion-finds-nothing = rien
companion-disagrees = Les moteurs divergent : celui-ci donne { $mine }, le premier { $theirs }
report = Analyse de la partie
report-stop = Arrêter
report-disputes = { $count ->
    [0] { $engine } juge tous les coups de la même façon.
    [one] { $engine } juge 1 coup autrement.
   *[other] { $engine } juge { $count } coups autrement.
}
report-show-it = L’afficher
report-next = Suivant
report-judged = { $judged ->
    [one] { $judged } coup jugé sur { $moves }.
   *[other] { $judged } coups jugés sur { $moves }.
}
report-scores-only = Positions évaluées : { $scored } sur { $positions } ; aucun coup n’est jugé.
report-time-per-move = Temps par coup
report-seconds = { $seconds } s/coup
report-where = Où analyser
report-on-server = sur le serveur
report-in-tab = dans cet onglet
report-games = Parties à analyser
report-this-game = cette partie
report-all-games = les { $count } parties
report-analyse = Analyser la partie
report-analyse-games = Analyser les parties
report-again = Analyser à nouveau
report-accuracy = précision { $percent } %
report-inaccuracies = { $count } { $count ->
    [one] imprécision
   *[other] imprécisions
}
report-mistakes = { $count } { $count ->
    [one] erreur
   *[other] erreurs
}
report-blunders = { $count } { $count ->
    [one] gaffe
   *[other] gaffes
}
report-practise = S’entraîner
report-next-inaccuracy-white = Imprécision suivante des Blancs
report-next-mistake-white = Erreur suivante des Blancs
report-next-blunder-white = Gaffe suivante des Blancs
report-learn-white = Apprendre des erreurs des Blancs
report-next-inaccuracy-black = Imprécision suivante des Noirs
report-next-mistake-black = Erreur suivante des Noirs
report-next-blunder-black = Gaffe suivante des Noirs
report-learn-black = Apprendre des erreurs des Noirs
report-graph = Chances au fil de la partie ; naviguez par la liste des coups
report-start = début
times-trouble-label = zeitnot : il reste moins de { $limit }
times-summary = Temps pour chaque coup. En tout : { $white } ; { $black }. Zeitnot : moins de { $limit } à la pendule.
times-white = Blancs { $time }
times-black = Noirs { $time }
times-white-trouble = Blancs { $time }, en zeitnot à partir du coup { $move }
times-black-trouble = Noirs { $time }, en zeitnot à partir du coup { $move }

## Practice

practice = Entraînement
practice-number = Erreur { $number } sur { $total }
practice-found = { $count ->
    [one] { $count } trouvée jusqu’ici
   *[other] { $count } trouvées jusqu’ici
}
practice-show = Montrer le coup
practice-next = Suivante
practice-skip = Passer
practice-done = Terminer
practice-end = Arrêter
practice-checking = Vérification de { $move }…
practice-good = { $move } est bon.
practice-not-good-enough = { $move } ne suffit pas.
practice-refuted-by-white = { $move } ne suffit pas : les Blancs répondent { $answer }.
practice-refuted-by-black = { $move } ne suffit pas : les Noirs répondent { $answer }.
practice-engine-prefers = Le moteur préfère { $move }.
practice-inaccuracy-white = { $move } était une imprécision. Trouvez un meilleur coup pour les Blancs.
practice-mistake-white = { $move } était une erreur. Trouvez un meilleur coup pour les Blancs.
practice-blunder-white = { $move } était une gaffe. Trouvez un meilleur coup pour les Blancs.
practice-inaccuracy-black = { $move } était une imprécision. Trouvez un meilleur coup pour les Noirs.
practice-mistake-black = { $move } était une erreur. Trouvez un meilleur coup pour les Noirs.
practice-blunder-black = { $move } était une gaffe. Trouvez un meilleur coup pour les Noirs.

## The result

result-not-finished = Non terminée
result-white-won = 1–0 Gain blanc
result-black-won = 0–1 Gain noir
result-draw = ½–½ Nulle
result-question = Comment la partie s’est-elle terminée ?

## A game against an engine

play-offers-draw = Le moteur propose nulle.
play-connection-lost = connexion perdue : reconnexion, la pendule du moteur est arrêtée
play-silent = le serveur ne répond pas : la pendule du moteur est arrêtée
play-blocked = le moteur ne peut pas réfléchir pour le moment : sa pendule est arrêtée
play-your-move = à vous de jouer
play-thinking = le moteur réfléchit
play-take-back = Reprendre le coup
play-accept-draw = Accepter la nulle
play-offer-draw = Proposer nulle
play-yes-resign = Oui, abandonner
play-on = Continuer
play-resign = Abandonner
analyse = Analyser
play-rematch = Revanche

## The opening explorer and the tablebases

explorer = Explorateur d’ouvertures
explorer-reading = Lecture des parties…
find-position = Chercher cette position dans la bibliothèque
explorer-none = Pas encore de parties. Ouvrez un fichier de plusieurs parties pour voir ce qui a été joué dans chaque position, et avec quel résultat. Vos parties contre des moteurs comptent aussi.
explorer-own = { $count ->
    [one] { $count } partie que vous avez jouée ici contre un moteur
   *[other] { $count } parties que vous avez jouées ici contre des moteurs
}
explorer-file = { $count ->
    [one] { $count } partie dans le fichier
   *[other] { $count } parties dans le fichier
}
explorer-read-of = { $read } sur { $games }
explorer-no-continuation = Aucune d’elles ne continue à partir de cette position.
explorer-this-file = Ce fichier
explorer-played-here = Jouées ici
games = Parties
explorer-results = Résultats
explorer-share = Part
explorer-not-reached = Aucune partie n’a atteint cette position.
explorer-best-games = Meilleures parties avec cette position : { $count }
explorer-not-in-book = Cette position n’est pas dans le livre.
explorer-book = Un livre d’ouvertures : la fréquence de chaque coup.
explorer-no-results = sans résultat
explorer-outcome = Gain blanc { $white } %, nulle { $draw } %, gain noir { $black } %
explorer-list = Parties avec cette position : { $count }
explorer-list-first = Parties avec cette position : les { $count } premières sur { $total }
lookup-waiting = Recherche…
lookup-no-answer = Le serveur ne répond pas pour le moment.
table-move = Coup
tablebase = Table de finales
tablebase-dtz = DTZ : demi-coups avant la prochaine prise, la prochaine poussée de pion ou le mat, avec le meilleur jeu
tablebase-distance = Distance

## Keyboard shortcuts

help-title = Raccourcis clavier
# The names of keys, as they are written on keyboards.
key-home = Origine
key-end = Fin
key-space = Espace
key-delete = Suppr
key-shift-f10 = Maj+F10
key-ctrl-z = Ctrl+Z
key-ctrl-shift-z = Ctrl+Maj+Z
key-ctrl-v = Ctrl+V
help-moves = coup précédent, suivant ; aussi à la molette sur l’échiquier
help-variations = variante précédente, suivante
help-ends = début, fin de la variante
help-mistakes = erreur suivante, précédente d’une partie analysée
help-type = taper un coup
help-best = jouer le meilleur coup du moteur
help-engine = démarrer ou arrêter le moteur
help-arrows = afficher ou masquer les flèches
help-threat = afficher la menace
help-analyse = analyser la partie
help-comment = commenter le coup
help-menu = menu du coup, dans la liste des coups (accessible par Tab)
help-explorer = explorateur d’ouvertures : ce qui a été joué ici
help-flip = retourner l’échiquier
help-live = dans une salle : revenir à la position en direct
help-delete = supprimer le coup et tous les suivants
help-undo = annuler le dernier changement
help-redo = rétablir ce qui a été annulé
help-paste = coller un PGN ou un FEN
help-help = afficher ces raccourcis
help-drawing = Dessinez des flèches et des cercles avec le bouton droit de la souris ; Maj, Alt ou les deux donnent d’autres couleurs. Ils restent avec la position et dans le PGN. Redessinez-en un pour l’effacer, ou cliquez sur une case vide pour tout effacer.

## How other programs reach the engines

connect-title = Utiliser ces moteurs dans un logiciel d’échecs
connect-gui = Logiciel d’échecs
connect-gui-hint = Dans votre logiciel d’échecs, ajoutez un moteur UCI avec cette commande. Il se comporte comme un moteur local.
connect-socket-hint = Votre propre programme ouvre le WebSocket et parle UCI, une ligne par message.
connect-terminal = Terminal
# What is between ` is typed: it stays as it is.
connect-terminal-hint = Dans un terminal, tapez de l’UCI ligne par ligne : essayez `uci`, puis `go depth 10`.

## My analyses on the server

jobs-title = Mes analyses
jobs-asking = Interrogation du serveur…
jobs-none = Il n’y en a pas encore. Ouvrez une partie, choisissez « sur le serveur » sous ses coups, puis « Analyser la partie ». Le serveur continue même quand cette page est fermée.
jobs-go-on = Le serveur continue même quand cette page est fermée.
jobs-lost = Le serveur ne l’a plus. Il ne garde les résultats qu’un certain temps.
jobs-remove = Retirer de la liste
jobs-nameless = Sans nom
jobs-progress = Avancement de { $name }
jobs-kept-until = Conservée jusqu’au { $date }
jobs-pause = Suspendre
jobs-resume = Reprendre
# A button that asks `jobs-delete-question`.
jobs-ask-delete = Supprimer…
jobs-delete-name = Supprimer { $name }
jobs-delete-question = La supprimer, avec ses résultats ?
jobs-delete = Supprimer
jobs-keep = Garder
jobs-finish-game = Terminez d’abord la partie en cours sur l’échiquier
# The games that are analysed by now.
jobs-open-done = Ouvrir les parties analysées
jobs-open-games = Ouvrir les parties
jobs-download-pgn = Télécharger le PGN
jobs-download-results = Télécharger les résultats
jobs-all-games = { $total ->
    [one] { $total } partie
   *[other] { $total } parties
}
jobs-all-positions = { $total ->
    [one] { $total } position
   *[other] { $total } positions
}
# { $total } is 2 or more.
jobs-done-games = { $done } sur { $total } parties
jobs-done-positions = { $done } sur { $total } positions
# { $progress } is like “3 of 20 games” or “1 position”.
jobs-waiting = En attente d’un moteur : { $progress }
jobs-running = En cours : { $progress }
jobs-running-seconds = En cours : { $progress }, encore { $left } s environ
jobs-running-minutes = En cours : { $progress }, encore { $left } min environ
jobs-running-hours = En cours : { $progress }, encore { $left } h environ
jobs-paused = Suspendue : { $progress }
jobs-stopped = Arrêtée : { $reason }
jobs-stopped-unknown = Arrêtée : le serveur n’a pas dit pourquoi
# { $all } is like “20 games” or “1 position”.
jobs-finished = Terminée : { $all }
# None of them could be analysed.
jobs-finished-without-results = Terminée sans résultat : { $all }
jobs-finished-in-part = Terminée : { $all }, dont { $failed } sans résultat

## Apps that cannot sign in

devices-title = Applications qui ne peuvent pas se connecter
devices-hint = Des applications comme DroidFish ne connaissent pas les jetons. Laissez entrer cette adresse, puis indiquez l’hôte et le port dans l’application.
devices-hidden = Un proxy cache l’adresse de cet appareil, qui ne peut donc pas entrer : demandez à l’administrateur de ce serveur.
devices-place = Hôte et port de { $name }, pour { $engine }
devices-until = { $address } peut entrer jusqu’au { $date }.
devices-pair = Laisser entrer les applications à { $address }
devices-file = Fichier pour DroidFish
devices-unpair = Ne plus laisser entrer personne
devices-not-now = Le serveur ne peut pas changer cela pour le moment

## Links to shared games

shared-too-large = La partie est trop longue pour être partagée
shared-too-large-hint = Supprimez des variantes ou des commentaires.
shared-impossible = Le serveur ne peut pas partager cette partie
links-title = Lien vers cette partie
links-hint = Quiconque a le lien peut lire la partie et ses commentaires. Vous seul pouvez la modifier ou retirer le lien.
# A list with the next four.
links-time = Durée de validité du lien
links-for-week = une semaine
links-for-month = un mois
links-for-year = un an
links-until-withdrawn = jusqu’à ce que je le retire
links-make = Créer un lien
links-list = Mes liens
# The title of a shared game without players.
links-nameless = Partie sans noms
links-works-until = valable jusqu’au { $date }
links-works-until-withdrawn = valable jusqu’à son retrait
link = Lien
links-copied = Lien copié
# Buttons that ask one of the questions below.
links-ask-update = Mettre à jour…
links-ask-withdraw = Retirer…
links-change = Modifier le lien vers { $title }
links-update-question = Montrer sous ce lien la partie qui est maintenant sur l’échiquier ?
links-withdraw-question = Le lien ne mènera plus nulle part. Le retirer ?
links-update = Mettre à jour le lien
links-withdraw = Retirer le lien
links-keep = Le garder
links-frame = L’afficher sur une page web
links-html = HTML pour la page
links-html-copied = HTML copié
links-size = Taille sur la page
links-frame-hint = Cela marche sur les sites que l’administrateur de ce serveur a autorisés.

## Options of an engine

options-title = Options de { $engine }
options-no-control = Quelqu’un d’autre a la main : seul le nombre de variantes affichées dépend de vous.
options-none = Le moteur n’a pas encore donné la liste de ses options.
options-reset = Rétablir les valeurs par défaut
# The number of lines that the engine shows.
options-lines = Variantes
# “Search until” is followed by one of the next five, in a list, and then by a number.
options-until = Limite de recherche
options-until-stopped = aucune
options-until-depth = profondeur
options-until-seconds = secondes
options-until-nodes = nœuds
options-until-mate = mat en … coups
options-limit = Limite
# A number that was typed has to be from .. to ..
options-from-to = de { $min } à { $max }
options-range = { $min } à { $max }
options-invalid = valeur invalide
# The unit of “Hash”.
options-mebibytes = Mio

## The window for a game against an engine

play-title = Jouer contre un moteur
play-colour = Votre couleur
# A colour by chance.
play-random = Au hasard
play-clock = Cadence
play-minutes = { $minutes } min
# Minutes for the game, and seconds more for each move.
play-minutes-and-seconds = { $minutes } min + { $seconds } s
play-no-clock = Sans pendule
# Another clock, whose minutes and seconds are typed.
play-own-clock = Personnalisée
play-clock-fields = Minutes + secondes par coup
play-clock-minutes = Minutes
play-clock-seconds = Secondes par coup
play-strength = Force
play-full-strength = Pleine force
play-by-rating = Par Elo
play-by-level = Par niveau
play-level = Niveau
play-no-levels = Ce moteur n’a pas de niveaux plus faibles.
play-levels-unknown = Le moteur n’a pas encore donné la liste de ses niveaux.
play-ponders = Le moteur réfléchit sur votre temps
play-from-here = Jouer à partir de cette position

## Share

share-position = Lien vers cette position
download-game = Télécharger la partie
share-preview = Aperçu de l’échiquier
share-arrows = Afficher les flèches des meilleurs coups
share-png = Enregistrer en PNG
share-svg = Enregistrer en SVG
share-copy-picture = Copier l’image
share-picture-copied = Image copiée
share-picture-not-copied = Impossible de copier l’image
share-save-instead = Ce navigateur ne copie les images qu’en https : enregistrez-la plutôt.

## Names, date and result of the game

game = Partie
rating = Elo
headers-rating-of-white = Elo des Blancs
headers-rating-of-black = Elo des Noirs
event = Tournoi
headers-example-event = Championnat du club
headers-round = Ronde
headers-place = Lieu
# A town, as an example of a place.
headers-example-place = Cannes
headers-date = Date
headers-annotator = Commentaires de
headers-eco = Code ECO
result = Résultat
save = Enregistrer

## Setting up a position

piece-white-king = roi blanc
piece-white-queen = dame blanche
piece-white-rook = tour blanche
piece-white-bishop = fou blanc
piece-white-knight = cavalier blanc
piece-white-pawn = pion blanc
piece-black-king = roi noir
piece-black-queen = dame noire
piece-black-rook = tour noire
piece-black-bishop = fou noir
piece-black-knight = cavalier noir
piece-black-pawn = pion noir
setup-empty = vide
setup-white-pieces = pièces blanches
setup-black-pieces = pièces noires
setup-move = déplacer des pièces
setup-remove = retirer des pièces
setup-move-title = Déplacer des pièces ; glissez-les hors de l’échiquier pour les retirer
setup-remove-title = Retirer des pièces
setup-not-legal = Position illégale : { $fault }.
setup-legal = La position est légale.
setup-undo = Annuler
castling-white-short = Petit roque blanc
castling-white-long = Grand roque blanc
castling-black-short = Petit roque noir
castling-black-long = Grand roque noir
setup-to-move = Trait
setup-clear = Vider
cancel = Annuler
setup-castling = Roques
setup-en-passant = En passant
setup-no-square = Aucune
setup-start = Position initiale
setup-start-number = Numéro de la position initiale
setup-random = Position au hasard

## Rooms

room-stop-writing = Ne plus laisser modifier
room-let-write = Laisser modifier
room-remove = Exclure { $name }
room-last-change = Dernier changement : { $name }
room-your-name-here = Votre nom ici : { $name }
room-your-name = Votre nom
room-engine-closes = { $count ->
    [one] Changer de moteur ferme la salle pour { $count } spectateur.
   *[other] Changer de moteur ferme la salle pour { $count } spectateurs.
}
room-viewers = { $count ->
    [0] pas encore de spectateurs
    [one] 1 spectateur
   *[other] { $count } spectateurs
}
room-you-have-control = { $count ->
    [0] vous avez la main, pas d’autres spectateurs
    [one] vous avez la main, 1 autre spectateur
   *[other] vous avez la main, { $count } autres spectateurs
}
room-watching = { $count ->
    [0] vous regardez, pas d’autres spectateurs
    [one] vous regardez, 1 autre spectateur
   *[other] vous regardez, { $count } autres spectateurs
}
room = Salle
room-live = En direct
room-take-control = Reprendre la main
room-withdraw-offer = Retirer l’offre
room-give-control = Donner la main
room-elsewhere = Vous regardez une autre position.
room-back-to-live = Revenir au direct
room-back-to-live-title = Revenir au direct (v)
room-change-name = Changer de nom
room-save-name = Enregistrer le nom
room-yes-change = Oui, changer
room-keep-engine = Garder le moteur
room-give-back = Rendre la main
room-save-copy = Garder une copie
room-save-copy-title = Quitter avec une copie de la partie ; « Annuler » ramène la vôtre
room-leave = Quitter
room-offered = On vous propose la main.
room-accept = Accepter
room-decline = Refuser
room-owner = (hôte)
room-together = Analyser ensemble
room-explained = Laissez d’autres personnes suivre en direct cette partie et l’analyse du moteur. Vous gardez la main ; vous pouvez la donner à l’une d’elles, et en laisser d’autres modifier la partie. Quiconque a le lien peut regarder.
room-open = Ouvrir une salle
room-not-connected = Le moteur n’est pas connecté pour le moment.
room-anyone = Quiconque a le lien peut regarder.
room-viewers-link = Lien pour les spectateurs
room-lasts = La salle dure aussi longtemps que votre session, ou jusqu’à ce que vous la fermiez.
room-close = Fermer la salle
room-done = Terminé

## The library: files of games that this browser keeps

library = Bibliothèque
library-reading = { $count ->
    [one] Lecture : { $count } partie
   *[other] Lecture : { $count } parties
}
library-save-in = Enregistrer dans { $file }
# “My games” is the name of a file: it is “My games.pgn” in every language.
library-save-in-own = Enregistrer dans My games
library-earlier-of-game = Versions précédentes de cette partie
library-earlier = Versions précédentes
# The game as it was before { $time }, when it was saved.
library-before = avant le { $time }
# { $coding } is like “Western (Windows)”, a way to write letters in a file.
library-lacks-letters = { $path } est en { $coding }, qui n’a pas toutes les lettres de cette partie.
library-do-not-save = Ne pas enregistrer
library-save-utf8 = Enregistrer, et passer le fichier en UTF-8
library-empty = Les fichiers de plusieurs parties que vous ouvrez sont conservés ici.
library-deleted = { $path } supprimé
library-undo = Annuler
library-files = Fichiers
library-files-in = Fichiers de { $folder }
library-download-as-one = Tout télécharger en un fichier
library-download-each = Télécharger chaque fichier
library-name = Nom ; une barre oblique crée un dossier
library-rename = Renommer
library-rename-file = Renommer ou déplacer { $file }
library-download-file = Télécharger { $file }
library-delete-file = Supprimer { $file }
library-games = { $count ->
    [one] { $count } partie
   *[other] { $count } parties
}
# { $shown } is 100.
library-games-first = { $count } parties, dont les { $shown } premières sont affichées
library-search = Chercher dans la bibliothèque
library-search-hint = Chercher dans la bibliothèque : joueurs, tournoi, date, résultat
library-search-by = Chercher par position, ouverture, joueurs, date
# A condition of the search, like “Event: Leipzig”; several are joined by commas.
library-condition = { $name } : { $value }
# A player of White or Black.
library-either-player = L’un des joueurs
library-opening = Ouverture
library-example-opening = B90 ou Najdorf
# The first and the last date of the games that are searched, with examples.
library-from = À partir de
library-example-from = 2024 ou 2024.05.31
library-to = Jusqu’à
library-example-to = 2026
library-rated = Elo minimum des deux
library-any-result = Tous les résultats
library-white-won = Gain blanc
library-black-won = Gain noir
library-draw = Nulle
library-folder = Dossier
library-all-folders = Tous
library-clear = Effacer
library-in-any-position = Dans toute position
# A button: search the games with this position.
library-search-position = Avec la position de l’échiquier
library-with-position = Parties avec la position de l’échiquier
library-with-other-position = Parties avec une autre position
library-with-position-explained = Parties avec la position de l’échiquier dans leur variante principale, quel que soit l’ordre des coups.
library-with-other-position-explained = Parties avec une autre position dans leur variante principale, quel que soit l’ordre des coups.
library-show = Afficher les parties
library-show-games = { $count ->
    [one] Afficher { $count } partie
   *[other] Afficher { $count } parties
}
library-indexed = Recherche par position et ouverture possible dans { $done } parties sur { $total } pour l’instant
library-pause = Suspendre
library-continue = Continuer
library-searching = Recherche…
library-found = Parties trouvées
library-download-found = Télécharger toutes les parties trouvées
library-no-matching = Aucune partie ne correspond.
library-saved-in = Enregistrée dans { $file }
library-saved-as-new = Enregistrée comme nouvelle partie
library-saved-as-new-reason = Elle a été modifiée ailleurs depuis que vous l’avez ouverte.
# Stands for a file without a name: “Saved in the library”.
library-itself = la bibliothèque
# The next ones follow a title and a colon, so they begin with a small letter.
library-waits = la bibliothèque attend un autre onglet dont la page est plus ancienne : fermez cet onglet ou rechargez-le
library-closed = la bibliothèque est utilisée par une page plus récente dans un autre onglet : rechargez cette page pour l’utiliser ici
library-full = ce navigateur n’a plus de place : téléchargez un fichier de la bibliothèque, supprimez-le ici, puis réessayez
library-not-there = un fichier n’est plus là, ou sa lecture a été interrompue
library-too-large = ce fichier est trop gros : { $size } Mo pour une limite de { $limit } Mo ; divisez-le
library-unreadable = le fichier n’a pas pu être lu

sync-keep = Conserver sur le serveur
sync-keep-file = Conserver sur le serveur : { $file }
# How a file here stands, compared with the one on the server.
sync-same = Identique sur le serveur
sync-here = Modifié ici, pas encore envoyé
sync-there = Modifié sur un autre ordinateur
sync-both = Modifié ici et sur un autre ordinateur
sync-offline = Pas de connexion
sync-offline-here = Pas de connexion : envoi plus tard
sync-released = { $file } n’est plus que dans ce navigateur
sync-released-hint = Vos autres ordinateurs le perdront en ouvrant la bibliothèque.
sync-folder-released = Les fichiers de { $folder } ne sont plus que dans ce navigateur
sync-folder-released-hint = Vos autres ordinateurs les perdront en ouvrant la bibliothèque.
# The name of a file after it was changed on two computers.
sync-from-here = { $name } (de cet ordinateur)
sync-too-large = Le fichier est trop gros pour le serveur
sync-too-large-hint = Il reste dans ce navigateur ; divisez-le pour le conserver sur le serveur.
sync-bad-name = Le serveur n’accepte pas ce nom
sync-bad-name-hint = Renommez le fichier.
sync-not-now = Le serveur ne peut pas conserver de fichiers pour l’instant
# A game without the names of its players.
game-number = Partie { $number }

## The window that opens a game or a position

import-text = PGN ou FEN
import-hint = Collez ici un PGN (une ou plusieurs parties) ou un FEN, ou déposez un fichier n’importe où sur la page.
import-file = Fichier de parties
# How the letters are written in the file: its encoding.
import-encoding = Encodage du fichier
import-search = Chercher des parties
import-search-games = Chercher parmi { $count } parties
import-showing = { $shown } affichées sur { $count } : cherchez pour trouver les autres.
import-played-here = Jouées ici

## How a game against an engine ended, and its strength

outcome-white-mates = Les Blancs gagnent par mat
outcome-black-mates = Les Noirs gagnent par mat
outcome-white-wins-on-time = Les Blancs gagnent au temps
outcome-black-wins-on-time = Les Noirs gagnent au temps
outcome-white-resigns = Les Blancs abandonnent
outcome-black-resigns = Les Noirs abandonnent
outcome-white-made-no-move = Les Blancs n’ont pas joué de coup légal
outcome-black-made-no-move = Les Noirs n’ont pas joué de coup légal
# Black's time is over, but White has too few pieces to mate.
outcome-white-cannot-mate = Nulle : les Noirs sont tombés au temps, mais les Blancs ne peuvent pas mater
outcome-black-cannot-mate = Nulle : les Blancs sont tombés au temps, mais les Noirs ne peuvent pas mater
outcome-stalemate = Nulle par pat
outcome-material = Nulle par manque de matériel
outcome-fifty-moves = Nulle par la règle des cinquante coups
outcome-repetition = Nulle par triple répétition
outcome-agreement = Nulle par accord mutuel
# Behind the name of an engine that does not play at full strength.
play-at-level = niveau { $level }
play-declines = Le moteur refuse la nulle
play-declines-reason = Il pense pouvoir faire mieux.

## The words of the explorer and of the tablebases

explorer-rating = Elo moyen { $rating }
explorer-year = joué pour la dernière fois en { $year }
explorer-rating-and-year = Elo moyen { $rating }, joué pour la dernière fois en { $year }
# What a move does for the side that plays it; in a narrow column.
tablebase-wins = gain
tablebase-draws = nulle
tablebase-loses = perte
tablebase-checkmate = Échec et mat
tablebase-stalemate = Pat
tablebase-draw = Nulle avec le meilleur jeu
# { $side } is the side to move: “white” or “black”.
tablebase-side-wins = { $side ->
    [white] Les Blancs gagnent
   *[black] Les Noirs gagnent
}
tablebase-side-wins-or-draws = { $side ->
    [white] Les Blancs gagnent, ou annulent par la règle des cinquante coups
   *[black] Les Noirs gagnent, ou annulent par la règle des cinquante coups
}
tablebase-side-wins-too-late = { $side ->
    [white] Les Blancs annulent : le gain demande plus de cinquante coups
   *[black] Les Noirs annulent : le gain demande plus de cinquante coups
}
tablebase-side-loses-too-late = { $side ->
    [white] Les Blancs annulent : leur défaite demande plus de cinquante coups
   *[black] Les Noirs annulent : leur défaite demande plus de cinquante coups
}
tablebase-side-loses-or-draws = { $side ->
    [white] Les Blancs perdent, ou annulent par la règle des cinquante coups
   *[black] Les Noirs perdent, ou annulent par la règle des cinquante coups
}
tablebase-side-loses = { $side ->
    [white] Les Blancs perdent
   *[black] Les Noirs perdent
}
# Behind a move, in a narrow column: how the game ends or how far the next step is.
tablebase-detail-mate = mat
tablebase-detail-stalemate = pat
tablebase-detail-material = trop peu de pièces
# The fifty-move rule makes a draw of it.
tablebase-detail-fifty = cinquante coups
tablebase-detail-distance = DTZ { $distance }
# The fifty-move rule may make a draw of it.
tablebase-detail-distance-or-fifty = DTZ { $distance } ou cinquante coups
tablebase-detail-or-fifty = ou cinquante coups

## What is wrong with a position that is set up

# Stands in “Not legal: ….”, so it has no full stop.
setup-no-king = { $color ->
    [white] les Blancs n’ont pas de roi
   *[black] les Noirs n’ont pas de roi
}
setup-kings = { $color ->
    [white] les Blancs ont { $count } rois au lieu d’un
   *[black] les Noirs ont { $count } rois au lieu d’un
}
setup-men = { $color ->
    [white] les Blancs ont { $count } pièces, le maximum est { $most }
   *[black] les Noirs ont { $count } pièces, le maximum est { $most }
}
# { $square } is like “a8”.
setup-pawn-on = un pion ne peut pas se trouver en { $square }
# { $count } is 9 or more.
setup-pawns = { $color ->
    [white] Les Blancs ont { $count } pions : inhabituel, mais analysable
   *[black] Les Noirs ont { $count } pions : inhabituel, mais analysable
}
# For screen readers.  The keys k q r b n p are those of the keyboard, and stay as they are.
setup-board = Échiquier : les flèches choisissent une case, k q r b n p posent une pièce blanche, avec Maj une noire, Suppr la retire

## What is wrong with a FEN, a PGN or a link

# The letters w, b, K, Q, R, B and N, the tags and the words in “ ” are those of FEN, PGN and UCI.
fen-no-placement = FEN invalide : un FEN doit au moins donner le placement des pièces
fen-unreadable = FEN invalide : { $fen }
fen-side = le trait doit être « w » ou « b », pas « { $side } »
fen-ranks = FEN invalide : il faut 8 rangées séparées par « / », pas { $count }
fen-rank = FEN invalide : la rangée { $rank } doit avoir des pièces et des chiffres, pas « { $said } »
fen-rank-squares = FEN invalide : la rangée { $rank } doit avoir 8 cases, pas { $count }
fen-kings = { $color ->
    [white] les Blancs doivent avoir un roi, pas { $count }
   *[black] les Noirs doivent avoir un roi, pas { $count }
}
fen-men = { $color ->
    [white] les Blancs ont { $count } pièces, le maximum est { $most }
   *[black] les Noirs ont { $count } pièces, le maximum est { $most }
}
fen-pawns = un pion ne peut pas être sur la première ou la dernière rangée
# { $fault } is a word of a program.
position-not-legal = la position est illégale : { $fault }
position-in-check = { $color ->
    [white] la position est illégale : les Blancs sont en échec alors que le trait est aux Noirs
   *[black] la position est illégale : les Noirs sont en échec alors que le trait est aux Blancs
}
import-position = après « position », il faut « startpos » ou « fen ... », pas « { $said } »
import-variant = la variante de jeu « { $variant } » n’est pas encore prise en charge
import-address = c’est une adresse web : copiez le PGN ou le FEN de cette page
import-setup = la partie a une balise SetUp, mais pas de balise FEN
import-number = la partie commence au coup { $number }, mais n’a pas de balise FEN
import-too-long = c’est trop long : { $length } caractères, la limite est de { $limit }
import-nothing = aucune partie ni position trouvée : collez un PGN, un FEN, des coups (e4 e5, ou e2e4 e7e5) ou l’adresse d’une position
import-letters = « { $move } » n’est pas un coup légal : notez les pièces K, Q, R, B et N
import-first-move = « { $move } » n’est pas un coup légal dans la position initiale : il manque le FEN
import-illegal = il y a un coup illégal, « { $move } » : seuls les coups précédents sont affichés
import-illegal-in-link = le lien contient un coup illégal, « { $move } » : seuls les coups précédents sont affichés

## What is wrong with names, date and result of a game

# They stand behind the name of the field.
headers-too-long = { $most } caractères au plus
headers-no-rating = un Elo est un nombre, par ex. 1850
# A code of an opening (ECO).
headers-no-code = un code s’écrit comme B90
headers-is-draw = la partie est nulle
headers-is-mate = la partie se termine par un mat
headers-no-date = écrivez une date comme 2026.11.26, 26.11.2026, ou seulement l’année
headers-no-month = il n’y a pas de mois { $month }
headers-no-day = ce mois n’a pas de jour { $day }

## More on a position that is set up

# Stands in “Not legal: ….”
setup-in-check = { $color ->
    [white] les Blancs sont en échec alors que le trait est aux Noirs
   *[black] les Noirs sont en échec alors que le trait est aux Blancs
}

## Practice without an answer

practice-no-answer = Le moteur n’a pas répondu
practice-try-again = Rejouez le coup.

## The menu of a move, its comment and its time

menu-comment = Commenter…
menu-move-up = Monter cette variante
menu-delete = Supprimer à partir d’ici
menu-delete-others = Supprimer toutes les autres variantes
menu-copy-moves = Copier les coups jusqu’ici
menu-copy-pgn = Copier le PGN à partir d’ici
menu-rate = Annoter le coup
copied = Copié
copy-not-allowed = Ce navigateur ne laisse pas la page copier
player-move-time = Temps pour { $move }
# { $move } is like “3... Nf6”.
comment-on-move = Commenter { $move }
comment-on-game = Commenter la partie
comment-name = Commentaire
comment-write = Écrivez un commentaire

## A storage that is full

storage-full = Vos derniers changements ne sont pas enregistrés
storage-full-text = Ce navigateur n’a plus de place pour ce que cette page conserve.
storage-full-hint = Téléchargez la partie avant de fermer la page.

## A shared game in a frame of another page

embed-title = Rookery : une partie partagée
embed-fetching = Chargement de la partie…
embed-open = Ouvrir sur { $server }
# The name of the row of buttons, for screen readers.
embed-steps = Navigation
embed-no-address = Cette adresse ne mène à aucune partie
embed-no-address-text = Elle doit se terminer par # et l’identifiant d’une partie partagée, comme /embed#AbCdEf. Sur le serveur, « Partager » donne l’adresse complète à copier.

## Analyses of the server

jobs-gone = Le serveur n’a plus cette analyse
jobs-gone-hint = Il ne garde les résultats qu’un certain temps. Analysez la partie à nouveau.
jobs-changed = Ce n’est plus possible
jobs-changed-hint = L’analyse a changé entre-temps : regardez où elle en est.
jobs-full = Le serveur ne peut pas garder plus d’analyses pour vous
jobs-full-hint = Supprimez-en une dont vous n’avez plus besoin, puis réessayez.
# The server says what is wrong, in a sentence between these two.
jobs-impossible = Le serveur ne peut pas analyser cela
jobs-impossible-hint = Corrigez ce qu’il signale, ou analysez la partie dans cet onglet.
jobs-not-now = Le serveur ne peut pas s’occuper des analyses pour le moment
jobs-not-now-hint = Réessayez plus tard, ou analysez la partie dans cet onglet.
jobs-refused = Le serveur a refusé
jobs-refused-hint = Réessayez plus tard, ou adressez-vous à son administrateur.

## The project beside the board

project = Projet
project-nameless = Projet sans nom
# A button beside the engine: the position becomes a tree that the server works on.
project-keep = Garder cette analyse comme projet
project-close = Fermer le projet
project-pause = Suspendre
project-go-on = Continuer
project-go-on-title = Avec le double de ce qui est épuisé du budget
project-progress = Positions du budget que l’arbre contient
# Searches for the tree of a project.
project-growing = { $count ->
    [one] Croît : une recherche en cours
   *[other] Croît : { $count } recherches en cours
}
project-queued = En attente d’un moteur libre
project-paused = Suspendu
# The reason is one of those below, or a sentence of the server in English.
project-paused-why = Suspendu : { $reason }
project-finished = Terminé
project-finished-why = Terminé : { $reason }
project-building = En cours de fusion : il grandira de nouveau quand le nouvel arbre sera complet
project-failed = Arrêté : le serveur n’a pas dit pourquoi
project-failed-why = Arrêté : { $reason }
# Reasons why a project does not grow.
project-cause-positions = il a autant de positions qu’il devait en avoir
project-cause-nodes = il a cherché autant de nœuds qu’il devait en chercher
project-cause-cpu = il a pris autant de temps CPU qu’il devait en prendre
project-cause-until = son temps est écoulé
project-cause-stable = son meilleur coup est resté le même assez longtemps
project-cause-exhausted = il n’y a plus rien à chercher
project-cause-quota = vos projets ont autant de positions qu’ils peuvent en avoir
project-cause-engine = les moteurs ne peuvent pas chercher pour lui
project-cause-damage = le serveur ne peut pas lire ce qu’il en a gardé
project-positions = { $count ->
    [one] { $count } position
   *[other] { $count } positions
}
# Of all searches; the number is short, like 5.2M.
project-nodes = { $nodes } nœuds
project-cpu = { $time } de temps CPU
project-unknown = Cette position n’est pas dans l’arbre.
project-add-position = L’ajouter à l’arbre
project-to-root = À la racine de l’arbre
project-unsearched = attend sa recherche
project-checkmate = mat
project-stalemate = pat
project-dead-draw = aucun camp ne peut mater
project-from-tablebase = d’une table de finales
project-search-failed = les moteurs échouent dans cette position
# Of a value: it is a fact.
project-proven = prouvé
project-own-search = sa propre recherche : { $value }, profondeur { $depth }
project-searching = recherche en cours
project-main-line = Ligne principale de l’arbre
project-moves = Coups de l’arbre
project-all = Montrer les { $count } coups
project-fewer = Montrer seulement les meilleurs coups
# The heads of columns have little room.
project-value = Valeur
project-value-title = Remontée des positions après le coup
project-own = Rech.
project-own-title = Par la recherche de cette position
project-next-search = Par la recherche de cette position ; la suivante a été explorée à la profondeur { $depth } ({ $nodes } nœuds)
project-trend = Évolution
project-trend-words = La valeur pendant la croissance : { $values }
project-height = Prof.
project-height-title = Demi-coups jusqu’à la position la plus profonde après le coup
project-size = Positions
project-size-title = Positions après le coup
project-share = { $share } de toutes après cette position
# Marks of a move, each a word: only this one and others with the mark are searched.
project-is-pinned = seul
project-is-added = ajouté
project-is-excluded = exclu
# By repetition or the fifty-move rule.
project-is-repetition = nulle
# To a position before this one.
project-returns = revient
# Legal moves that no search has listed.
project-others = { $count ->
    [one] { $count } autre coup
   *[other] { $count } autres coups
}
project-other-moves = Les autres coups
# The growth of the tree: a menu follows.
project-steer = Diriger
project-steer-move = Diriger { $move }
project-exclude = Exclure ce coup
project-include = Autoriser à nouveau ce coup
project-pin = Seulement ce coup, et d’autres ainsi marqués
project-unpin = Plus seulement ce coup
project-deepen = Chercher plus profond ici
project-add-move = Ajouter ce coup à l’arbre
project-exclude-others = Exclure tous les autres coups
project-include-others = Autoriser à nouveau les autres coups
# What the user has done; an undo follows.
project-done-exclude = { $move } : exclu.
project-done-include = { $move } : autorisé à nouveau.
project-done-pin = { $move } : seulement ce coup, et d’autres ainsi marqués.
project-done-unpin = { $move } : plus seulement ce coup.
project-done-add = { $move } : ajouté.
project-done-deepen = Une nouvelle recherche commence, avec quatre fois plus de nœuds.
project-undo = Annuler
# The last visit; the number of changes follows.
project-since = Depuis le { $date } :
project-changes = { $count ->
    [one] { $count } changement
   *[other] { $count } changements
}
project-grown = { $count ->
    [one] { $count } position ajoutée.
   *[other] { $count } positions ajoutées.
}
project-root-best = Meilleur coup à la racine : { $from } est devenu { $to } ({ $before } → { $after })
project-root-value = Valeur à la racine, avec { $move } : { $before } → { $after }
project-change = Après { $line } : { $move } est maintenant le meilleur ({ $value })
project-seen = Marquer comme vu
project-map = Carte de l’arbre
# The first position of a tree.
project-root = racine
project-map-cell = { $line } : { $count ->
    [one] { $count } position
   *[other] { $count } positions
}, { $value }
project-map-new-cell = { $line } : { $count ->
    [one] { $count } position
   *[other] { $count } positions
}, { $value }, avec de nouvelles positions
# Subtrees, with their positions.
project-map-largest = Les plus grands : { $moves }.
project-map-newest = Les plus récents : { $lines }.
project-map-keys = La largeur montre les positions, la couleur la valeur : le bleu est meilleur que la racine pour les Blancs, l’orange moins bon ; plus la couleur est vive, plus c’est récent. Les flèches parcourent l’arbre, Entrée montre une position sur l’échiquier.
project-table-white = Les Blancs gagnent d’après une table de finales à { $plies } demi-coups
project-table-black = Les Noirs gagnent d’après une table de finales à { $plies } demi-coups

## The window with the projects of the account

projects = Projets
projects-title = Mes projets
projects-asking = Interrogation du serveur…
# Two sentences: what a project is, and how to begin one.
projects-none = Un projet est une position sur laquelle le serveur travaille des heures ou des nuits, sous la forme d’un arbre de coups qui est conservé. Mettez une position sur l’échiquier et appuyez sur « Nouveau projet », ou sur le signet à côté du moteur.
projects-go-on = Le serveur continue quand cette page est fermée.
# positions and room are short numbers, like 5.2M.
projects-room = { $count } projets sur { $most }, { $positions } positions sur { $room }
projects-all = Tous les projets
projects-new = Nouveau projet
projects-settings-of = Réglages de { $name }
projects-export-of = Exporter { $name }
projects-copy-of = Copier { $name }
projects-merge-into = Fusionner un projet dans { $name }
projects-import-into = Ajouter des parties à { $name }
projects-changed = Modifié { $date }
# The value of the move follows.
projects-best = Meilleur : { $move }
projects-settings = Réglages…
projects-export = Exporter…
projects-more = Plus…
projects-less = Moins
projects-more-of = Plus pour { $name }
projects-copy = Copier…
projects-merge = Fusionner…
projects-import = Ajouter un PGN…
projects-delete-question = { $count ->
    [one] Le supprimer, avec sa position ?
   *[other] Le supprimer, avec ses { $count } positions ?
}
projects-name = Nom
# After what the server says is wrong; its words are English.
projects-expected = Attendu : { $expected }
projects-start = Position
projects-from-board = Celle de l’échiquier, avec les coups qui précèdent et les variantes qui suivent
projects-from-fen = Un FEN
projects-from-pgn = Une partie en PGN, dont les coups et variantes sont analysés d’abord
projects-engines = Moteurs
projects-options-of = { $count ->
    [0] Options de { $engine }
   *[other] Options de { $engine } ({ $count } modifiées)
}
projects-growth = Comment il grandit
projects-for = But
projects-for-understanding = Comprendre la position
projects-for-white = Répertoire des Blancs
projects-for-black = Répertoire des Noirs
projects-own-choice = Votre propre choix
# The time that an engine takes for each position.
projects-effort = Chaque position
projects-quick = Rapide ({ $nodes } nœuds)
projects-normal = Normal ({ $nodes } nœuds)
projects-deep = Profond ({ $nodes } nœuds)
projects-own-nodes = Votre propre nombre
projects-nodes = Nœuds par position
projects-seconds = Secondes par position, au plus
projects-width = Largeur
projects-narrow = Étroite
projects-rather-narrow = Plutôt étroite
projects-balanced = Équilibrée
projects-rather-wide = Plutôt large
projects-wide = Large
# cp: hundredths of a pawn.
projects-own-width = { $width } cp
projects-width-hint = Étroite suit loin les meilleurs coups ; large regarde plus de coups, et moins loin.
projects-each-side = Chaque camp séparément
projects-white-to-move = Trait aux Blancs
projects-black-to-move = Trait aux Noirs
# How many moves of a position get positions of their own.
projects-follow = Suivre
projects-all-moves = tous les bons coups
projects-best-moves = { $count ->
    [one] le meilleur coup seulement
   *[other] les { $count } meilleurs coups
}
projects-lines = Coups qu’une recherche compare
projects-end = Quand il se termine
projects-end-hint = À la première de ces limites ; ce qui est vide n’en est pas une. Vous pouvez continuer à tout moment.
projects-no-limit = sans limite
projects-until-positions = Positions dans l’arbre
projects-until-nodes = Millions de nœuds
projects-until-hours = Heures de CPU
projects-until-date = Date et heure
projects-until-stable = Positions sans autre meilleur coup
projects-begin = Commencer
projects-format = Format
projects-as-pgn = PGN, avec variantes et valeurs
projects-as-book = Livre d’ouvertures (Polyglot)
projects-as-lines = Toutes les positions (NDJSON)
projects-plies = Demi-coups au plus
projects-most-positions = Positions au plus
projects-visits = Positions au moins derrière un coup
projects-download = Télécharger
projects-addresses = Adresses pour programmes d’ouvertures
projects-addresses-hint = Un programme qui interroge chessdb.cn peut interroger ce projet : il met un FEN derrière l’adresse. Si le serveur veut un jeton, il est envoyé dans l’en-tête Authorization.
projects-queryall = Tous les coups (queryall)
projects-querypv = Ligne principale (querypv)
projects-address-copied = Adresse copiée
# The name of a copy.
projects-copy-name = { $name } (copie)
projects-copy-hint = La copie a les mêmes moteurs et réglages. Elle est en pause, et ne se termine d’elle-même que si vous dites quand.
projects-copy-whole = Tout l’arbre
projects-copy-part = À partir de la position de l’échiquier
projects-make-copy = Copier
projects-merge-none = Il n’y a pas d’autre projet à fusionner dans celui-ci.
projects-merge-hint = Les positions de l’autre projet sont ajoutées si sa racine est dans cet arbre. Là où les deux en ont une, la recherche la plus longue compte. L’autre projet reste.
projects-merge-from = Autre projet
projects-merge-now = Fusionner
projects-merged = Fusionné
projects-now = { $count ->
    [one] L’arbre a maintenant une position.
   *[other] L’arbre a maintenant { $count } positions.
}
projects-import-hint = Les coups et variantes d’une partie sont ajoutés à partir de la racine, et analysés avant tous les autres.
projects-import-now = Ajouter
projects-imported = Ajouté
projects-added = { $count ->
    [0] Toutes les positions étaient déjà dans l’arbre.
    [one] Une position a été ajoutée.
   *[other] { $count } positions ont été ajoutées.
}

## Projects of the server

projects-gone = Le serveur n’a pas ce projet
projects-gone-hint = Il a été supprimé, ou il est à un autre compte.
projects-not-so = Ce n’est pas possible maintenant
projects-not-so-hint = Le projet a changé entre-temps : regardez-le à nouveau.
projects-too-large = C’est trop pour le serveur
# The server says what is wrong, in a sentence after this.
projects-impossible = Le serveur ne peut pas faire cela
projects-not-now = Le serveur ne peut pas utiliser ses projets maintenant

## Files and games that are opened

file-empty = « { $name } » est vide : choisissez un fichier texte avec des parties (PGN) ou des positions (FEN, EPD)
file-blank = « { $name } » ne contient que des espaces : choisissez un fichier texte avec des parties (PGN) ou des positions (FEN, EPD)
file-picture = « { $name } » est une image : choisissez un fichier texte avec des parties (PGN) ou des positions (FEN, EPD)
file-sound = « { $name } » est un son ou une vidéo : choisissez un fichier texte avec des parties (PGN) ou des positions (FEN, EPD)
file-pdf = « { $name } » est un document PDF : choisissez un fichier texte avec des parties (PGN) ou des positions (FEN, EPD)
file-office = « { $name } » est un document bureautique : choisissez un fichier texte avec des parties (PGN) ou des positions (FEN, EPD)
file-web-page = « { $name } » est une page web : choisissez un fichier texte avec des parties (PGN) ou des positions (FEN, EPD)
file-zip = « { $name } » est une archive zip : décompressez-la d’abord, puis ouvrez le fichier de parties qu’elle contient
file-compressed = « { $name } » est un fichier compressé : décompressez-le d’abord, puis ouvrez le fichier de parties qu’il contient
file-database = « { $name } » est une base de données d’un logiciel d’échecs : exportez-y les parties en PGN, puis ouvrez ce PGN
file-binary = « { $name } » n’est pas du texte : choisissez un fichier texte avec des parties (PGN) ou des positions (FEN, EPD)
file-folder = « { $name } » est un dossier, ou est illisible : choisissez un fichier texte avec des parties (PGN) ou des positions (FEN, EPD)

## Problems with the server and with engines

# A title, what to do (-hint), and a sentence (-text) where the server has sent none.
notice-unauthorized = Connexion requise
notice-unauthorized-hint = Demandez un jeton à l’administrateur de ce serveur.
notice-too-many-tries = Trop de jetons erronés
notice-too-many-tries-hint = Attendez le temps indiqué, puis réessayez.
notice-token-in-url = L’adresse contient un jeton
notice-token-in-url-hint = Faites-le révoquer : quelqu’un l’a peut-être vu.
notice-wrong-host = Mauvais nom de serveur
notice-wrong-host-hint = Ouvrez la page sous le vrai nom du serveur.
notice-wrong-origin = Cette page n’a pas le droit d’utiliser le serveur
notice-wrong-origin-hint = Ouvrez la page depuis le serveur lui-même.
notice-wrong-protocol = Ce port est réservé à l’UCI par TCP
notice-wrong-protocol-hint = Utilisez l’autre port.
notice-unknown-engine = Ce moteur n’existe pas
notice-unknown-engine-hint = { notice-choose-engine }
notice-choose-engine = Choisissez un autre moteur.
notice-engine-failed = Le moteur ne peut pas démarrer
notice-engine-failed-hint = Choisissez un autre moteur, ou adressez-vous à l’administrateur.
notice-engine-failed-text = le moteur n’est plus là
notice-engine-away = La machine du moteur est hors ligne
notice-engine-away-hint = La page l’attend ; vous pouvez choisir un autre moteur.
notice-no-engine = Le moteur n’a pas pu démarrer
notice-no-engine-hint = Essai avec un autre.
notice-engine-died = Le moteur a planté et va être remplacé
notice-line-too-long = La partie est trop longue à envoyer
notice-line-too-long-hint = { notice-later-position }
notice-later-position = Continuez à partir d’une position ultérieure.
notice-line-too-long-text = une ligne a au plus 65536 octets
notice-not-a-line = Le serveur n’a pas pu lire un message
notice-unknown-command = Commande inconnue
notice-bad-command = Le serveur n’a pas compris cette commande
notice-command-refused = Cette commande n’est pas disponible ici
notice-file-refused = Les fichiers du serveur ne sont pas accessibles
notice-unknown-option = Le moteur n’a pas cette option
notice-option-refused = Cette option ne peut pas être changée ici
notice-bad-value = Valeur d’option invalide
notice-bad-value-hint = L’ancienne valeur est conservée.
notice-option-clamped = La valeur de l’option a été réduite
notice-illegal-position = Le serveur a refusé cette position
notice-illegal-position-hint = Modifiez la position.
notice-position-mended = La position a été corrigée
notice-position-too-long = La partie a trop de coups
notice-position-too-long-hint = { notice-later-position }
notice-position-lost = Le moteur a perdu la position
notice-position-lost-hint = Remettez-la en place.
notice-too-many-lines = { too-many-requests }
notice-too-many-lines-hint = { notice-wait-a-moment }
notice-wait-a-moment = Attendez un instant.
notice-gap = Des messages se sont perdus entre-temps
notice-gap-hint = La recherche recommence.
notice-unknown-session = De nouveau connecté
notice-unknown-session-text = Rien n’est perdu sur l’échiquier ; le moteur recommence.
notice-ended = L’administrateur a mis fin à la session
notice-ended-hint = Adressez-vous à l’administrateur, ou reconnectez-vous.
notice-ended-text = l’administrateur ou une limite y a mis fin
notice-unknown-room = Cette salle n’existe pas
notice-unknown-room-hint = Redemandez le lien.
notice-unknown-room-text = Elle a peut-être été fermée.
notice-room-full = Trop de spectateurs
notice-room-full-hint = { try-again-later }
notice-room-removed = L’hôte vous a exclu de la salle
notice-room-too-slow = Déconnecté : la page prenait du retard
notice-room-too-slow-hint = Rejoignez la salle à nouveau.
notice-room-read-only = Les spectateurs ne peuvent pas modifier l’analyse
notice-room-handed-over = Quelqu’un d’autre a maintenant la main
notice-room-refused = Ce n’est pas possible dans cette salle pour le moment
notice-jobs-off = Ce serveur n’analyse pas de parties tout seul
notice-jobs-off-hint = { notice-ask-operator }
notice-ask-operator = Adressez-vous à l’administrateur.
notice-quota-jobs = Vous ne pouvez pas enregistrer plus d’analyses
notice-quota-jobs-hint = Supprimez-en une dont vous n’avez plus besoin.
notice-quota-stored = Vous ne pouvez pas enregistrer plus de parties
notice-quota-stored-hint = Supprimez une analyse dont vous n’avez plus besoin.
notice-games-off = Ce serveur ne partage pas de parties
notice-games-off-hint = Adressez-vous à son administrateur.
notice-quota-games = Vous ne pouvez pas partager plus de parties
notice-quota-games-hint = Retirez-en une dont vous n’avez plus besoin.
notice-library-off = Ce serveur ne conserve pas de fichiers
notice-library-off-hint = Ils restent dans ce navigateur.
notice-quota-library = Il n’y a plus de place pour vos fichiers sur le serveur
notice-quota-library-hint = Supprimez-y un fichier dont vous n’avez plus besoin.
notice-projects-off = Ce serveur ne tient pas de projets
notice-projects-off-hint = Adressez-vous à son administrateur.
notice-quota-projects = Vous n’avez plus de place pour d’autres projets
notice-quota-projects-hint = Supprimez un projet dont vous n’avez plus besoin.
notice-quota-rooms = Vous ne pouvez pas ouvrir plus de salles
notice-quota-rooms-hint = Fermez-en d’abord une.
notice-cached = La position est connue
notice-waiting = En attente d’un moteur libre
notice-no-search = Aucun moteur n’a analysé cette position
notice-no-search-hint = { try-again-later }
notice-queue-full = Aucun moteur n’est libre, et la file d’attente est pleine
notice-queue-full-hint = { try-again-later }
notice-quota-sessions = Vous avez trop d’échiquiers ouverts
notice-quota-sessions-hint = Fermez d’abord un autre échiquier ou programme.
notice-quota-cpu = Votre temps de moteur pour cette heure est épuisé
notice-quota-cpu-hint = Le message indique quand réessayer.
notice-quota-lines = Les messages sont envoyés trop vite
notice-quota-lines-hint = Rien n’est perdu.
notice-quota-search = La recherche a atteint sa limite de temps
notice-quota-search-hint = Relancez-la si vous voulez.
notice-quota-idle = Déconnecté pour inactivité
notice-quota-idle-hint = Démarrez le moteur pour vous reconnecter.
notice-quota-idle-text = rien n’a été demandé depuis un moment
notice-too-many-connections = Le serveur a trop de connexions
notice-too-many-connections-hint = Fermez d’autres échiquiers, ou réessayez plus tard.
notice-too-many-starts = Des moteurs ont été démarrés trop souvent
notice-too-many-starts-hint = { notice-wait-a-moment }
notice-taken-over = L’analyse continue dans une autre fenêtre
notice-taken-over-hint = Reconnectez-vous pour en commencer une ici.
notice-taken-over-text = une autre page l’a reprise

## The material, in words for screen readers

# The pieces that one side has and the other has not, as in “2 pawns and a knight more”.
words-extra-pieces = { $role ->
    [queen] { $count ->
        [one] une dame
       *[other] { $count } dames
    }
    [rook] { $count ->
        [one] une tour
       *[other] { $count } tours
    }
    [bishop] { $count ->
        [one] un fou
       *[other] { $count } fous
    }
    [knight] { $count ->
        [one] un cavalier
       *[other] { $count } cavaliers
    }
   *[pawn] { $count ->
        [one] un pion
       *[other] { $count } pions
    }
}
words-extra = { $pieces } de plus
# { $lead } is in points.
words-extra-ahead = { $lead ->
    [one] { $pieces } de plus, { $lead } point d’avance
   *[other] { $pieces } de plus, { $lead } points d’avance
}

## What the signs beside moves mean

# Words in the place of a sign, beside a move.
sign-only = seul coup
sign-zugzwang = zugzwang
sign-better = mieux
sign-worse = moins bon
sign-equivalent = équivalent
glyph-good-move = bon coup
glyph-mistake = erreur
glyph-brilliant-move = excellent coup
glyph-blunder = gaffe
glyph-interesting-move = coup intéressant
glyph-dubious-move = coup douteux
glyph-forced-move = coup forcé
glyph-only-move = seul coup
glyph-worst-move = pire coup
glyph-equal = position égale
glyph-equal-quiet = position égale, calme
glyph-equal-active = position égale, active
glyph-unclear = position peu claire
glyph-idea = avec l’idée
glyph-against-idea = contre l’idée
glyph-better-is = meilleur est
glyph-worse-is = moins bon est
glyph-equivalent-is = équivalent est
glyph-remark-of-editor = remarque de la rédaction
glyph-novelty = nouveauté
glyph-slightly-better = { $color ->
    [white] Les Blancs sont légèrement mieux
   *[black] Les Noirs sont légèrement mieux
}
glyph-side-better = { $color ->
    [white] Les Blancs sont mieux
   *[black] Les Noirs sont mieux
}
glyph-winning = { $color ->
    [white] Les Blancs ont une position gagnante
   *[black] Les Noirs ont une position gagnante
}
glyph-wins-easily = { $color ->
    [white] Les Blancs gagnent facilement
   *[black] Les Noirs gagnent facilement
}
glyph-zugzwang = { $color ->
    [white] Les Blancs sont en zugzwang
   *[black] Les Noirs sont en zugzwang
}
glyph-little-ahead-development = { $color ->
    [white] Les Blancs ont une petite avance de développement
   *[black] Les Noirs ont une petite avance de développement
}
glyph-far-ahead-development = { $color ->
    [white] Les Blancs ont une grande avance de développement
   *[black] Les Noirs ont une grande avance de développement
}
glyph-initiative = { $color ->
    [white] Les Blancs ont l’initiative
   *[black] Les Noirs ont l’initiative
}
glyph-lasting-initiative = { $color ->
    [white] Les Blancs ont une initiative durable
   *[black] Les Noirs ont une initiative durable
}
glyph-attacks = { $color ->
    [white] Les Blancs ont l’attaque
   *[black] Les Noirs ont l’attaque
}
glyph-too-little-material = { $color ->
    [white] Les Blancs n’ont pas assez de compensations pour le matériel
   *[black] Les Noirs n’ont pas assez de compensations pour le matériel
}
glyph-enough-material = { $color ->
    [white] Les Blancs ont assez de compensations pour le matériel
   *[black] Les Noirs ont assez de compensations pour le matériel
}
glyph-more-than-enough-material = { $color ->
    [white] Les Blancs ont plus qu’assez de compensations pour le matériel
   *[black] Les Noirs ont plus qu’assez de compensations pour le matériel
}
glyph-some-counterplay = { $color ->
    [white] Les Blancs ont du contre-jeu
   *[black] Les Noirs ont du contre-jeu
}
glyph-decisive-counterplay = { $color ->
    [white] Les Blancs ont un contre-jeu décisif
   *[black] Les Noirs ont un contre-jeu décisif
}
glyph-short-of-time = { $color ->
    [white] Les Blancs sont à court de temps
   *[black] Les Noirs sont à court de temps
}
glyph-severe-time-trouble = { $color ->
    [white] Les Blancs sont en plein zeitnot
   *[black] Les Noirs sont en plein zeitnot
}

## What a mistake has missed

# { $line } is like “Ra7 Kg8 Rb8#”.
missed-mate = { $moves ->
    [1] C’était mat : { $line }.
   *[other] C’était mat en { $moves } : { $line }.
}
missed-hanging = { $role ->
    [queen] La dame n’était pas protégée : { $move }.
    [rook] La tour n’était pas protégée : { $move }.
    [bishop] Le fou n’était pas protégé : { $move }.
   *[knight] Le cavalier n’était pas protégé : { $move }.
}
# The two pieces that one move attacks.
missed-fork = { $pair ->
    [king-queen] { $move } fait une fourchette roi-dame : { $line }.
    [king-rook] { $move } fait une fourchette roi-tour : { $line }.
    [king-bishop] { $move } fait une fourchette roi-fou : { $line }.
    [king-knight] { $move } fait une fourchette roi-cavalier : { $line }.
    [queen-queen] { $move } fait une fourchette sur deux dames : { $line }.
    [queen-rook] { $move } fait une fourchette dame-tour : { $line }.
    [queen-bishop] { $move } fait une fourchette dame-fou : { $line }.
    [queen-knight] { $move } fait une fourchette dame-cavalier : { $line }.
    [rook-rook] { $move } fait une fourchette sur deux tours : { $line }.
    [rook-bishop] { $move } fait une fourchette tour-fou : { $line }.
    [rook-knight] { $move } fait une fourchette tour-cavalier : { $line }.
    [bishop-bishop] { $move } fait une fourchette sur deux fous : { $line }.
    [bishop-knight] { $move } fait une fourchette fou-cavalier : { $line }.
   *[knight-knight] { $move } fait une fourchette sur deux cavaliers : { $line }.
}
# { $gained } and { $given } are lists of the two texts that follow: “a rook and 2 pawns”.
missed-win = { $move } gagne { $gained } : { $line }.
missed-win-for = { $move } gagne { $gained } contre { $given } : { $line }.
missed-gained = { $role ->
    [queen] { $count ->
        [one] une dame
       *[other] { $count } dames
    }
    [rook] { $count ->
        [one] une tour
       *[other] { $count } tours
    }
    [bishop] { $count ->
        [one] un fou
       *[other] { $count } fous
    }
    [knight] { $count ->
        [one] un cavalier
       *[other] { $count } cavaliers
    }
   *[pawn] { $count ->
        [one] un pion
       *[other] { $count } pions
    }
}
missed-given = { missed-gained }
