# What the page shows first.

try-again = Réessayez.
language-not-loaded = La langue n’a pas pu être chargée
view-not-loaded = Cette partie de la page n’a pas pu être chargée

## The head of the page

analyses = Analyses
header-analyses-title = Mes analyses sur le serveur
header-new = Nouvelle
header-new-title = Commencer une nouvelle partie
play = Jouer
header-play-title = Jouer contre un moteur
header-setup = Éditer
setup = Éditer une position
header-live = Direct
header-live-title = En direct : analyser ensemble
open = Ouvrir
import-title = Ouvrir une partie ou une position
share = Partager
header-share-title = Partager ou enregistrer
header-connect = Connecter
header-connect-title = Connecter un logiciel d’échecs
settings = Réglages
header-keys = Clavier
header-keys-title = Raccourcis clavier
# The name of the row of buttons, for screen readers.
header-page = Page
header-untitled = Échiquier d’analyse
header-edit = Modifier les noms, la date et le résultat

## The page

moves-to-start = Aller au début (Origine)
moves-back = Coup précédent (←)
moves-forward = Coup suivant (→)
moves-to-end = Aller à la fin (Fin)
moves-comment = Commenter ce coup (c)
moves-promote = En faire la variante principale
moves-delete = Supprimer à partir d’ici (Suppr)
moves-undo = Annuler (Ctrl+Z)
moves-redo = Rétablir (Ctrl+Maj+Z)
# The title of the page in the browser; “Rookery” is a name.
page-title = Rookery : échiquier d’analyse
page-flip = Retourner l’échiquier (f)
page-explorer = Explorateur d’ouvertures (b)
page-moves = Coups
# A part of the page that only screen readers show.
page-in-words = En toutes lettres
# The start of the game, before any move.
page-start = Début
page-best-at-depth = { $score } à la profondeur { $depth }
page-position = Position
player-write-white = Indiquer qui joue les Blancs
player-write-black = Indiquer qui joue les Noirs

## The engine

engine = Moteur
engine-options = Options du moteur
engine-show-threat = Afficher la menace (x)
engine-add = Ajouter un autre moteur
engine-stop = Arrêter le moteur (l)
engine-start = Démarrer le moteur (l)
engine-choose = Choisir le moteur
engine-not-signed-in = non connecté
engine-analysing-game = analyse : { $done } sur { $total }
engine-stopped = arrêté
engine-threat = menace : { $depth }
engine-connection-lost = connexion perdue : reconnexion…
connecting = connexion…
engine-not-searching = ne calcule pas
engine-searching = calcul en cours…
# Shown while the user looks at another position of a room's game than the engine.
engine-at-live-position = sur la position en direct
engine-ready = prêt
engine-depth = profondeur { $depth }
engine-depth-done = prof. { $depth }, terminé
engine-depth-saved = prof. { $depth } (mémorisée)
engine-depth-saved-searching = prof. { $newer } (mémorisée : { $depth })
engine-tablebase-white = Table de finales : les Blancs gagnent
engine-tablebase-black = Table de finales : les Noirs gagnent
engine-threads = threads
engine-share = { $own } sur { $most }
engine-threads-title = Threads de ce moteur, sur les { $most } auxquels vous avez droit
engine-nodes = nœuds
engine-nodes-title = Positions calculées
engine-speed-title = Positions par seconde
engine-speed = { $speed }/s
engine-hash = hash
engine-hash-title = Remplissage de la table de hachage du moteur
engine-tb = TF
engine-tb-title = Positions trouvées dans les tables de finales
engine-round-trip-title = Temps d’aller-retour jusqu’au serveur
engine-at = coup
engine-at-title = Coup en cours de calcul
engine-chances = Gain blanc { $win }, nulle { $draw }, gain noir { $lose }
evaluation = Évaluation
evaluation-unknown = inconnue
evaluation-chances = { $score } : chances des Blancs { $chance } %

## The lines of an engine

lines-best = Meilleures variantes
lines-best-of = Meilleures variantes de { $engine }
lines-threats = Menaces
lines-threats-of = Menaces selon { $engine }
lines-depth = profondeur { $depth }
lines-depth-up-to = profondeur { $depth }, jusqu’à { $seldepth }
lines-play = { $score }, profondeur { $depth } : jouer { $move }
lines-threat = { $score }, profondeur { $depth } : menace { $move }
lines-collapse = Replier la variante
lines-expand = Déplier la variante
lines-collapse-depth = Replier la variante, profondeur { $depth }
lines-expand-depth = Déplier la variante, profondeur { $depth }

## Typed moves, pasted files

typed-move = Votre coup, par ex. Nf3 ou g1f3
pasted-games = { $count } parties
pasted-games-shown = La première est affichée ; les autres sont sous « Ouvrir ».

## The players

white = Blancs
black = Noirs

## Messages

continue-alone = Continuer seul
token-required = Ce serveur demande un jeton
token-ask = Demandez-en un à son administrateur.
sign-in = Se connecter
reconnect = Se reconnecter
retry = Réessayer
dismiss = Fermer

## The list of moves

moves-fold-better = Replier toutes les améliorations
moves-unfold-better = Déplier toutes les améliorations
moves-checkmate-open = Échec et mat : ouvrez une partie ou une position
moves-stalemate-open = Pat : ouvrez une partie ou une position
moves-make-or-open = Jouez un coup sur l’échiquier, ou ouvrez une partie ou une position
moves-paste = , que vous pouvez aussi coller (Ctrl+V) n’importe où sur cette page
moves-variation = Variante { $move }
moves-unfold = Déplier cette variante
moves-fold = Replier cette variante
moves-your-try = { $move }, votre essai
moves-your-try-title = Votre essai : les autres ne le voient pas
moves-good-enough = assez bon
moves-judged-with-score = { $judgement } ({ $score })
moves-disputed = { $engine } : { $other } ; le premier moteur : { $first }
moves-book = théorie
moves-depth = profondeur { $depth }

## Windows

close = Fermer
copy = Copier

## A shared game

shared = Partie partagée
shared-game = Une partie partagée
shared-fetching = Chargement de la partie partagée…
shared-text = Vous pouvez la parcourir. Pour la modifier, faites-en une copie : l’original ne change pas.
shared-copy = Faire une copie
shared-own-board = Vers mon échiquier
shared-sign-in = Se connecter pour le moteur

## Rooms

# Why a control is disabled: only the person with control of the engine may use it.
room-no-control = Quelqu’un d’autre a la main
room-owner-name = Hôte
# A viewer without a name; $id is its number in the room.
room-guest = Invité { $id }
room-has-control = a la main
room-writes = peut modifier
room-declined = { $name } a refusé de prendre la main
room-may-write = Vous pouvez maintenant modifier la partie partagée
room-may-not-write = Vous ne pouvez plus modifier la partie partagée
room-unreadable = La partie partagée est illisible
room-too-long = La partie est trop longue pour être partagée
room-too-long-shown = Les spectateurs la voient telle qu’elle était avant.
room-no-undo = Impossible d’annuler cela
room-changed-since = Quelqu’un l’a modifiée depuis.
room-replaced = Une autre partie est affichée
room-replaced-undo = Annulez pour retrouver la vôtre.
room-take-and-undo = Reprenez la main et annulez pour retrouver la vôtre.
room-ended = Elle a pris fin avec sa session : ouvrez-en une autre pour les spectateurs.

## The analysis of a game

judgement-inaccuracy = imprécision
judgement-mistake = erreur
judgement-blunder = gaffe

## The times for moves

moves-number = coup { $number }

## Comment on a move, and its rating

# The move is ...
rating-brilliant = excellent
rating-good = bon
rating-interesting = intéressant
rating-dubious = douteux
rating-mistake = erreur
rating-blunder = gaffe

## Sign in

sign-in-hint = Ce serveur demande un jeton ; demandez-en un à son administrateur. Il n’est gardé que pour cet onglet.
# What one signs in with: a word like “rk_…”.
sign-in-token = Jeton

## Promotion

# A window with the names of four pieces.
promote-to = Promouvoir en
promote-queen = dame
promote-knight = cavalier
promote-rook = tour
promote-bishop = fou

## What the server or the browser cannot do

try-again-later = Réessayez plus tard.
pieces-not-loaded = Les pièces n’ont pas pu être chargées
too-many-requests = Trop de demandes à la fois
too-many-requests-hint = Attendez un instant, puis réessayez.
# Follows a title and a colon, so it begins with a small letter.
no-game-found = aucune partie trouvée
shared-gone = Cette partie n’existe pas, ou plus
shared-gone-hint = Elle a peut-être été retirée, ou le lien n’a pas été copié en entier.
shared-not-now = Le serveur ne peut pas partager de parties pour le moment

## Analyses of the server

# The name of a game without players.
jobs-untitled = Partie sans titre
# { $title } is that of the first game of a file, like “Carlsen – Anand”.
jobs-and-more = { $count ->
    [one] { $title } et { $count } autre
   *[other] { $title } et { $count } autres
}

## Files and games that are opened

new-game = Nouvelle partie
new-game-hint = « Annuler » ramène la partie précédente.
# { $coding } is the name of an encoding of letters, like “Windows-1251”.
file-read-as = Lu en { $coding }
# “Open” is the button with this name.
file-read-as-hint = Si des lettres sont fausses, choisissez un autre encodage sous « Ouvrir ».
game-in-progress = Une partie est en cours
game-in-progress-hint = Terminez-la d’abord.
game-of-room = C’est la partie de la salle
game-of-room-hint = Quittez la salle pour ouvrir votre propre partie.
served-not-opened = La partie n’a pas pu être ouverte
served-no-answer = Le serveur ne répond pas pour le moment.

## What the page says on its engines and moves

typed-not-your-turn = ce n’est pas à vous de jouer
typed-not-legal = « { $typed } » n’est pas un coup légal ici : écrivez par exemple Nf3, exd5, O-O, e8=Q ou e2e4
# A threat of the other side.
no-threat = Aucune menace à montrer ici
no-threat-in-check = Le roi est en échec.
no-mistakes = Aucune erreur à montrer
# “Analyse the game” is a button, and g its key.
no-mistakes-hint = C’est « Analyser la partie » (g) qui les trouve.
engine-gone = { $engine } n’est plus disponible
engine-instead = { $engine } le remplace.
# An option of an engine that is a button, like “Clear Hash”.
option-pressed = { $option } : fait

## Problems with the server and with engines

notice-no-answer = La connexion a été perdue
notice-no-answer-hint = { notice-keeps-trying }
notice-keeps-trying = La page continue d’essayer toute seule.
notice-too-slow = La connexion était trop lente
notice-too-slow-hint = { try-again }
notice-draining = Le serveur s’arrête
notice-draining-hint = La page se reconnectera toute seule.
notice-draining-text = le serveur s’arrête
notice-room-closed = La salle est fermée
notice-room-closed-text = il n’y a plus rien à suivre
notice-unreachable = Le serveur est injoignable
notice-unreachable-hint = { notice-keeps-trying }
notice-unreachable-text = aucune connexion n’a pu être établie
notice-refused = Le serveur n’a pas laissé l’échiquier se connecter
notice-refused-hint = { notice-keeps-trying }
notice-refused-text = il a répondu, mais sans dire pourquoi
notice-input = Cela n’a pas pu être ouvert
notice-unknown = Message du serveur

## How a FEN or a PGN was changed

fen-chess960 = Lu en Chess960 : les droits de roque ne sont pas ceux des échecs classiques.
# { $rights } are letters like “KQ”.
fen-castling = Roque { $rights } ignoré : le roi et la tour ne sont pas placés pour.
fen-castling-in-chess = Roque { $rights } ignoré : aux échecs classiques, le roi et la tour ne sont pas placés pour. Si c’est du Chess960, indiquez-le sous « Éditer ».
fen-chess960-castling = Lu en Chess960 : les droits de roque ne sont pas ceux des échecs classiques. Roque { $rights } ignoré : le roi et la tour ne sont pas placés pour.
import-corrected = La position n’est pas tout à fait celle du texte
import-cut = Une partie des coups ne peut pas être affichée
import-left-out = « { $move } » n’est pas un coup légal : il est ignoré, avec la suite de sa variante.

## Positions in words, for screen readers

# { $squares } is like “e1” or “a2 b2”.
words-pieces = { $role ->
    [king] { $count ->
        [one] roi { $squares }
       *[other] rois { $squares }
    }
    [queen] { $count ->
        [one] dame { $squares }
       *[other] dames { $squares }
    }
    [rook] { $count ->
        [one] tour { $squares }
       *[other] tours { $squares }
    }
    [bishop] { $count ->
        [one] fou { $squares }
       *[other] fous { $squares }
    }
    [knight] { $count ->
        [one] cavalier { $squares }
       *[other] cavaliers { $squares }
    }
   *[pawn] { $count ->
        [one] pion { $squares }
       *[other] pions { $squares }
    }
}
# { $white } and { $black } are lists like “king e8, rook e2”.
words-position = { $turn ->
    [white] Blancs : { $white }. Noirs : { $black }. Trait aux Blancs.
   *[black] Blancs : { $white }. Noirs : { $black }. Trait aux Noirs.
}
words-check = { $turn ->
    [white] Blancs : { $white }. Noirs : { $black }. Échec. Trait aux Blancs.
   *[black] Blancs : { $white }. Noirs : { $black }. Échec. Trait aux Noirs.
}
words-mate = { $turn ->
    [white] Blancs : { $white }. Noirs : { $black }. Échec et mat. Trait aux Blancs.
   *[black] Blancs : { $white }. Noirs : { $black }. Échec et mat. Trait aux Noirs.
}

## An analysis that stops

report-stopped = L’analyse de la partie s’est arrêtée
report-found-nothing = Le moteur n’a rien trouvé pour la position { $number } sur { $total }.
