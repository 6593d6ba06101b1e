# What the page shows first.

try-again = Versuchen Sie es noch einmal.
language-not-loaded = Die Sprache konnte nicht geladen werden
view-not-loaded = Dieser Teil der Seite konnte nicht geladen werden

## The head of the page

header-analyses = Analysen
header-analyses-title = Meine Analysen auf dem Server
header-new = Neu
header-new-title = Neue Partie beginnen
header-play = Spielen
header-play-title = Gegen eine Engine spielen
header-setup = Aufbauen
header-setup-title = Stellung aufbauen
header-live = Live
header-live-title = Live: gemeinsam analysieren
header-open = Öffnen
header-open-title = Partie oder Stellung öffnen
header-share = Teilen
header-share-title = Teilen oder speichern
header-connect = Verbinden
header-connect-title = Schachprogramm verbinden
header-settings = Einstellungen
header-settings-title = Einstellungen
header-keys = Tasten
header-keys-title = Tasten
# The name of the row of buttons, for screen readers.
header-page = Seite
header-untitled = Analysebrett
header-edit = Namen, Datum und Ergebnis bearbeiten

## The page

moves-to-start = Zum Anfang (Pos1)
moves-back = Voriger Zug (←)
moves-forward = Nächster Zug (→)
moves-to-end = Zum Ende (Ende)
moves-comment = Diesen Zug kommentieren (c)
moves-promote = Zur Hauptvariante machen
moves-delete = Ab hier löschen (Entf)
moves-undo = Rückgängig (Strg+Z)
moves-redo = Wiederherstellen (Strg+Umschalt+Z)
# The title of the page in the browser; “Rookery” is a name.
page-title = Rookery: Analysebrett
page-flip = Brett drehen (f)
page-explorer = Eröffnungsexplorer (b)
page-moves = Züge
# A part of the page that only screen readers show.
page-in-words = In Worten
# The start of the game, before any move.
page-start = Anfang
page-best-at-depth = { $score } in Tiefe { $depth }
page-position = Stellung

## The engine

engine = Engine
engine-options = Optionen der Engine
engine-show-threat = Drohung zeigen (x)
engine-add = Weitere Engine hinzufügen
engine-stop = Engine anhalten (l)
engine-start = Engine starten (l)
engine-choose = Engine wählen
engine-not-signed-in = nicht angemeldet
engine-analysing-game = analysiert die Partie: { $done } von { $total }
engine-stopped = angehalten
engine-threat = Drohung: { $depth }
engine-connection-lost = Verbindung verloren: verbindet neu…
engine-connecting = verbindet…
engine-not-searching = rechnet nicht
engine-searching = rechnet…
engine-ready = bereit
engine-depth = Tiefe { $depth }
engine-depth-done = Tiefe { $depth }, fertig
engine-depth-saved = Tiefe { $depth } (gespeichert)
engine-depth-saved-searching = Tiefe { $depth } (gespeichert), rechnet: { $newer }
engine-tablebase-white = Endspieldatenbank: Weiß gewinnt
engine-tablebase-black = Endspieldatenbank: Schwarz gewinnt
engine-threads = Threads
engine-share = { $own } von { $most }
engine-threads-title = Threads dieser Engine; Sie dürfen bis zu { $most } nutzen
engine-nodes = Knoten
engine-nodes-title = Berechnete Stellungen
engine-speed-title = Stellungen pro Sekunde
engine-speed = { $speed }/s
engine-hash = Hash
engine-hash-title = Wie voll die Hashtabelle der Engine ist
engine-tb = TB
engine-tb-title = In Endspieldatenbanken gefundene Stellungen
engine-round-trip-title = Antwortzeit des Servers
engine-at = bei
engine-at-title = Zug, den die Engine gerade berechnet
engine-chances = Weiß gewinnt { $win }, Remis { $draw }, Schwarz gewinnt { $lose }
evaluation = Bewertung
evaluation-unknown = unbekannt
evaluation-chances = { $score }: Chancen für Weiß { $chance } %

## The lines of an engine

lines-best = Beste Varianten
lines-best-of = Beste Varianten von { $engine }
lines-threats = Drohungen
lines-threats-of = Drohungen laut { $engine }
lines-depth = Tiefe { $depth }
lines-depth-up-to = Tiefe { $depth }, bis { $seldepth }
lines-play = { $score }, Tiefe { $depth }: { $move } ziehen
lines-threat = { $score }, Tiefe { $depth }: es droht { $move }
lines-collapse = Variante einklappen
lines-expand = Variante ausklappen
lines-collapse-depth = Variante einklappen, Tiefe { $depth }
lines-expand-depth = Variante ausklappen, Tiefe { $depth }

## Engines beside the first

companion = Weitere Engine: { $engine }
companion-engine = Engine { $engine }
companion-stop = Diese Engine anhalten
companion-start = Diese Engine starten
companion-choose = Diese Engine wählen
companion-lines = Varianten von { $engine }
companion-options = Optionen von { $engine }
companion-remove = { $engine } entfernen
companion-finds-nothing = nichts
companion-disagrees = Die Engines sind sich nicht einig: Diese findet { $mine }, die erste { $theirs }

## The menu of a move

menu-comment = Kommentieren…
menu-move-up = Diese Variante nach oben verschieben
menu-promote = Zur Hauptvariante machen
menu-delete = Ab hier löschen
menu-delete-others = Alle anderen Varianten löschen
menu-copy-moves = Züge bis hierher kopieren
menu-find = Stellung in der Bibliothek suchen
menu-copy-pgn = PGN ab hier kopieren
menu-rate = Zug bewerten
copied = Kopiert
copy-not-allowed = Dieser Browser erlaubt der Seite das Kopieren nicht

## Typed moves, pasted files

typed-move = Ihr Zug, etwa Nf3 oder g1f3
pasted-games = { $count } Partien
pasted-games-shown = Sie sehen die erste; die anderen finden Sie unter „Öffnen“.

## The players

white = Weiß
black = Schwarz
player-write-white = Eintragen, wer Weiß hat
player-write-black = Eintragen, wer Schwarz hat
player-move-time = Zeit für { $move }

## Messages

continue-alone = Allein weitermachen
token-required = Dieser Server verlangt ein Token
token-ask = Sie bekommen es vom Betreiber.
sign-in = Anmelden
reconnect = Neu verbinden
retry = Noch einmal versuchen
dismiss = Ausblenden

## The list of moves

moves-fold-better = Alle besseren Varianten einklappen
moves-unfold-better = Alle besseren Varianten ausklappen
moves-checkmate-open = Matt: Öffnen Sie eine Partie oder eine Stellung
moves-stalemate-open = Patt: Öffnen Sie eine Partie oder eine Stellung
moves-make-or-open = Ziehen Sie auf dem Brett, oder öffnen Sie eine Partie oder eine Stellung
moves-paste = : einfach irgendwo auf dieser Seite einfügen (Strg+V)
moves-variation = Variante { $move }
moves-unfold = Diese Variante ausklappen
moves-fold = Diese Variante einklappen
moves-your-try = { $move }, Ihr Versuch
moves-your-try-title = Ihr eigener Versuch: Andere sehen ihn nicht
moves-good-enough = gut genug
moves-judged-with-score = { $judgement } ({ $score })
moves-disputed = { $engine }: { $other }; die erste Engine: { $first }
moves-book = Buch
moves-depth = Tiefe { $depth }

## Windows

close = Schließen
copy = Kopieren

## A storage that is full

storage-full = Ihre letzten Änderungen sind nicht gespeichert
storage-full-text = Dieser Browser hat keinen Platz mehr für die Daten dieser Seite.
storage-full-hint = Laden Sie die Partie herunter, bevor Sie die Seite schließen.
storage-download = Partie herunterladen

## A shared game

shared = Geteilte Partie
shared-game = Eine geteilte Partie
shared-fetching = Die geteilte Partie wird geladen…
shared-text = Sie können sie ansehen. Zum Ändern legen Sie eine Kopie an: Das Original bleibt, wie es ist.
shared-copy = Kopie anlegen
shared-own-board = Zu meinem Brett
shared-sign-in = Für die Engine anmelden

## Rooms

# Why a control is disabled: only the person with control of the engine may use it.
room-no-control = Jemand anders hat die Steuerung
room-owner-name = Gastgeber
# A viewer without a name; $id is its number in the room.
room-guest = Gast { $id }
room-has-control = hat die Steuerung
room-writes = schreibt mit
room-declined = { $name } hat die Steuerung abgelehnt
room-may-write = Sie dürfen jetzt in der gemeinsamen Partie schreiben
room-may-not-write = Sie schreiben nicht mehr in der gemeinsamen Partie
room-unreadable = Die gemeinsame Partie lässt sich nicht lesen
room-too-long = Die Partie ist zu lang zum Teilen
room-too-long-shown = Zuschauer sehen sie, wie sie vorher war.
room-no-undo = Das lässt sich nicht rückgängig machen
room-changed-since = Jemand hat die Partie seitdem geändert.
room-replaced = Eine andere Partie wird gezeigt
room-replaced-undo = Mit Rückgängig bekommen Sie Ihre wieder.
room-take-and-undo = Holen Sie die Steuerung zurück; mit Rückgängig bekommen Sie Ihre Partie wieder.
room-is-closed = Der Raum ist geschlossen
room-ended = Er endete mit seiner Sitzung: Öffnen Sie einen neuen für Zuschauer.

## The analysis of a game

report = Partieanalyse
report-stop = Anhalten
report-disputes = { $count ->
    [0] { $engine } beurteilt keinen Zug anders.
    [one] { $engine } beurteilt 1 Zug anders.
   *[other] { $engine } beurteilt { $count } Züge anders.
}
report-show-it = Zeigen
report-next = Nächster
report-judged = { $judged ->
    [one] { $judged } von { $moves } Zügen ist beurteilt.
   *[other] { $judged } von { $moves } Zügen sind beurteilt.
}
report-scores-only = { $scored } von { $positions } Stellungen sind bewertet; kein Zug ist beurteilt.
report-time-per-move = Zeit pro Zug
report-seconds = { $seconds } s/Zug
report-where = Wo analysiert wird
report-on-server = auf dem Server
report-in-tab = in diesem Tab
report-games = Welche Partien analysiert werden
report-this-game = diese Partie
report-all-games = alle { $count } Partien
report-analyse = Partie analysieren
report-analyse-games = Partien analysieren
report-again = Neu analysieren
report-accuracy = { $percent } % Genauigkeit
report-inaccuracies = { $count } { $count ->
    [one] Ungenauigkeit
   *[other] Ungenauigkeiten
}
report-mistakes = { $count } Fehler
report-blunders = { $count } { $count ->
    [one] grober Fehler
   *[other] grobe Fehler
}
report-practise = Üben
report-next-inaccuracy-white = Nächste Ungenauigkeit von Weiß
report-next-mistake-white = Nächster Fehler von Weiß
report-next-blunder-white = Nächster grober Fehler von Weiß
report-learn-white = Aus den Fehlern von Weiß lernen
report-next-inaccuracy-black = Nächste Ungenauigkeit von Schwarz
report-next-mistake-black = Nächster Fehler von Schwarz
report-next-blunder-black = Nächster grober Fehler von Schwarz
report-learn-black = Aus den Fehlern von Schwarz lernen
report-graph = Chancen im Verlauf der Partie; zum Blättern dient die Zugliste
report-start = Anfang
judgement-inaccuracy = Ungenauigkeit
judgement-mistake = Fehler
judgement-blunder = grober Fehler

## The times for moves

times-trouble-label = Zeitnot: weniger als { $limit } übrig
times-summary = Zeit für jeden Zug. Insgesamt: { $white }; { $black }. Zeitnot heißt: weniger als { $limit } auf der Uhr.
times-white = Weiß { $time }
times-black = Schwarz { $time }
times-white-trouble = Weiß { $time }, in Zeitnot ab Zug { $move }
times-black-trouble = Schwarz { $time }, in Zeitnot ab Zug { $move }
moves-number = Zug { $number }

## Comment on a move, and its rating

# { $move } is like “3... Nf6”.
comment-on-move = Kommentar zu { $move }
comment-on-game = Kommentar zur Partie
comment-name = Kommentar
comment-write = Kommentar schreiben
comment-save = Speichern
# The move is ...
rating-brilliant = brillant
rating-good = gut
rating-interesting = interessant
rating-dubious = zweifelhaft
rating-mistake = Fehler
rating-blunder = grober Fehler

## Sign in

sign-in-hint = Dieser Server verlangt ein Token; Sie bekommen es vom Betreiber. Es bleibt nur in diesem Tab gespeichert.
# What one signs in with: a word like “rk_…”.
sign-in-token = Token

## A shared game in a frame of another page

embed-title = Rookery: eine geteilte Partie
embed-fetching = Die Partie wird geladen…
embed-open = Auf { $server } öffnen
# The name of the row of buttons, for screen readers.
embed-steps = Blättern
embed-no-address = Diese Adresse gehört zu keiner Partie
embed-no-address-text = Sie muss mit # und der Kennung einer geteilten Partie enden, etwa /embed#AbCdEf. Die ganze Adresse zum Kopieren steht auf dem Server unter „Teilen“.

## Promotion

# A window with the names of four pieces.
promote-to = Umwandeln in
promote-queen = Dame
promote-knight = Springer
promote-rook = Turm
promote-bishop = Läufer

## What the server or the browser cannot do

try-again-later = Versuchen Sie es später noch einmal.
pieces-not-loaded = Die Figuren konnten nicht geladen werden
too-many-requests = Zu viele Anfragen auf einmal
too-many-requests-hint = Warten Sie einen Moment, und versuchen Sie es noch einmal.
# Follows a title and a colon, so it begins with a small letter.
no-game-found = keine Partie gefunden
shared-gone = Diese Partie gibt es nicht oder nicht mehr
shared-gone-hint = Vielleicht wurde der Link zurückgezogen oder nicht ganz kopiert.
shared-too-large = Die Partie ist zu groß zum Teilen
shared-too-large-hint = Entfernen Sie Varianten oder Kommentare.
shared-impossible = Der Server kann diese Partie nicht teilen
shared-not-now = Der Server kann gerade keine Partien teilen

## Analyses of the server

# The name of a game without players.
jobs-untitled = Partie ohne Titel
# { $title } is that of the first game of a file, like “Carlsen – Anand”.
jobs-and-more = { $title } und { $count } weitere
jobs-gone = Der Server hat diese Analyse nicht mehr
jobs-gone-hint = Er bewahrt Ergebnisse nur eine Zeit lang auf. Analysieren Sie die Partie noch einmal.
jobs-changed = Das geht jetzt nicht
jobs-changed-hint = Die Analyse hat sich inzwischen geändert: Sehen Sie noch einmal nach.
jobs-full = Der Server bewahrt keine weiteren Analysen für Sie auf
jobs-full-hint = Löschen Sie eine, die Sie nicht brauchen, und versuchen Sie es noch einmal.
# The server says what is wrong, in a sentence between these two.
jobs-impossible = Der Server kann das nicht analysieren
jobs-impossible-hint = Ändern Sie, was er nennt, oder analysieren Sie die Partie in diesem Tab.
jobs-not-now = Der Server kann gerade nichts analysieren
jobs-not-now-hint = Versuchen Sie es später noch einmal, oder analysieren Sie die Partie in diesem Tab.
jobs-refused = Der Server hat das abgelehnt
jobs-refused-hint = Versuchen Sie es später noch einmal, oder fragen Sie den Betreiber.
