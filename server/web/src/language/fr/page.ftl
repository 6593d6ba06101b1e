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
jobs-refused-hint = Réessayez plus tard, ou adressez-vous à son administrateur.

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
# Behind the name of the field.
sign-in-no-token = un jeton commence par rk_ et ne contient pas d’espaces

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
notice-no-answer = La connexion a été perdue
notice-no-answer-hint = { notice-keeps-trying }
notice-keeps-trying = La page continue d’essayer toute seule.
notice-too-slow = La connexion était trop lente
notice-too-slow-hint = { try-again }
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
notice-draining = Le serveur s’arrête
notice-draining-hint = La page se reconnectera toute seule.
notice-draining-text = le serveur s’arrête
notice-unknown-room = Cette salle n’existe pas
notice-unknown-room-hint = Redemandez le lien.
notice-unknown-room-text = Elle a peut-être été fermée.
notice-room-full = Trop de spectateurs
notice-room-full-hint = { try-again-later }
notice-room-closed = La salle est fermée
notice-room-closed-text = il n’y a plus rien à suivre
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
notice-unreachable = Le serveur est injoignable
notice-unreachable-hint = { notice-keeps-trying }
notice-unreachable-text = aucune connexion n’a pu être établie
notice-refused = Le serveur n’a pas laissé l’échiquier se connecter
notice-refused-hint = { notice-keeps-trying }
notice-refused-text = il a répondu, mais sans dire pourquoi
notice-input = Cela n’a pas pu être ouvert
notice-unknown = Message du serveur

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
fen-chess960 = Lu en Chess960 : les droits de roque ne sont pas ceux des échecs classiques.
# { $rights } are letters like “KQ”.
fen-castling = Roque { $rights } ignoré : le roi et la tour ne sont pas placés pour.
fen-castling-in-chess = Roque { $rights } ignoré : aux échecs classiques, le roi et la tour ne sont pas placés pour. Si c’est du Chess960, indiquez-le sous « Éditer ».
fen-chess960-castling = Lu en Chess960 : les droits de roque ne sont pas ceux des échecs classiques. Roque { $rights } ignoré : le roi et la tour ne sont pas placés pour.
import-position = après « position », il faut « startpos » ou « fen ... », pas « { $said } »
import-variant = la variante de jeu « { $variant } » n’est pas encore prise en charge
import-address = c’est une adresse web : copiez le PGN ou le FEN de cette page
import-setup = la partie a une balise SetUp, mais pas de balise FEN
import-number = la partie commence au coup { $number }, mais n’a pas de balise FEN
import-too-long = c’est trop long : { $length } caractères, la limite est de { $limit }
import-nothing = aucune partie ni position trouvée : collez un PGN, un FEN, des coups (e4 e5, ou e2e4 e7e5) ou l’adresse d’une position
import-letters = « { $move } » n’est pas un coup légal : notez les pièces K, Q, R, B et N
import-first-move = « { $move } » n’est pas un coup légal dans la position initiale : il manque le FEN
import-corrected = La position n’est pas tout à fait celle du texte
import-illegal = il y a un coup illégal, « { $move } » : seuls les coups précédents sont affichés
import-illegal-in-link = le lien contient un coup illégal, « { $move } » : seuls les coups précédents sont affichés
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

## An analysis that stops

report-stopped = L’analyse de la partie s’est arrêtée
report-found-nothing = Le moteur n’a rien trouvé pour la position { $number } sur { $total }.
