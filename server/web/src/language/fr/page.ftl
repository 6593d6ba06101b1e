# What the page shows first.

try-again = Réessayez.
language-not-loaded = La langue n’a pas pu être chargée
view-not-loaded = Cette partie de la page n’a pas pu être chargée

## The head of the page

header-analyses = Analyses
header-analyses-title = Mes analyses sur le serveur
header-new = Nouveau
header-new-title = Commencer une nouvelle partie
header-play = Jouer
header-play-title = Jouer contre un moteur
header-setup = Éditer
header-setup-title = Éditer une position
header-live = Direct
header-live-title = En direct : analyser ensemble
header-open = Ouvrir
header-open-title = Ouvrir une partie ou une position
header-share = Partager
header-share-title = Partager ou enregistrer
header-connect = Connecter
header-connect-title = Connecter un logiciel d’échecs
header-settings = Réglages
header-settings-title = Réglages
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

## The engine

engine = Moteur
engine-options = Options du moteur
engine-show-threat = Afficher la menace (x)
engine-add = Ajouter un deuxième moteur
engine-stop = Arrêter le moteur (l)
engine-start = Démarrer le moteur (l)
engine-choose = Choisir le moteur
engine-not-signed-in = non connecté
engine-analysing-game = analyse de la partie : { $done } sur { $total }
engine-stopped = arrêté
engine-threat = menace : { $depth }
engine-connection-lost = connexion perdue : reconnexion…
engine-connecting = connexion…
engine-not-searching = ne calcule pas
engine-searching = calcul en cours…
engine-ready = prêt
engine-depth = profondeur { $depth }
engine-depth-done = profondeur { $depth }, terminé
engine-depth-saved = profondeur { $depth } (mémorisée)
engine-depth-saved-searching = profondeur { $depth } (mémorisée), calcul à { $newer }
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

## Engines beside the first

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

## The menu of a move

menu-comment = Commenter…
menu-move-up = Monter cette variante
menu-promote = En faire la variante principale
menu-delete = Supprimer à partir d’ici
menu-delete-others = Supprimer toutes les autres variantes
menu-copy-moves = Copier les coups jusqu’ici
menu-find = Chercher cette position dans la bibliothèque
menu-copy-pgn = Copier le PGN à partir d’ici
menu-rate = Annoter le coup
copied = Copié
copy-not-allowed = Ce navigateur ne laisse pas la page copier

## Typed moves, pasted files

typed-move = Votre coup, par ex. Nf3 ou g1f3
pasted-games = { $count } parties
pasted-games-shown = La première est affichée ; les autres sont sous « Ouvrir ».

## The players

white = Blancs
black = Noirs
player-write-white = Indiquer qui joue les Blancs
player-write-black = Indiquer qui joue les Noirs
player-move-time = Temps pour { $move }

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

## A storage that is full

storage-full = Vos derniers changements ne sont pas enregistrés
storage-full-text = Ce navigateur n’a plus de place pour ce que cette page conserve.
storage-full-hint = Téléchargez la partie avant de fermer la page.
storage-download = Télécharger la partie

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
room-is-closed = La salle est fermée
room-ended = Elle a pris fin avec sa session : ouvrez-en une autre pour les spectateurs.

## The analysis of a game

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
judgement-inaccuracy = imprécision
judgement-mistake = erreur
judgement-blunder = gaffe

## The times for moves

times-trouble-label = zeitnot : il reste moins de { $limit }
times-summary = Temps pour chaque coup. En tout : { $white } ; { $black }. Zeitnot : moins de { $limit } à la pendule.
times-white = Blancs { $time }
times-black = Noirs { $time }
times-white-trouble = Blancs { $time }, en zeitnot à partir du coup { $move }
times-black-trouble = Noirs { $time }, en zeitnot à partir du coup { $move }
moves-number = coup { $number }

## Comment on a move, and its rating

# { $move } is like “3... Nf6”.
comment-on-move = Commenter { $move }
comment-on-game = Commenter la partie
comment-name = Commentaire
comment-write = Écrivez un commentaire
comment-save = Enregistrer
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

## A shared game in a frame of another page

embed-title = Rookery : une partie partagée
embed-fetching = Chargement de la partie…
embed-open = Ouvrir sur { $server }
# The name of the row of buttons, for screen readers.
embed-steps = Navigation
embed-no-address = Cette adresse ne mène à aucune partie
embed-no-address-text = Elle doit se terminer par # et l’identifiant d’une partie partagée, comme /embed#AbCdEf. Sur le serveur, « Partager » donne l’adresse complète à copier.

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
shared-too-large = La partie est trop longue pour être partagée
shared-too-large-hint = Supprimez des variantes ou des commentaires.
shared-impossible = Le serveur ne peut pas partager cette partie
shared-not-now = Le serveur ne peut pas partager de parties pour le moment

## Analyses of the server

# The name of a game without players.
jobs-untitled = Partie sans titre
# { $title } is that of the first game of a file, like “Carlsen – Anand”.
jobs-and-more = { $count ->
    [one] { $title } et { $count } autre
   *[other] { $title } et { $count } autres
}
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
jobs-refused-hint = Réessayez plus tard, ou demandez à son administrateur.
