# What is loaded after the first view: windows, and panels that are not always there.

# Behind the name of the field.
sign-in-no-token = ein Token beginnt mit rk_ und enthält keine Leerzeichen
sign-out = Abmelden
sign-out-not-revoked = Hier abgemeldet, aber das Token bleibt gültig

## A code that signs a phone in

code-phone = Auf einem Handy anmelden
code-scan = Scannen Sie dies mit der Kamera des Handys. Es wird damit einmal als { $account } angemeldet.
code-picture = QR-Code
# Minutes and seconds, as in “9:58”.
code-left = Noch { $time } min gültig
# A browser and a system, as in “Safari on iPhone”.
code-used = Angemeldet: { $device }
code-expired = Der Code ist abgelaufen.
code-again = Neuer Code
code-local = Diese Seite wurde unter { $host } geöffnet; dort findet sie nur dieser Computer. Öffnen Sie sie unter einem Namen oder einer Adresse, die das Handy erreicht.
code-plain = Diese Verbindung ist nicht verschlüsselt: Andere im Netz könnten das Token lesen.
code-not-made = Es lässt sich kein Code erzeugen
code-question = Diesen Browser bei { $host } anmelden? Der Code gilt einmal.
code-stay = Auf diesem Gerät angemeldet bleiben
code-refused = Der Code hat diesen Browser nicht angemeldet. Lassen Sie sich einen neuen zeigen und scannen Sie ihn.
code-token-instead = Stattdessen ein Token verwenden
code-done = Angemeldet als { $account }
code-done-tab = Dieser Browser hat ein eigenes Token, das der Betreiber widerrufen kann. Es bleibt nur in diesem Tab gespeichert.
code-done-device = Dieser Browser hat ein eigenes Token, das der Betreiber widerrufen kann. Es bleibt gespeichert, bis Sie sich abmelden.

## Settings

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
settings-nothing-stored = Dieser Browser speichert nichts für diese Seite: Partie und Einstellungen bleiben nur, bis Sie die Seite schließen.

## The analysis of a game, its times, and engines beside the first

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
times-trouble-label = Zeitnot: weniger als { $limit } übrig
times-summary = Zeit für jeden Zug. Insgesamt: { $white }; { $black }. Zeitnot heißt: weniger als { $limit } auf der Uhr.
times-white = Weiß { $time }
times-black = Schwarz { $time }
times-white-trouble = Weiß { $time }, in Zeitnot ab Zug { $move }
times-black-trouble = Schwarz { $time }, in Zeitnot ab Zug { $move }

## Practice

practice = Üben
practice-number = Fehler { $number } von { $total }
practice-found = { $count } bisher gefunden
practice-show = Zug zeigen
practice-next = Nächster
practice-skip = Überspringen
practice-done = Fertig
practice-end = Beenden
practice-checking = { $move } wird geprüft…
practice-good = { $move } ist gut.
practice-not-good-enough = { $move } ist nicht gut genug.
practice-refuted-by-white = { $move } ist nicht gut genug: Weiß antwortet { $answer }.
practice-refuted-by-black = { $move } ist nicht gut genug: Schwarz antwortet { $answer }.
practice-engine-prefers = Die Engine bevorzugt { $move }.
practice-inaccuracy-white = { $move } war eine Ungenauigkeit. Finden Sie einen besseren Zug für Weiß.
practice-mistake-white = { $move } war ein Fehler. Finden Sie einen besseren Zug für Weiß.
practice-blunder-white = { $move } war ein grober Fehler. Finden Sie einen besseren Zug für Weiß.
practice-inaccuracy-black = { $move } war eine Ungenauigkeit. Finden Sie einen besseren Zug für Schwarz.
practice-mistake-black = { $move } war ein Fehler. Finden Sie einen besseren Zug für Schwarz.
practice-blunder-black = { $move } war ein grober Fehler. Finden Sie einen besseren Zug für Schwarz.

## The result

result-not-finished = Nicht beendet
result-white-won = 1–0 Weiß hat gewonnen
result-black-won = 0–1 Schwarz hat gewonnen
result-draw = ½–½ Remis
result-question = Wie endete die Partie?

## A game against an engine

play-offers-draw = Die Engine bietet Remis an.
play-connection-lost = Verbindung verloren: verbindet neu, die Uhr der Engine steht
play-silent = der Server antwortet nicht: die Uhr der Engine steht
play-blocked = die Engine darf gerade nicht rechnen: ihre Uhr steht
play-your-move = Sie sind am Zug
play-thinking = die Engine denkt nach
play-take-back = Zurücknehmen
play-accept-draw = Remis annehmen
play-offer-draw = Remis anbieten
play-yes-resign = Ja, aufgeben
play-on = Weiterspielen
play-resign = Aufgeben
analyse = Analysieren
play-rematch = Revanche

## The opening explorer and the tablebases

explorer = Eröffnungsexplorer
explorer-reading = Die Partien werden gelesen…
find-position = Stellung in der Bibliothek suchen
explorer-none = Noch keine Partien. Öffnen Sie eine Datei mit mehreren Partien, um zu sehen, was in jeder Stellung gespielt wurde und wie es ausging. Auch Ihre Partien gegen Engines zählen mit.
explorer-own = { $count ->
    [one] { $count } Partie, die Sie hier gegen Engines gespielt haben
   *[other] { $count } Partien, die Sie hier gegen Engines gespielt haben
}
explorer-file = { $count ->
    [one] { $count } Partie in der Datei
   *[other] { $count } Partien in der Datei
}
explorer-read-of = { $read } von { $games }
explorer-no-continuation = Keine davon geht von dieser Stellung aus weiter.
explorer-this-file = Diese Datei
explorer-played-here = Hier gespielt
games = Partien
explorer-results = Ergebnisse
explorer-share = Anteil
explorer-not-reached = Diese Stellung kam in keiner Partie vor.
explorer-best-games = Partien mit dieser Stellung: die { $count } besten
explorer-not-in-book = Diese Stellung steht nicht im Buch.
explorer-book = Ein Buch: wie oft darin jeder Zug gespielt wird.
explorer-no-results = keine Ergebnisse
explorer-outcome = Weiß gewann { $white } %, Remis { $draw } %, Schwarz gewann { $black } %
explorer-list = Partien mit dieser Stellung: { $count }
explorer-list-first = Partien mit dieser Stellung: die ersten { $count } von { $total }
lookup-waiting = Wird nachgeschlagen…
lookup-no-answer = Der Server antwortet gerade nicht.
table-move = Zug
tablebase = Endspieldatenbank
tablebase-dtz = DTZ: Halbzüge bis zum nächsten Schlagzug, Bauernzug oder Matt bei bestem Spiel
tablebase-distance = Abstand

## Keyboard shortcuts

help-title = Tastenkürzel
# The names of keys, as they are written on keyboards.
key-home = Pos1
key-end = Ende
key-space = Leertaste
key-delete = Entf
key-shift-f10 = Umschalt+F10
key-ctrl-z = Strg+Z
key-ctrl-shift-z = Strg+Umschalt+Z
key-ctrl-v = Strg+V
help-moves = voriger, nächster Zug; auch mit dem Mausrad über dem Brett
help-variations = vorige, nächste Variante
help-ends = Anfang, Ende der Variante
help-mistakes = nächster, voriger Fehler einer analysierten Partie
help-type = Zug eintippen
help-best = besten Zug der Engine spielen
help-engine = Engine starten oder anhalten
help-arrows = Pfeile ein- oder ausblenden
help-threat = Drohung zeigen
help-analyse = Partie analysieren
help-comment = Zug kommentieren
help-menu = Menü des Zuges, in der Zugliste (Tab führt dorthin)
help-explorer = Eröffnungsexplorer: was hier gespielt wurde
help-flip = Brett drehen
help-live = im Raum: zurück zur Live-Stellung
help-delete = den Zug und alles danach löschen
help-undo = letzte Änderung rückgängig machen
help-redo = Rückgängiges wiederherstellen
help-paste = PGN oder FEN einfügen
help-help = diese Tastenkürzel zeigen
help-drawing = Mit der rechten Maustaste zeichnen Sie Pfeile und Kreise; Umschalt, Alt oder beide geben andere Farben. Sie bleiben bei der Stellung und im PGN. Noch einmal gezeichnet, verschwindet ein Zeichen; ein Klick auf ein leeres Feld entfernt alle.

## How other programs reach the engines

connect-title = Diese Engines in einem Schachprogramm nutzen
connect-gui = Schachoberfläche
connect-gui-hint = Fügen Sie in einer beliebigen Schachoberfläche eine UCI-Engine mit diesem Befehl hinzu. Sie verhält sich wie eine lokale Engine.
connect-socket-hint = Ein eigenes Programm öffnet den WebSocket und spricht UCI, eine Zeile pro Nachricht.
connect-terminal = Terminal
# What is between ` is typed: it stays as it is.
connect-terminal-hint = Im Terminal tippen Sie UCI als einfache Zeilen: etwa `uci`, dann `go depth 10`.

## My analyses on the server

jobs-title = Meine Analysen
jobs-asking = Der Server wird gefragt…
jobs-none = Noch gibt es keine. Öffnen Sie eine Partie, wählen Sie unter ihren Zügen „auf dem Server“ und drücken Sie „Partie analysieren“. Der Server rechnet weiter, wenn diese Seite geschlossen ist.
jobs-go-on = Der Server rechnet weiter, wenn diese Seite geschlossen ist.
jobs-lost = Der Server hat sie nicht mehr. Er bewahrt Ergebnisse nur eine Zeit lang auf.
jobs-remove = Aus der Liste entfernen
jobs-nameless = Ohne Namen
jobs-progress = Fortschritt von { $name }
jobs-kept-until = Aufbewahrt bis { $date }
jobs-pause = Pausieren
jobs-resume = Fortsetzen
# A button that asks `jobs-delete-question`.
jobs-ask-delete = Löschen…
jobs-delete-name = { $name } löschen
jobs-delete-question = Samt den Ergebnissen löschen?
jobs-delete = Löschen
jobs-keep = Behalten
jobs-finish-game = Beenden Sie zuerst die Partie auf dem Brett
# The games that are analysed by now.
jobs-open-done = Fertige öffnen
jobs-open-games = Partien öffnen
jobs-download-pgn = PGN herunterladen
jobs-download-results = Ergebnisse herunterladen
jobs-all-games = { $total ->
    [one] { $total } Partie
   *[other] { $total } Partien
}
jobs-all-positions = { $total ->
    [one] { $total } Stellung
   *[other] { $total } Stellungen
}
# { $total } is 2 or more.
jobs-done-games = { $done } von { $total } Partien
jobs-done-positions = { $done } von { $total } Stellungen
# { $progress } is like “3 of 20 games” or “1 position”.
jobs-waiting = Wartet auf eine Engine: { $progress }
jobs-running = Läuft: { $progress }
jobs-running-seconds = Läuft: { $progress }, noch etwa { $left } s
jobs-running-minutes = Läuft: { $progress }, noch etwa { $left } min
jobs-running-hours = Läuft: { $progress }, noch etwa { $left } h
jobs-paused = Pausiert: { $progress }
jobs-stopped = Abgebrochen: { $reason }
jobs-stopped-unknown = Abgebrochen: Der Server hat keinen Grund genannt
# { $all } is like “20 games” or “1 position”.
jobs-finished = Fertig: { $all }
# None of them could be analysed.
jobs-finished-without-results = Fertig: { $all }, nichts davon ließ sich analysieren
jobs-finished-in-part = Fertig: { $all }, davon { $failed } nicht analysierbar

## Apps that cannot sign in

devices-title = Apps, die sich nicht anmelden können
devices-hint = Apps wie DroidFish kennen keine Token. Lassen Sie diese Adresse ein, und geben Sie in der App Host und Port an.
devices-hidden = Ein Proxy verbirgt die Adresse dieses Geräts, deshalb kann sie nicht eingelassen werden: fragen Sie den Betreiber dieses Servers.
devices-place = Host und Port von { $name }, für { $engine }
devices-until = { $address } wird bis { $date } eingelassen.
devices-pair = Apps an { $address } einlassen
devices-file = Datei für DroidFish
devices-unpair = Niemanden mehr einlassen
devices-not-now = Der Server kann das gerade nicht ändern

## Links to shared games

shared-too-large = Die Partie ist zu groß zum Teilen
shared-too-large-hint = Entfernen Sie Varianten oder Kommentare.
shared-impossible = Der Server kann diese Partie nicht teilen
links-title = Link zu dieser Partie
links-hint = Wer den Link hat, kann die Partie mit ihren Kommentaren lesen. Nur Sie können sie ändern oder den Link zurückziehen.
# A list with the next four.
links-time = Wie lange der Link gilt
links-for-week = eine Woche lang
links-for-month = einen Monat lang
links-for-year = ein Jahr lang
links-until-withdrawn = bis ich ihn zurückziehe
links-make = Link erzeugen
links-list = Meine Links
# The title of a shared game without players.
links-nameless = Eine Partie ohne Namen
links-works-until = gilt bis { $date }
links-works-until-withdrawn = gilt, bis er zurückgezogen wird
link = Link
links-copied = Link kopiert
# Buttons that ask one of the questions below.
links-ask-update = Aktualisieren…
links-ask-withdraw = Zurückziehen…
links-change = Link zu { $title } ändern
links-update-question = Unter diesem Link die Partie zeigen, die jetzt auf dem Brett ist?
links-withdraw-question = Der Link führt dann ins Leere. Zurückziehen?
links-update = Link aktualisieren
links-withdraw = Link zurückziehen
links-keep = Beibehalten
links-frame = Auf einer Webseite zeigen
links-html = HTML für die Webseite
links-html-copied = HTML kopiert
links-size = Größe auf der Webseite
links-frame-hint = Das geht auf den Websites, die der Betreiber dieses Servers eingetragen hat.

## Options of an engine

options-title = Optionen von { $engine }
options-no-control = Jemand anders hat die Steuerung: Sie können nur die Zahl der gezeigten Varianten ändern.
options-none = Die Engine hat ihre Optionen noch nicht gemeldet.
options-reset = Zurücksetzen
# The number of lines that the engine shows.
options-lines = Varianten
# “Search until” is followed by one of the next five, in a list, and then by a number.
options-until = Suche begrenzen
options-until-stopped = nicht
options-until-depth = Tiefe
options-until-seconds = Sekunden
options-until-nodes = Knoten
options-until-mate = Matt in Zügen
options-limit = Grenze
# A number that was typed has to be from .. to ..
options-from-to = von { $min } bis { $max }
options-range = { $min } bis { $max }
options-invalid = ungültiger Wert
# The unit of “Hash”.
options-mebibytes = MiB

## The window for a game against an engine

play-title = Gegen eine Engine spielen
play-colour = Ihre Farbe
# A colour by chance.
play-random = Auslosen
play-clock = Bedenkzeit
play-minutes = { $minutes } min
# Minutes for the game, and seconds more for each move.
play-minutes-and-seconds = { $minutes } min + { $seconds } s
play-no-clock = Ohne Uhr
# Another clock, whose minutes and seconds are typed.
play-own-clock = Eigene
play-clock-fields = Minuten + Sekunden pro Zug
play-clock-minutes = Minuten
play-clock-seconds = Sekunden pro Zug
play-strength = Spielstärke
play-full-strength = Volle Stärke
play-by-rating = Nach Elo
play-by-level = Nach Stufe
play-level = Stufe
play-no-levels = Diese Engine hat keine schwächeren Stufen.
play-levels-unknown = Die Engine hat ihre Stufen noch nicht gemeldet.
play-ponders = Engine denkt auch in Ihrer Zeit
play-from-here = Ab dieser Stellung spielen

## Share

share-position = Link zu dieser Stellung
download-game = Partie herunterladen
share-preview = Vorschau des Bretts
share-arrows = Pfeile für die besten Züge zeigen
share-png = Als PNG speichern
share-svg = Als SVG speichern
share-copy-picture = Bild kopieren
share-picture-copied = Bild kopiert
share-picture-not-copied = Das Bild lässt sich nicht kopieren
share-save-instead = Dieser Browser kopiert Bilder nur über https: Speichern Sie es stattdessen.

## Names, date and result of the game

game = Partie
rating = Elo
headers-rating-of-white = Elo von Weiß
headers-rating-of-black = Elo von Schwarz
event = Turnier
headers-example-event = Vereinsmeisterschaft
headers-round = Runde
headers-place = Ort
# A town, as an example of a place.
headers-example-place = Leipzig
headers-date = Datum
headers-annotator = Kommentiert von
headers-eco = ECO-Code
result = Ergebnis
save = Speichern

## Setting up a position

piece-white-king = weißer König
piece-white-queen = weiße Dame
piece-white-rook = weißer Turm
piece-white-bishop = weißer Läufer
piece-white-knight = weißer Springer
piece-white-pawn = weißer Bauer
piece-black-king = schwarzer König
piece-black-queen = schwarze Dame
piece-black-rook = schwarzer Turm
piece-black-bishop = schwarzer Läufer
piece-black-knight = schwarzer Springer
piece-black-pawn = schwarzer Bauer
setup-empty = leer
setup-white-pieces = weiße Figuren
setup-black-pieces = schwarze Figuren
setup-move = Figuren versetzen
setup-remove = Figuren entfernen
setup-move-title = Figuren versetzen; zum Entfernen vom Brett ziehen
setup-remove-title = Figuren entfernen
setup-not-legal = Illegal: { $fault }.
setup-legal = Die Stellung ist legal.
setup-undo = Rückgängig
castling-white-short = Weiß kurz
castling-white-long = Weiß lang
castling-black-short = Schwarz kurz
castling-black-long = Schwarz lang
setup-to-move = Am Zug
setup-clear = Brett leeren
cancel = Abbrechen
setup-castling = Rochade
setup-en-passant = En passant
setup-no-square = Keins
setup-start = Grundstellung
setup-start-number = Nummer der Startstellung
setup-random = Stellung auslosen

## Rooms

room-stop-writing = Schreiben sperren
room-let-write = Schreiben erlauben
room-remove = { $name } entfernen
room-last-change = Letzte Änderung: { $name }
room-your-name-here = Ihr Name hier: { $name }
room-your-name = Ihr Name
room-engine-closes = Mit einer anderen Engine schließt der Raum für { $count } Zuschauer.
room-viewers = { $count ->
    [0] noch keine Zuschauer
   *[other] { $count } Zuschauer
}
room-you-have-control = { $count ->
    [0] Sie haben die Steuerung, keine anderen Zuschauer
    [one] Sie haben die Steuerung, 1 anderer Zuschauer
   *[other] Sie haben die Steuerung, { $count } andere Zuschauer
}
room-watching = { $count ->
    [0] Sie sehen zu, keine anderen Zuschauer
    [one] Sie sehen zu, 1 anderer Zuschauer
   *[other] Sie sehen zu, { $count } andere Zuschauer
}
room = Raum
room-live = Live
room-take-control = Steuerung zurückholen
room-withdraw-offer = Angebot zurückziehen
room-give-control = Steuerung übergeben
room-elsewhere = Sie sehen eine andere Stellung.
room-back-to-live = Zurück zu Live
room-back-to-live-title = Zurück zu Live (v)
room-change-name = Namen ändern
room-save-name = Namen speichern
room-yes-change = Ja, wechseln
room-keep-engine = Engine behalten
room-give-back = Steuerung zurückgeben
room-save-copy = Kopie behalten
room-save-copy-title = Mit einer Kopie der Partie verlassen; Rückgängig bringt Ihre eigene zurück
room-leave = Verlassen
room-offered = Ihnen wird die Steuerung angeboten.
room-accept = Annehmen
room-decline = Ablehnen
room-owner = (Gastgeber)
room-together = Gemeinsam analysieren
room-explained = Lassen Sie andere bei dieser Partie und der Analyse der Engine live zusehen. Sie behalten die Steuerung, können sie jemandem übergeben und andere schreiben lassen. Zusehen kann, wer den Link hat.
room-open = Raum öffnen
room-not-connected = Die Engine ist gerade nicht verbunden.
room-anyone = Zusehen kann, wer den Link hat.
room-viewers-link = Link für Zuschauer
room-lasts = Der Raum besteht so lange wie Ihre Sitzung, oder bis Sie ihn schließen.
room-close = Raum schließen
room-done = Fertig

## The library: files of games that this browser keeps

library = Bibliothek
library-reading = { $count ->
    [one] Wird gelesen: { $count } Partie
   *[other] Wird gelesen: { $count } Partien
}
library-save-in = In { $file } speichern
# “My games” is the name of a file: it is “My games.pgn” in every language.
library-save-in-own = In My games speichern
library-earlier-of-game = Frühere Fassungen dieser Partie
library-earlier = Frühere Fassungen
# The game as it was before { $time }, when it was saved.
library-before = Stand vor dem { $time }
# { $coding } is like “Western (Windows)”, a way to write letters in a file.
library-lacks-letters = Für { $path } gilt die Kodierung { $coding }; darin fehlen Buchstaben dieser Partie.
library-do-not-save = Nicht speichern
library-save-utf8 = Speichern und die Datei auf UTF-8 umstellen
library-empty = Dateien mit mehreren Partien, die Sie öffnen, werden hier aufbewahrt.
library-deleted = { $path } gelöscht
library-undo = Rückgängig
library-files = Dateien
library-files-in = Dateien in { $folder }
library-download-as-one = Als eine Datei herunterladen
library-download-each = Jede Datei herunterladen
library-name = Name; ein Schrägstrich legt einen Ordner an
library-rename = Umbenennen
library-rename-file = { $file } umbenennen oder verschieben
library-download-file = { $file } herunterladen
library-delete-file = { $file } löschen
library-games = { $count ->
    [one] { $count } Partie
   *[other] { $count } Partien
}
# { $shown } is 100.
library-games-first = { $count } Partien, gezeigt werden die ersten { $shown }
library-search = Bibliothek durchsuchen
library-search-hint = Bibliothek durchsuchen: Spieler, Turnier, Datum, Ergebnis
library-search-by = Nach Stellung, Eröffnung, Spielern, Datum suchen
# A condition of the search, like “Event: Leipzig”; several are joined by commas.
library-condition = { $name }: { $value }
# A player of White or Black.
library-either-player = Weiß oder Schwarz
library-opening = Eröffnung
library-example-opening = B90 oder Najdorf
# The first and the last date of the games that are searched, with examples.
library-from = Von
library-example-from = 2024 oder 2024.05.31
library-to = Bis
library-example-to = 2026
library-rated = Elo beider mindestens
library-any-result = Jedes Ergebnis
library-white-won = Weiß hat gewonnen
library-black-won = Schwarz hat gewonnen
library-draw = Remis
library-folder = Ordner
library-all-folders = Alle
library-clear = Leeren
library-in-any-position = In beliebiger Stellung
# A button: search the games with this position.
library-search-position = Mit der Stellung auf dem Brett
library-with-position = Partien mit der Stellung auf dem Brett
library-with-other-position = Partien mit einer anderen Stellung
library-with-position-explained = Partien mit der Stellung auf dem Brett in der Hauptvariante, auch bei anderer Zugfolge.
library-with-other-position-explained = Partien mit einer anderen Stellung in der Hauptvariante, auch bei anderer Zugfolge.
library-show = Partien zeigen
library-show-games = { $count ->
    [one] { $count } Partie zeigen
   *[other] { $count } Partien zeigen
}
library-indexed = Bisher sind { $done } von { $total } Partien nach Stellung und Eröffnung durchsuchbar
library-pause = Anhalten
library-continue = Fortsetzen
library-searching = Wird gesucht…
library-found = Gefundene Partien
library-download-found = Alle gefundenen herunterladen
library-no-matching = Keine passenden Partien.
library-saved-in = Gespeichert in { $file }
library-saved-as-new = Als neue Partie gespeichert
library-saved-as-new-reason = Sie wurde anderswo geändert, seit Sie sie geöffnet haben.
# Stands for a file without a name: “Saved in the library”.
library-itself = der Bibliothek
# The next ones follow a title and a colon, so they begin with a small letter.
library-waits = die Bibliothek wartet auf einen anderen Tab mit einer älteren Seite: Schließen Sie ihn, oder laden Sie ihn neu
library-closed = die Bibliothek wird von einer neueren Seite in einem anderen Tab benutzt: Laden Sie diese Seite neu, um sie hier zu benutzen
library-full = dieser Browser hat keinen Platz mehr: Laden Sie eine Datei der Bibliothek herunter, löschen Sie sie hier und versuchen Sie es noch einmal
library-not-there = eine Datei ist nicht mehr da, oder das Lesen wurde abgebrochen
library-too-large = diese Datei ist zu groß: { $size } MB; die Grenze liegt bei { $limit } MB: Teilen Sie sie auf
library-unreadable = die Datei ließ sich nicht lesen

sync-keep = Auf dem Server aufbewahren
sync-keep-file = Auf dem Server aufbewahren: { $file }
# How a file here stands, compared with the one on the server.
sync-same = Auf dem Server gleich
sync-here = Hier geändert, noch nicht gesendet
sync-there = Auf einem anderen Computer geändert
sync-both = Hier und auf einem anderen Computer geändert
sync-offline = Keine Verbindung
sync-offline-here = Keine Verbindung: wird später gesendet
sync-released = { $file } ist jetzt nur noch in diesem Browser
sync-released-hint = Ihre anderen Computer verlieren die Datei, wenn sie die Bibliothek öffnen.
sync-folder-released = Die Dateien in { $folder } sind jetzt nur noch in diesem Browser
sync-folder-released-hint = Ihre anderen Computer verlieren sie, wenn sie die Bibliothek öffnen.
# The name of a file after it was changed on two computers.
sync-from-here = { $name } (von diesem Computer)
sync-too-large = Die Datei ist zu groß für den Server
sync-too-large-hint = Sie bleibt in diesem Browser; teilen Sie sie auf, um sie dort aufzubewahren.
sync-bad-name = Der Server nimmt diesen Namen nicht an
sync-bad-name-hint = Benennen Sie die Datei um.
sync-not-now = Der Server kann gerade keine Dateien aufbewahren
# A game without the names of its players.
game-number = Partie { $number }

## The window that opens a game or a position

import-text = PGN oder FEN
import-hint = Fügen Sie hier PGN (eine oder mehrere Partien) oder eine FEN ein, oder ziehen Sie eine Datei auf die Seite.
import-file = Datei mit Partien
# How the letters are written in the file: its encoding.
import-encoding = Kodierung der Datei
import-search = Partien suchen
import-search-games = In { $count } Partien suchen
import-showing = { $shown } von { $count } werden gezeigt: Die anderen finden Sie mit der Suche.
import-played-here = Hier gespielt

## How a game against an engine ended, and its strength

outcome-white-mates = Weiß gewinnt durch Matt
outcome-black-mates = Schwarz gewinnt durch Matt
outcome-white-wins-on-time = Weiß gewinnt auf Zeit
outcome-black-wins-on-time = Schwarz gewinnt auf Zeit
outcome-white-resigns = Weiß gibt auf
outcome-black-resigns = Schwarz gibt auf
outcome-white-made-no-move = Weiß hat keinen legalen Zug gemacht
outcome-black-made-no-move = Schwarz hat keinen legalen Zug gemacht
# Black's time is over, but White has too few pieces to mate.
outcome-white-cannot-mate = Remis: Die Zeit von Schwarz ist abgelaufen, aber Weiß kann nicht mattsetzen
outcome-black-cannot-mate = Remis: Die Zeit von Weiß ist abgelaufen, aber Schwarz kann nicht mattsetzen
outcome-stalemate = Remis durch Patt
outcome-material = Remis: zu wenig Material
outcome-fifty-moves = Remis nach der 50-Züge-Regel
outcome-repetition = Remis durch dreimalige Stellungswiederholung
outcome-agreement = Remis vereinbart
# Behind the name of an engine that does not play at full strength.
play-at-level = Stufe { $level }
play-declines = Die Engine lehnt Remis ab
play-declines-reason = Sie meint, es sei mehr drin.

## The words of the explorer and of the tablebases

explorer-rating = Elo-Schnitt { $rating }
explorer-year = zuletzt gespielt { $year }
explorer-rating-and-year = Elo-Schnitt { $rating }, zuletzt gespielt { $year }
# What a move does for the side that plays it; in a narrow column.
tablebase-wins = gewinnt
tablebase-draws = remis
tablebase-loses = verliert
tablebase-checkmate = Matt
tablebase-stalemate = Patt
tablebase-draw = Remis bei bestem Spiel
# { $side } is the side to move: “white” or “black”.
tablebase-side-wins = { $side ->
    [white] Weiß gewinnt
   *[black] Schwarz gewinnt
}
tablebase-side-wins-or-draws = { $side ->
    [white] Weiß gewinnt, oder Remis nach der 50-Züge-Regel
   *[black] Schwarz gewinnt, oder Remis nach der 50-Züge-Regel
}
tablebase-side-wins-too-late = { $side ->
    [white] Remis: Weiß braucht zum Gewinn mehr als fünfzig Züge
   *[black] Remis: Schwarz braucht zum Gewinn mehr als fünfzig Züge
}
tablebase-side-loses-too-late = { $side ->
    [white] Remis: Weiß verliert erst nach mehr als fünfzig Zügen
   *[black] Remis: Schwarz verliert erst nach mehr als fünfzig Zügen
}
tablebase-side-loses-or-draws = { $side ->
    [white] Weiß verliert, oder Remis nach der 50-Züge-Regel
   *[black] Schwarz verliert, oder Remis nach der 50-Züge-Regel
}
tablebase-side-loses = { $side ->
    [white] Weiß verliert
   *[black] Schwarz verliert
}
# Behind a move, in a narrow column: how the game ends or how far the next step is.
tablebase-detail-mate = Matt
tablebase-detail-stalemate = Patt
tablebase-detail-material = zu wenig Material
# The fifty-move rule makes a draw of it.
tablebase-detail-fifty = fünfzig Züge
tablebase-detail-distance = DTZ { $distance }
# The fifty-move rule may make a draw of it.
tablebase-detail-distance-or-fifty = DTZ { $distance } oder fünfzig Züge
tablebase-detail-or-fifty = oder fünfzig Züge

## What is wrong with a position that is set up

# Stands in “Not legal: ….”, so it has no full stop.
setup-no-king = { $color ->
    [white] Weiß hat keinen König
   *[black] Schwarz hat keinen König
}
setup-kings = { $color ->
    [white] Weiß hat { $count } Könige statt einem
   *[black] Schwarz hat { $count } Könige statt einem
}
setup-men = { $color ->
    [white] Weiß hat { $count } Figuren, höchstens { $most } sind erlaubt
   *[black] Schwarz hat { $count } Figuren, höchstens { $most } sind erlaubt
}
# { $square } is like “a8”.
setup-pawn-on = auf { $square } kann kein Bauer stehen
# { $count } is 9 or more.
setup-pawns = { $color ->
    [white] Weiß hat { $count } Bauern: ungewöhnlich, aber analysierbar
   *[black] Schwarz hat { $count } Bauern: ungewöhnlich, aber analysierbar
}
# For screen readers.  The keys k q r b n p are those of the keyboard, and stay as they are.
setup-board = Brett: Die Pfeiltasten wählen ein Feld; k q r b n p setzen eine weiße Figur, mit Umschalt eine schwarze; Entf entfernt sie

## What is wrong with a FEN, a PGN or a link

# The letters w, b, K, Q, R, B and N, the tags and the words in “ ” are those of FEN, PGN and UCI.
fen-no-placement = keine gültige FEN: Eine FEN braucht mindestens die Aufstellung der Figuren
fen-unreadable = keine gültige FEN: { $fen }
fen-side = die Seite am Zug muss „w“ oder „b“ sein, nicht „{ $side }“
fen-ranks = keine gültige FEN: Ein Brett braucht 8 Reihen zwischen „/“, nicht { $count }
fen-rank = keine gültige FEN: Reihe { $rank } braucht Figuren und Ziffern, nicht „{ $said }“
fen-rank-squares = keine gültige FEN: Reihe { $rank } braucht 8 Felder, nicht { $count }
fen-kings = { $color ->
    [white] Weiß braucht einen König, nicht { $count }
   *[black] Schwarz braucht einen König, nicht { $count }
}
fen-men = { $color ->
    [white] Weiß hat { $count } Figuren, höchstens { $most } sind erlaubt
   *[black] Schwarz hat { $count } Figuren, höchstens { $most } sind erlaubt
}
fen-pawns = auf der ersten und der letzten Reihe kann kein Bauer stehen
# { $fault } is a word of a program.
position-not-legal = die Stellung ist illegal: { $fault }
position-in-check = { $color ->
    [white] die Stellung ist illegal: Weiß steht im Schach, ist aber nicht am Zug
   *[black] die Stellung ist illegal: Schwarz steht im Schach, ist aber nicht am Zug
}
import-position = hinter „position“ muss „startpos“ oder „fen ...“ stehen, nicht „{ $said }“
import-variant = die Schachvariante „{ $variant }“ wird noch nicht unterstützt
import-address = das ist eine Webadresse: Kopieren Sie das PGN oder die FEN von jener Seite
import-setup = die Partie hat ein Tag SetUp, aber kein Tag FEN
import-number = die Partie beginnt mit Zug { $number } und hat kein Tag FEN
import-too-long = das ist zu lang: { $length } Zeichen; die Grenze liegt bei { $limit }
import-nothing = keine Partie oder Stellung gefunden: Fügen Sie PGN, eine FEN, Züge (e4 e5 oder e2e4 e7e5) oder die Adresse einer Stellung ein
import-letters = „{ $move }“ ist kein legaler Zug: Schreiben Sie K, Q, R, B und N für die Figuren
import-first-move = „{ $move }“ ist in der ersten Stellung kein legaler Zug: Ihre FEN fehlt
import-illegal = ein Zug ist illegal, „{ $move }“: Nur die Züge davor werden gezeigt
import-illegal-in-link = im Link ist ein Zug illegal, „{ $move }“: Nur die Züge davor werden gezeigt

## What is wrong with names, date and result of a game

# They stand behind the name of the field.
headers-too-long = höchstens { $most } Zeichen
headers-no-rating = eine Elo-Zahl sieht aus wie 1850
# A code of an opening (ECO).
headers-no-code = ein Code sieht aus wie B90
headers-is-draw = die Partie endet remis
headers-is-mate = die Partie endet mit Matt
headers-no-date = schreiben Sie ein Datum wie 2026.11.26, 26.11.2026 oder nur das Jahr
headers-no-month = einen Monat { $month } gibt es nicht
headers-no-day = einen Tag { $day } hat der Monat nicht

## More on a position that is set up

# Stands in “Not legal: ….”
setup-in-check = { $color ->
    [white] Weiß steht im Schach, ist aber nicht am Zug
   *[black] Schwarz steht im Schach, ist aber nicht am Zug
}

## Practice without an answer

practice-no-answer = Die Engine hat nicht geantwortet
practice-try-again = Spielen Sie den Zug noch einmal.

## The menu of a move, its comment and its time

menu-comment = Kommentieren…
menu-move-up = Diese Variante nach oben verschieben
menu-delete = Ab hier löschen
menu-delete-others = Alle anderen Varianten löschen
menu-copy-moves = Züge bis hierher kopieren
menu-copy-pgn = PGN ab hier kopieren
menu-rate = Zug bewerten
copied = Kopiert
copy-not-allowed = Dieser Browser erlaubt der Seite das Kopieren nicht
player-move-time = Zeit für { $move }
# { $move } is like “3... Nf6”.
comment-on-move = Kommentar zu { $move }
comment-on-game = Kommentar zur Partie
comment-name = Kommentar
comment-write = Kommentar schreiben

## A storage that is full

storage-full = Ihre letzten Änderungen sind nicht gespeichert
storage-full-text = Dieser Browser hat keinen Platz mehr für die Daten dieser Seite.
storage-full-hint = Laden Sie die Partie herunter, bevor Sie die Seite schließen.

## A shared game in a frame of another page

embed-title = Rookery: eine geteilte Partie
embed-fetching = Die Partie wird geladen…
embed-open = Auf { $server } öffnen
# The name of the row of buttons, for screen readers.
embed-steps = Blättern
embed-no-address = Diese Adresse gehört zu keiner Partie
embed-no-address-text = Sie muss mit # und der Kennung einer geteilten Partie enden, etwa /embed#AbCdEf. Die ganze Adresse zum Kopieren steht auf dem Server unter „Teilen“.

## Analyses of the server

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

## The project beside the board

project = Projekt
project-nameless = Projekt ohne Namen
# A button beside the engine: the position becomes a tree that the server works on.
project-keep = Diese Analyse als Projekt behalten
project-close = Projekt schließen
project-pause = Anhalten
project-go-on = Weiter
project-go-on-title = Mit dem Doppelten dessen, was vom Budget verbraucht ist
project-progress = Stellungen des Budgets, die der Baum hat
# Searches for the tree of a project.
project-growing = { $count ->
    [one] Wächst: eine Suche läuft
   *[other] Wächst: { $count } Suchen laufen
}
project-queued = Wartet auf eine freie Engine
project-paused = Angehalten
# The reason is one of those below, or a sentence of the server in English.
project-paused-why = Angehalten: { $reason }
project-finished = Fertig
project-finished-why = Fertig: { $reason }
project-building = Wird zusammengeführt: wächst weiter, wenn der neue Baum vollständig ist
project-failed = Abgebrochen: Der Server hat nicht gesagt, warum
project-failed-why = Abgebrochen: { $reason }
# Reasons why a project does not grow.
project-cause-positions = es hat so viele Stellungen, wie es haben sollte
project-cause-nodes = es hat so viele Knoten durchsucht, wie es sollte
project-cause-cpu = es hat so viel CPU-Zeit verbraucht, wie es sollte
project-cause-until = seine Zeit ist um
project-cause-stable = sein bester Zug ist lange genug derselbe geblieben
project-cause-exhausted = es gibt nichts mehr zu suchen
project-cause-quota = Ihre Projekte haben so viele Stellungen, wie sie haben dürfen
project-cause-engine = Engines können nicht dafür suchen
project-cause-damage = der Server kann nicht lesen, was er davon gespeichert hat
project-positions = { $count ->
    [one] eine Stellung
   *[other] { $count } Stellungen
}
# Of all searches; the number is short, like 5.2M.
project-nodes = { $nodes } Knoten
project-cpu = { $time } CPU-Zeit
project-unknown = Diese Stellung ist nicht im Baum.
project-add-position = In den Baum aufnehmen
project-to-root = Zur Wurzel des Baums
project-unsearched = wartet auf ihre Suche
project-checkmate = Matt
project-stalemate = Patt
project-dead-draw = keine Seite kann mattsetzen
project-from-tablebase = aus einer Endspieltabelle
project-search-failed = Engines scheitern an dieser Stellung
# Of a value: it is a fact.
project-proven = bewiesen
project-own-search = eigene Suche: { $value }, Tiefe { $depth }
project-searching = wird gerade durchsucht
project-main-line = Hauptvariante des Baums
project-moves = Züge des Baums
project-all = Alle { $count } Züge zeigen
project-fewer = Nur die besten Züge zeigen
# The heads of columns have little room.
project-value = Wert
project-value-title = Von den Stellungen hinter dem Zug heraufgereicht
project-own = Suche
project-own-title = Durch die Suche dieser Stellung
project-next-search = Durch die Suche dieser Stellung; die nächste wurde bis Tiefe { $depth } durchsucht ({ $nodes } Knoten)
project-trend = Verlauf
project-trend-words = Der Wert, während der Baum wuchs: { $values }
project-height = Tiefe
project-height-title = Halbzüge bis zur tiefsten Stellung hinter dem Zug
project-size = Stellungen
project-size-title = Stellungen hinter dem Zug
project-share = { $share } aller hinter dieser Stellung
# Marks of a move, each a word: only this one and others with the mark are searched.
project-is-pinned = nur
project-is-added = ergänzt
project-is-excluded = ausgeschlossen
# By repetition or the fifty-move rule.
project-is-repetition = remis
# To a position before this one.
project-returns = führt zurück
# Legal moves that no search has listed.
project-others = { $count ->
    [one] ein anderer Zug
   *[other] { $count } andere Züge
}
project-other-moves = Die anderen Züge
# The growth of the tree: a menu follows.
project-steer = Lenken
project-steer-move = { $move } lenken
project-exclude = Diesen Zug ausschließen
project-include = Diesen Zug wieder zulassen
project-pin = Nur diesen Zug, und andere mit dieser Marke
project-unpin = Nicht nur diesen Zug
project-deepen = Hier tiefer suchen
project-add-move = Diesen Zug in den Baum aufnehmen
project-exclude-others = Alle anderen Züge ausschließen
project-include-others = Die anderen Züge wieder zulassen
# What the user has done; an undo follows.
project-done-exclude = { $move }: ausgeschlossen.
project-done-include = { $move }: wieder zugelassen.
project-done-pin = { $move }: nur dieser Zug, und andere mit dieser Marke.
project-done-unpin = { $move }: nicht mehr nur dieser Zug.
project-done-add = { $move }: ergänzt.
project-done-deepen = Es wird noch einmal gesucht, mit viermal so vielen Knoten.
project-undo = Rückgängig
# The last visit; the number of changes follows.
project-since = Seit { $date }:
project-changes = { $count ->
    [one] eine Änderung
   *[other] { $count } Änderungen
}
project-grown = { $count ->
    [one] Eine Stellung kam hinzu.
   *[other] { $count } Stellungen kamen hinzu.
}
project-root-best = Bester Zug an der Wurzel: aus { $from } wurde { $to } ({ $before } → { $after })
project-root-value = Wert an der Wurzel, mit { $move }: { $before } → { $after }
project-change = Nach { $line }: jetzt ist { $move } am besten ({ $value })
project-seen = Als gesehen merken
project-map = Karte des Baums
# The first position of a tree.
project-root = Wurzel
project-map-cell = { $line }: { $count ->
    [one] eine Stellung
   *[other] { $count } Stellungen
}, { $value }
project-map-new-cell = { $line }: { $count ->
    [one] eine Stellung
   *[other] { $count } Stellungen
}, { $value }, mit neuen Stellungen
# Subtrees, with their positions.
project-map-largest = Am größten: { $moves }.
project-map-newest = Am neuesten: { $lines }.
project-map-keys = Die Breite zeigt die Stellungen, die Farbe den Wert: Blau ist für Weiß besser als die Wurzel, Orange schlechter; je satter, desto neuer. Pfeiltasten gehen durch den Baum, die Eingabetaste zeigt eine Stellung auf dem Brett.
project-table-white = Weiß gewinnt durch eine Endspieltabelle, { $plies } Halbzüge entfernt
project-table-black = Schwarz gewinnt durch eine Endspieltabelle, { $plies } Halbzüge entfernt

## The window with the projects of the account

projects = Projekte
projects-title = Meine Projekte
projects-asking = Der Server wird gefragt…
# Two sentences: what a project is, and how to begin one.
projects-none = Ein Projekt ist eine Stellung, an der der Server stunden- oder nächtelang arbeitet, als Baum von Zügen, der erhalten bleibt. Bringen Sie eine Stellung aufs Brett und drücken Sie „Neues Projekt“, oder drücken Sie das Lesezeichen neben der Engine.
projects-go-on = Der Server arbeitet weiter daran, wenn diese Seite geschlossen ist.
# positions and room are short numbers, like 5.2M.
projects-room = { $count } von { $most } Projekten, { $positions } von { $room } Stellungen
projects-all = Alle Projekte
projects-new = Neues Projekt
projects-settings-of = Einstellungen von { $name }
projects-export-of = { $name } exportieren
projects-copy-of = { $name } kopieren
projects-merge-into = Ein Projekt in { $name } aufnehmen
projects-import-into = Partien in { $name } aufnehmen
projects-changed = Geändert { $date }
# The value of the move follows.
projects-best = Bester Zug: { $move }
projects-settings = Einstellungen…
projects-export = Exportieren…
projects-more = Mehr…
projects-less = Weniger
projects-more-of = Mehr zu { $name }
projects-copy = Kopieren…
projects-merge = Zusammenführen…
projects-import = PGN hinzufügen…
projects-delete-question = { $count ->
    [one] Samt seiner Stellung löschen?
   *[other] Samt seinen { $count } Stellungen löschen?
}
projects-name = Name
# After what the server says is wrong; its words are English.
projects-expected = Erwartet: { $expected }
projects-start = Stellung
projects-from-board = Die auf dem Brett, mit den Zügen davor und den Varianten dahinter
projects-from-fen = Ein FEN
projects-from-pgn = Eine Partie als PGN, deren Züge und Varianten zuerst untersucht werden
projects-engines = Engines
projects-options-of = { $count ->
    [0] Optionen von { $engine }
   *[other] Optionen von { $engine } ({ $count } geändert)
}
projects-growth = Wie es wächst
projects-for = Zweck
projects-for-understanding = Die Stellung verstehen
projects-for-white = Repertoire für Weiß
projects-for-black = Repertoire für Schwarz
projects-own-choice = Eigene Wahl
# The time that an engine takes for each position.
projects-effort = Jede Stellung
projects-quick = Schnell ({ $nodes } Knoten)
projects-normal = Normal ({ $nodes } Knoten)
projects-deep = Tief ({ $nodes } Knoten)
projects-own-nodes = Eigene Zahl
projects-nodes = Knoten für jede Stellung
projects-seconds = Höchstens Sekunden für jede Stellung
projects-width = Breite
projects-narrow = Schmal
projects-rather-narrow = Eher schmal
projects-balanced = Ausgewogen
projects-rather-wide = Eher breit
projects-wide = Breit
# cp: hundredths of a pawn.
projects-own-width = { $width } cp
projects-width-hint = Schmal verfolgt die besten Züge weit, breit betrachtet mehr Züge und weniger weit.
projects-each-side = Jede Seite für sich
projects-white-to-move = Weiß am Zug
projects-black-to-move = Schwarz am Zug
# How many moves of a position get positions of their own.
projects-follow = Verfolgt werden
projects-all-moves = alle guten Züge
projects-best-moves = { $count ->
    [one] nur der beste Zug
   *[other] die { $count } besten Züge
}
projects-lines = Züge, die eine Suche vergleicht
projects-end = Wann es endet
projects-end-hint = Beim ersten davon; was leer ist, ist kein Ende. Sie können jederzeit weitermachen.
projects-no-limit = ohne Grenze
projects-until-positions = Stellungen im Baum
projects-until-nodes = Millionen Knoten
projects-until-hours = Stunden CPU-Zeit
projects-until-date = Datum und Uhrzeit
projects-until-stable = Stellungen ohne anderen besten Zug
projects-begin = Beginnen
projects-format = Format
projects-as-pgn = PGN, mit Varianten und Werten
projects-as-book = Eröffnungsbuch (Polyglot)
projects-as-lines = Alle Stellungen (NDJSON)
projects-plies = Höchstens Halbzüge
projects-most-positions = Höchstens Stellungen
projects-visits = Mindestens Stellungen hinter einem Zug
projects-download = Herunterladen
projects-addresses = Adressen für Eröffnungsprogramme
projects-addresses-hint = Ein Programm, das chessdb.cn fragt, kann stattdessen dieses Projekt fragen: Es hängt ein FEN an die Adresse. Verlangt der Server ein Token, so steht es im Header Authorization.
projects-queryall = Alle Züge (queryall)
projects-querypv = Hauptvariante (querypv)
projects-address-copied = Adresse kopiert
# The name of a copy.
projects-copy-name = { $name } (Kopie)
projects-copy-hint = Die Kopie hat dieselben Engines und Einstellungen. Sie ist pausiert und endet nur dann von selbst, wenn Sie sagen, wann.
projects-copy-whole = Der ganze Baum
projects-copy-part = Ab der Stellung auf dem Brett
projects-make-copy = Kopieren
projects-merge-none = Es gibt kein anderes Projekt, das in dieses aufgenommen werden könnte.
projects-merge-hint = Die Stellungen des anderen Projekts kommen hinzu, wenn seine Wurzel in diesem Baum ist. Haben beide eine, zählt die längere Suche. Das andere Projekt bleibt.
projects-merge-from = Anderes Projekt
projects-merge-now = Zusammenführen
projects-merged = Zusammengeführt
projects-now = { $count ->
    [one] Der Baum hat jetzt eine Stellung.
   *[other] Der Baum hat jetzt { $count } Stellungen.
}
projects-import-hint = Die Züge und Varianten einer Partie kommen ab der Wurzel hinzu und werden vor allen anderen untersucht.
projects-import-now = Hinzufügen
projects-imported = Hinzugefügt
projects-added = { $count ->
    [0] Alle Stellungen waren schon im Baum.
    [one] Eine Stellung kam hinzu.
   *[other] { $count } Stellungen kamen hinzu.
}

## Projects of the server

projects-gone = Der Server hat dieses Projekt nicht
projects-gone-hint = Es wurde gelöscht oder gehört einem anderen Konto.
projects-not-so = Das geht jetzt nicht
projects-not-so-hint = Das Projekt hat sich inzwischen geändert: Sehen Sie es noch einmal an.
projects-too-large = Das ist zu viel für den Server
# The server says what is wrong, in a sentence after this.
projects-impossible = Der Server kann das nicht tun
projects-not-now = Der Server kann seine Projekte jetzt nicht nutzen

## Files and games that are opened

file-empty = „{ $name }“ ist leer: Wählen Sie eine Textdatei mit Partien (PGN) oder Stellungen (FEN, EPD)
file-blank = „{ $name }“ enthält nur Leerzeichen: Wählen Sie eine Textdatei mit Partien (PGN) oder Stellungen (FEN, EPD)
file-picture = „{ $name }“ ist ein Bild: Wählen Sie eine Textdatei mit Partien (PGN) oder Stellungen (FEN, EPD)
file-sound = „{ $name }“ ist eine Ton- oder Videodatei: Wählen Sie eine Textdatei mit Partien (PGN) oder Stellungen (FEN, EPD)
file-pdf = „{ $name }“ ist ein PDF-Dokument: Wählen Sie eine Textdatei mit Partien (PGN) oder Stellungen (FEN, EPD)
file-office = „{ $name }“ ist ein Office-Dokument: Wählen Sie eine Textdatei mit Partien (PGN) oder Stellungen (FEN, EPD)
file-web-page = „{ $name }“ ist eine Webseite: Wählen Sie eine Textdatei mit Partien (PGN) oder Stellungen (FEN, EPD)
file-zip = „{ $name }“ ist ein Zip-Archiv: Entpacken Sie es zuerst, und öffnen Sie die Partiendatei darin
file-compressed = „{ $name }“ ist eine komprimierte Datei: Entpacken Sie sie zuerst, und öffnen Sie die Partiendatei darin
file-database = „{ $name }“ ist die Datenbank eines Schachprogramms: Exportieren Sie ihre Partien dort als PGN, und öffnen Sie das
file-binary = „{ $name }“ ist kein Text: Wählen Sie eine Textdatei mit Partien (PGN) oder Stellungen (FEN, EPD)
file-folder = „{ $name }“ ist ein Ordner oder nicht lesbar: Wählen Sie eine Textdatei mit Partien (PGN) oder Stellungen (FEN, EPD)

## Problems with the server and with engines

# A title, what to do (-hint), and a sentence (-text) where the server has sent none.
notice-unauthorized = { sign-in }
notice-unauthorized-hint = Bitten Sie den Betreiber dieses Servers um ein Token.
notice-too-many-tries = Zu viele falsche Token
notice-too-many-tries-hint = Warten Sie so lange wie angegeben, und versuchen Sie es dann noch einmal.
notice-token-in-url = Die Adresse enthält ein Token
notice-token-in-url-hint = Lassen Sie es sperren: Jemand könnte es gesehen haben.
notice-wrong-host = Falscher Servername
notice-wrong-host-hint = Öffnen Sie die Seite unter dem eigenen Namen des Servers.
notice-wrong-origin = Diese Seite darf den Server nicht nutzen
notice-wrong-origin-hint = Öffnen Sie die Seite vom Server selbst.
notice-wrong-protocol = Dieser Port ist für UCI über TCP
notice-wrong-protocol-hint = Nehmen Sie den anderen Port.
notice-unknown-engine = Diese Engine gibt es nicht
notice-unknown-engine-hint = { notice-choose-engine }
notice-choose-engine = Wählen Sie eine andere Engine.
notice-engine-failed = Die Engine lässt sich nicht starten
notice-engine-failed-hint = Wählen Sie eine andere Engine, oder fragen Sie den Betreiber.
notice-engine-failed-text = die Engine gibt es nicht mehr
notice-engine-away = Der Rechner der Engine ist offline
notice-engine-away-hint = Die Seite wartet auf ihn; Sie können auch eine andere Engine wählen.
notice-no-engine = Die Engine konnte nicht gestartet werden
notice-no-engine-hint = Eine andere wird versucht.
notice-engine-died = Die Engine ist ausgefallen und wird ersetzt
notice-line-too-long = Die Partie ist zu lang zum Senden
notice-line-too-long-hint = { notice-later-position }
notice-later-position = Machen Sie ab einer späteren Stellung weiter.
notice-line-too-long-text = eine Zeile hat höchstens 65536 Bytes
notice-not-a-line = Der Server konnte eine Nachricht nicht lesen
notice-unknown-command = Unbekannter Befehl
notice-bad-command = Der Server konnte mit diesem Befehl nichts anfangen
notice-command-refused = Diesen Befehl gibt es hier nicht
notice-file-refused = Dateien des Servers sind nicht zugänglich
notice-unknown-option = Die Engine hat keine solche Option
notice-option-refused = Diese Option lässt sich hier nicht ändern
notice-bad-value = Ungültiger Wert einer Option
notice-bad-value-hint = Der alte Wert bleibt.
notice-option-clamped = Der Wert der Option wurde verringert
notice-illegal-position = Der Server hat diese Stellung abgelehnt
notice-illegal-position-hint = Ändern Sie die Stellung.
notice-position-mended = Die Stellung wurde berichtigt
notice-position-too-long = Die Partie hat zu viele Züge
notice-position-too-long-hint = { notice-later-position }
notice-position-lost = Die Engine hat die Stellung verloren
notice-position-lost-hint = Stellen Sie sie noch einmal ein.
notice-too-many-lines = { too-many-requests }
notice-too-many-lines-hint = { notice-wait-a-moment }
notice-wait-a-moment = Warten Sie einen Moment.
notice-gap = Inzwischen sind Nachrichten verloren gegangen
notice-gap-hint = Die Suche beginnt von vorn.
notice-unknown-session = Wieder verbunden
notice-unknown-session-text = Auf dem Brett ist nichts verloren; die Engine beginnt von vorn.
notice-ended = Der Betreiber hat die Sitzung beendet
notice-ended-hint = Fragen Sie den Betreiber, oder verbinden Sie neu.
notice-ended-text = der Betreiber oder ein Limit hat sie beendet
notice-unknown-room = Diesen Raum gibt es nicht
notice-unknown-room-hint = Bitten Sie noch einmal um den Link.
notice-unknown-room-text = Vielleicht wurde er geschlossen.
notice-room-full = Zu viele Zuschauer
notice-room-full-hint = { try-again-later }
notice-room-removed = Der Gastgeber hat Sie aus dem Raum entfernt
notice-room-too-slow = Getrennt: Die Seite kam nicht mehr mit
notice-room-too-slow-hint = Betreten Sie den Raum noch einmal.
notice-room-read-only = Zuschauer können die Analyse nicht ändern
notice-room-handed-over = Jetzt hat jemand anders die Steuerung
notice-room-refused = Das geht in diesem Raum gerade nicht
notice-jobs-off = Dieser Server analysiert selbst keine Partien
notice-jobs-off-hint = { notice-ask-operator }
notice-ask-operator = Fragen Sie den Betreiber.
notice-quota-jobs = Sie können keine weiteren Analysen speichern
notice-quota-jobs-hint = Löschen Sie eine, die Sie nicht brauchen.
notice-quota-stored = Sie können keine weiteren Partien speichern
notice-quota-stored-hint = Löschen Sie eine Analyse, die Sie nicht brauchen.
notice-games-off = Dieser Server teilt keine Partien
notice-games-off-hint = Fragen Sie den Betreiber.
notice-quota-games = Sie können keine weiteren Partien teilen
notice-quota-games-hint = Ziehen Sie einen Link zurück, den Sie nicht brauchen.
notice-library-off = Dieser Server bewahrt keine Dateien auf
notice-library-off-hint = Sie bleiben in diesem Browser.
notice-quota-library = Auf dem Server ist kein Platz mehr für Ihre Dateien
notice-quota-library-hint = Löschen Sie dort eine Datei, die Sie nicht brauchen.
notice-projects-off = Dieser Server führt keine Projekte
notice-projects-off-hint = Fragen Sie den Betreiber.
notice-quota-projects = Sie haben keinen Platz für weitere Projekte
notice-quota-projects-hint = Löschen Sie ein Projekt, das Sie nicht brauchen.
notice-quota-rooms = Sie können keine weiteren Räume öffnen
notice-quota-rooms-hint = Schließen Sie zuerst einen.
notice-cached = Die Stellung ist schon bekannt
notice-waiting = Wartet auf eine freie Engine
notice-no-search = Keine Engine hat diese Stellung berechnet
notice-no-search-hint = { try-again-later }
notice-queue-full = Keine Engine ist frei, und die Warteschlange ist voll
notice-queue-full-hint = { try-again-later }
notice-quota-sessions = Sie haben zu viele Bretter offen
notice-quota-sessions-hint = Schließen Sie zuerst ein anderes Brett oder Programm.
notice-quota-cpu = Ihre Rechenzeit für diese Stunde ist verbraucht
notice-quota-cpu-hint = In der Meldung steht, wann Sie es wieder versuchen können.
notice-quota-lines = Nachrichten werden zu schnell gesendet
notice-quota-lines-hint = Nichts ist verloren.
notice-quota-search = Die Suche hat ihre Zeitgrenze erreicht
notice-quota-search-hint = Sie können sie neu starten.
notice-quota-idle = Wegen Untätigkeit getrennt
notice-quota-idle-hint = Starten Sie die Engine, um sich neu zu verbinden.
notice-quota-idle-text = längere Zeit wurde nichts angefragt
notice-too-many-connections = Der Server hat zu viele Verbindungen
notice-too-many-connections-hint = Schließen Sie andere Bretter, oder versuchen Sie es später noch einmal.
notice-too-many-starts = Engines wurden zu oft gestartet
notice-too-many-starts-hint = { notice-wait-a-moment }
notice-taken-over = Die Analyse läuft in einem anderen Fenster weiter
notice-taken-over-hint = Verbinden Sie neu, um hier eine zu beginnen.
notice-taken-over-text = eine andere Seite hat sie übernommen

## The material, in words for screen readers

# The pieces that one side has and the other has not, as in “2 pawns and a knight more”.
words-extra-pieces = { $role ->
    [queen] { $count ->
        [one] eine Dame
       *[other] { $count } Damen
    }
    [rook] { $count ->
        [one] ein Turm
       *[other] { $count } Türme
    }
    [bishop] { $count ->
        [one] ein Läufer
       *[other] { $count } Läufer
    }
    [knight] { $count ->
        [one] ein Springer
       *[other] { $count } Springer
    }
   *[pawn] { $count ->
        [one] ein Bauer
       *[other] { $count } Bauern
    }
}
words-extra = { $pieces } mehr
# { $lead } is in points.
words-extra-ahead = { $lead ->
    [one] { $pieces } mehr, { $lead } Punkt Vorsprung
   *[other] { $pieces } mehr, { $lead } Punkte Vorsprung
}

## What the signs beside moves mean

# Words in the place of a sign, beside a move.
sign-only = einzig
sign-zugzwang = Zugzwang
sign-better = besser
sign-worse = schlechter
sign-equivalent = gleichwertig
glyph-good-move = guter Zug
glyph-mistake = Fehler
glyph-brilliant-move = brillanter Zug
glyph-blunder = grober Fehler
glyph-interesting-move = interessanter Zug
glyph-dubious-move = zweifelhafter Zug
glyph-forced-move = erzwungener Zug
glyph-only-move = einziger Zug
glyph-worst-move = schlechtester Zug
glyph-equal = ausgeglichen
glyph-equal-quiet = ausgeglichen, ruhig
glyph-equal-active = ausgeglichen, aktiv
glyph-unclear = unklar
glyph-idea = mit der Idee
glyph-against-idea = gegen die Idee
glyph-better-is = besser ist
glyph-worse-is = schlechter ist
glyph-equivalent-is = gleichwertig ist
glyph-remark-of-editor = Anmerkung der Redaktion
glyph-novelty = Neuerung
glyph-slightly-better = { $color ->
    [white] Weiß steht etwas besser
   *[black] Schwarz steht etwas besser
}
glyph-side-better = { $color ->
    [white] Weiß steht besser
   *[black] Schwarz steht besser
}
glyph-winning = { $color ->
    [white] Weiß steht auf Gewinn
   *[black] Schwarz steht auf Gewinn
}
glyph-wins-easily = { $color ->
    [white] Weiß gewinnt leicht
   *[black] Schwarz gewinnt leicht
}
glyph-zugzwang = { $color ->
    [white] Weiß ist in Zugzwang
   *[black] Schwarz ist in Zugzwang
}
glyph-little-ahead-development = { $color ->
    [white] Weiß ist etwas besser entwickelt
   *[black] Schwarz ist etwas besser entwickelt
}
glyph-far-ahead-development = { $color ->
    [white] Weiß ist viel besser entwickelt
   *[black] Schwarz ist viel besser entwickelt
}
glyph-initiative = { $color ->
    [white] Weiß hat die Initiative
   *[black] Schwarz hat die Initiative
}
glyph-lasting-initiative = { $color ->
    [white] Weiß hat anhaltende Initiative
   *[black] Schwarz hat anhaltende Initiative
}
glyph-attacks = { $color ->
    [white] Weiß hat Angriff
   *[black] Schwarz hat Angriff
}
glyph-too-little-material = { $color ->
    [white] Weiß hat zu wenig Kompensation für das Material
   *[black] Schwarz hat zu wenig Kompensation für das Material
}
glyph-enough-material = { $color ->
    [white] Weiß hat genug Kompensation für das Material
   *[black] Schwarz hat genug Kompensation für das Material
}
glyph-more-than-enough-material = { $color ->
    [white] Weiß hat mehr als genug Kompensation für das Material
   *[black] Schwarz hat mehr als genug Kompensation für das Material
}
glyph-some-counterplay = { $color ->
    [white] Weiß hat etwas Gegenspiel
   *[black] Schwarz hat etwas Gegenspiel
}
glyph-decisive-counterplay = { $color ->
    [white] Weiß hat entscheidendes Gegenspiel
   *[black] Schwarz hat entscheidendes Gegenspiel
}
glyph-short-of-time = { $color ->
    [white] Weiß ist in Zeitnot
   *[black] Schwarz ist in Zeitnot
}
glyph-severe-time-trouble = { $color ->
    [white] Weiß ist in höchster Zeitnot
   *[black] Schwarz ist in höchster Zeitnot
}

## What a mistake has missed

# { $line } is like “Ra7 Kg8 Rb8#”.
missed-mate = { $moves ->
    [1] Hier gab es Matt: { $line }.
   *[other] Hier gab es Matt in { $moves }: { $line }.
}
missed-hanging = { $role ->
    [queen] Die Dame war ungedeckt: { $move }.
    [rook] Der Turm war ungedeckt: { $move }.
    [bishop] Der Läufer war ungedeckt: { $move }.
   *[knight] Der Springer war ungedeckt: { $move }.
}
# The two pieces that one move attacks.
missed-fork = { $pair ->
    [king-queen] { $move } gabelt König und Dame: { $line }.
    [king-rook] { $move } gabelt König und Turm: { $line }.
    [king-bishop] { $move } gabelt König und Läufer: { $line }.
    [king-knight] { $move } gabelt König und Springer: { $line }.
    [queen-queen] { $move } gabelt zwei Damen: { $line }.
    [queen-rook] { $move } gabelt Dame und Turm: { $line }.
    [queen-bishop] { $move } gabelt Dame und Läufer: { $line }.
    [queen-knight] { $move } gabelt Dame und Springer: { $line }.
    [rook-rook] { $move } gabelt zwei Türme: { $line }.
    [rook-bishop] { $move } gabelt Turm und Läufer: { $line }.
    [rook-knight] { $move } gabelt Turm und Springer: { $line }.
    [bishop-bishop] { $move } gabelt zwei Läufer: { $line }.
    [bishop-knight] { $move } gabelt Läufer und Springer: { $line }.
   *[knight-knight] { $move } gabelt zwei Springer: { $line }.
}
# { $gained } and { $given } are lists of the two texts that follow: “a rook and 2 pawns”.
missed-win = { $move } gewinnt { $gained }: { $line }.
missed-win-for = { $move } gewinnt { $gained } für { $given }: { $line }.
missed-gained = { $role ->
    [queen] { $count ->
        [one] eine Dame
       *[other] { $count } Damen
    }
    [rook] { $count ->
        [one] einen Turm
       *[other] { $count } Türme
    }
    [bishop] { $count ->
        [one] einen Läufer
       *[other] { $count } Läufer
    }
    [knight] { $count ->
        [one] einen Springer
       *[other] { $count } Springer
    }
   *[pawn] { $count ->
        [one] einen Bauern
       *[other] { $count } Bauern
    }
}
missed-given = { missed-gained }
