# What the page shows first.

try-again = Versuchen Sie es noch einmal.
language-not-loaded = Die Sprache konnte nicht geladen werden
view-not-loaded = Dieser Teil der Seite konnte nicht geladen werden

## The head of the page

analyses = Analysen
header-analyses-title = Meine Analysen auf dem Server
header-new = Neu
header-new-title = Neue Partie beginnen
play = Spielen
header-play-title = Gegen eine Engine spielen
header-setup = Aufbauen
setup = Stellung aufbauen
header-live = Live
header-live-title = Live: gemeinsam analysieren
open = Öffnen
import-title = Partie oder Stellung öffnen
share = Teilen
header-share-title = Teilen oder speichern
header-connect = Verbinden
header-connect-title = Schachprogramm verbinden
settings = Einstellungen
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
player-write-white = Eintragen, wer Weiß hat
player-write-black = Eintragen, wer Schwarz hat

## The engine

engine = Engine
engine-options = Optionen der Engine
engine-show-threat = Drohung zeigen (x)
engine-add = Weitere Engine hinzufügen
engine-stop = Engine anhalten (l)
engine-start = Engine starten (l)
engine-choose = Engine wählen
engine-not-signed-in = nicht angemeldet
engine-analysing-game = analysiert: { $done } von { $total }
engine-stopped = angehalten
engine-threat = Drohung: { $depth }
engine-connection-lost = Verbindung verloren: verbindet neu…
connecting = verbindet…
engine-not-searching = rechnet nicht
engine-searching = rechnet…
# Shown while the user looks at another position of a room's game than the engine.
engine-at-live-position = bei der Live-Stellung
engine-ready = bereit
engine-depth = Tiefe { $depth }
engine-depth-done = Tiefe { $depth }, fertig
engine-depth-saved = Tiefe { $depth } (gespeichert)
engine-depth-saved-searching = Tiefe { $newer } (bekannt: { $depth })
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

## Typed moves, pasted files

typed-move = Ihr Zug, etwa Nf3 oder g1f3
pasted-games = { $count } Partien
pasted-games-shown = Sie sehen die erste; die anderen finden Sie unter „Öffnen“.

## The players

white = Weiß
black = Schwarz

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
room-ended = Er endete mit seiner Sitzung: Öffnen Sie einen neuen für Zuschauer.

## The analysis of a game

judgement-inaccuracy = Ungenauigkeit
judgement-mistake = Fehler
judgement-blunder = grober Fehler

## The times for moves

moves-number = Zug { $number }

## Comment on a move, and its rating

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
shared-not-now = Der Server kann gerade keine Partien teilen

## Analyses of the server

# The name of a game without players.
jobs-untitled = Partie ohne Titel
# { $title } is that of the first game of a file, like “Carlsen – Anand”.
jobs-and-more = { $title } und { $count } weitere

## Files and games that are opened

new-game = Neue Partie
new-game-hint = „Rückgängig“ bringt die vorige Partie zurück.
# { $coding } is the name of an encoding of letters, like “Windows-1251”.
file-read-as = Gelesen als { $coding }
# “Open” is the button with this name.
file-read-as-hint = Stimmen Buchstaben nicht, wählen Sie unter „Öffnen“ eine andere Kodierung.
game-in-progress = Eine Partie läuft noch
game-in-progress-hint = Beenden Sie sie zuerst.
game-of-room = Die Partie gehört zum Raum
game-of-room-hint = Verlassen Sie den Raum, um eine eigene Partie zu öffnen.
served-not-opened = Die Partie konnte nicht geöffnet werden
served-no-answer = Der Server antwortet gerade nicht.

## What the page says on its engines and moves

typed-not-your-turn = Sie sind nicht am Zug
typed-not-legal = „{ $typed }“ ist hier kein legaler Zug: Schreiben Sie Züge wie Nf3, exd5, O-O, e8=Q oder e2e4
# A threat of the other side.
no-threat = Hier ist keine Drohung zu zeigen
no-threat-in-check = Der König steht im Schach.
no-mistakes = Keine Fehler bekannt
# “Analyse the game” is a button, and g its key.
no-mistakes-hint = „Partie analysieren“ (g) findet sie.
engine-gone = { $engine } ist nicht mehr verfügbar
engine-instead = Stattdessen rechnet { $engine }.
# An option of an engine that is a button, like “Clear Hash”.
option-pressed = { $option }: erledigt

## Problems with the server and with engines

notice-no-answer = Die Verbindung ist verloren gegangen
notice-no-answer-hint = { notice-keeps-trying }
notice-keeps-trying = Die Seite versucht es von selbst weiter.
notice-too-slow = Die Verbindung war zu langsam
notice-too-slow-hint = { try-again }
notice-draining = Der Server fährt herunter
notice-draining-hint = Die Seite verbindet sich von selbst neu.
notice-draining-text = der Server fährt herunter
notice-room-closed = Der Raum ist geschlossen
notice-room-closed-text = es gibt nichts mehr zu sehen
notice-unreachable = Der Server ist nicht erreichbar
notice-unreachable-hint = { notice-keeps-trying }
notice-unreachable-text = es ließ sich keine Verbindung öffnen
notice-refused = Der Server hat das Brett nicht verbinden lassen
notice-refused-hint = { notice-keeps-trying }
notice-refused-text = er hat geantwortet, aber keinen Grund genannt
notice-input = Das ließ sich nicht öffnen
notice-unknown = Meldung des Servers

## How a FEN or a PGN was changed

fen-chess960 = Gelesen als Chess960, denn die Rochaderechte sind nicht die des normalen Schachs.
# { $rights } are letters like “KQ”.
fen-castling = Die Rochade { $rights } entfällt: König und Turm stehen nicht richtig dafür.
fen-castling-in-chess = Die Rochade { $rights } entfällt: König und Turm stehen im normalen Schach nicht richtig dafür. Ist es Chess960, wählen Sie das unter „Aufbauen“.
fen-chess960-castling = Gelesen als Chess960, denn die Rochaderechte sind nicht die des normalen Schachs. Die Rochade { $rights } entfällt: König und Turm stehen nicht richtig dafür.
import-corrected = Die Stellung ist nicht ganz so, wie sie geschrieben war
import-cut = Ein Teil der Partie lässt sich nicht zeigen
import-left-out = „{ $move }“ ist kein legaler Zug: Er entfällt samt dem Rest seiner Variante.

## Positions in words, for screen readers

# { $squares } is like “e1” or “a2 b2”.
words-pieces = { $role ->
    [king] { $count ->
        [one] König { $squares }
       *[other] Könige { $squares }
    }
    [queen] { $count ->
        [one] Dame { $squares }
       *[other] Damen { $squares }
    }
    [rook] { $count ->
        [one] Turm { $squares }
       *[other] Türme { $squares }
    }
    [bishop] { $count ->
        [one] Läufer { $squares }
       *[other] Läufer { $squares }
    }
    [knight] { $count ->
        [one] Springer { $squares }
       *[other] Springer { $squares }
    }
   *[pawn] { $count ->
        [one] Bauer { $squares }
       *[other] Bauern { $squares }
    }
}
# { $white } and { $black } are lists like “king e8, rook e2”.
words-position = { $turn ->
    [white] Weiß: { $white }. Schwarz: { $black }. Weiß am Zug.
   *[black] Weiß: { $white }. Schwarz: { $black }. Schwarz am Zug.
}
words-check = { $turn ->
    [white] Weiß: { $white }. Schwarz: { $black }. Schach. Weiß am Zug.
   *[black] Weiß: { $white }. Schwarz: { $black }. Schach. Schwarz am Zug.
}
words-mate = { $turn ->
    [white] Weiß: { $white }. Schwarz: { $black }. Matt. Weiß am Zug.
   *[black] Weiß: { $white }. Schwarz: { $black }. Matt. Schwarz am Zug.
}

## An analysis that stops

report-stopped = Die Partieanalyse wurde abgebrochen
report-found-nothing = Die Engine fand nichts zu Stellung { $number } von { $total }.
