# What is loaded after the first view: windows, and panels that are not always there.

# Behind the name of the field.
sign-in-no-token = un token empieza por rk_ y no tiene espacios
sign-out = Cerrar sesión
sign-out-not-revoked = Sesión cerrada aquí, pero el token sigue siendo válido

## A code that signs a phone in

code-phone = Iniciar sesión en un teléfono
code-scan = Escanee esto con la cámara del teléfono. Iniciará sesión como { $account }, una sola vez.
code-picture = Código QR
# Minutes and seconds, as in “9:58”.
code-left = Válido durante { $time } min
# A browser and a system, as in “Safari on iPhone”.
code-used = Sesión iniciada: { $device }
code-expired = El código ha caducado.
code-again = Código nuevo
code-local = Esta página se abrió como { $host }, donde solo la encuentra este ordenador. Ábrala con un nombre o una dirección a los que llegue el teléfono.
code-plain = Esta conexión no está cifrada: otras personas de la red podrían leer el token.
code-not-made = No se puede crear un código
code-question = ¿Iniciar sesión en { $host } con este navegador? El código sirve una sola vez.
code-stay = Mantener la sesión en este dispositivo
code-refused = El código no ha iniciado sesión en este navegador. Pida que le muestren uno nuevo y escanéelo.
code-token-instead = Usar un token
code-done = Sesión iniciada como { $account }
code-done-tab = Este navegador tiene su propio token, que el administrador puede revocar. Se guarda solo para esta pestaña.
code-done-device = Este navegador tiene su propio token, que el administrador puede revocar. Se guarda hasta que cierre la sesión.

## Settings

settings-language = Idioma
# The language that the browser prefers.
language-browser = Del navegador
settings-colours = Colores
theme-system = Del sistema
theme-light = Claro
theme-dark = Oscuro
settings-board-size = Tamaño del tablero
settings-pieces = Piezas
pieces-classic = Clásicas
pieces-flat = Planas
pieces-signs = Signos con letras
settings-board = Tablero
board-slate = Pizarra
board-wood = Madera
board-green = Verde
board-contrast = Alto contraste
settings-sounds = Sonidos
settings-volume = Volumen
settings-arrows = Flechas para las mejores jugadas
settings-bar = Barra de evaluación
settings-stops-when-hidden = Detener el módulo mientras esta página está oculta
settings-levels-take-time = Los niveles débiles se toman su tiempo
settings-nothing-stored = Este navegador no guarda nada de esta página: la partida y estos ajustes duran hasta que la cierre.

## The analysis of a game, its times, and engines beside the first

companion = Módulo adicional: { $engine }
companion-engine = Módulo { $engine }
companion-stop = Detener este módulo
companion-start = Iniciar este módulo
companion-choose = Elegir este módulo
companion-lines = Líneas de { $engine }
companion-options = Opciones de { $engine }
companion-remove = Quitar { $engine }
companion-finds-nothing = ninguna jugada
companion-disagrees = Los módulos discrepan. Este: { $mine }; el primero: { $theirs }
report = Análisis de la partida
report-stop = Detener
report-disputes = { $count ->
    [0] { $engine } no discrepa en ninguna jugada.
    [one] { $engine } discrepa en 1 jugada.
   *[other] { $engine } discrepa en { $count } jugadas.
}
report-show-it = Verla
report-next = Siguiente
report-judged = { $judged ->
    [one] Se ha valorado { $judged } de { $moves } jugadas.
   *[other] Se han valorado { $judged } de { $moves } jugadas.
}
report-scores-only = Hay evaluación en { $scored } de { $positions } posiciones; ninguna jugada valorada.
report-time-per-move = Tiempo por jugada
report-seconds = { $seconds } s/jugada
report-where = Dónde analizar
report-on-server = en el servidor
report-in-tab = en esta pestaña
report-games = Partidas que analizar
report-this-game = esta partida
report-all-games = las { $count } partidas
report-analyse = Analizar la partida
report-analyse-games = Analizar las partidas
report-again = Analizar de nuevo
report-accuracy = { $percent } % de precisión
report-inaccuracies = { $count } { $count ->
    [one] imprecisión
   *[other] imprecisiones
}
report-mistakes = { $count } { $count ->
    [one] error
   *[other] errores
}
report-blunders = { $count } { $count ->
    [one] error grave
   *[other] errores graves
}
report-practise = Practicar
report-next-inaccuracy-white = Siguiente imprecisión de las blancas
report-next-mistake-white = Siguiente error de las blancas
report-next-blunder-white = Siguiente error grave de las blancas
report-learn-white = Aprender de los errores de las blancas
report-next-inaccuracy-black = Siguiente imprecisión de las negras
report-next-mistake-black = Siguiente error de las negras
report-next-blunder-black = Siguiente error grave de las negras
report-learn-black = Aprender de los errores de las negras
report-graph = Posibilidades a lo largo de la partida; para recorrerla, use la lista de jugadas
report-start = inicio
times-trouble-label = apuros de tiempo: menos de { $limit }
times-summary = Tiempo por jugada. En total: { $white }; { $black }. Apuros de tiempo: menos de { $limit } en el reloj.
times-white = blancas { $time }
times-black = negras { $time }
times-white-trouble = blancas { $time }, en apuros de tiempo desde la jugada { $move }
times-black-trouble = negras { $time }, en apuros de tiempo desde la jugada { $move }

## Practice

practice = Práctica
practice-number = Error { $number } de { $total }
practice-found = resueltos: { $count }
practice-show = Mostrar la jugada
practice-next = Siguiente
practice-skip = Saltar
practice-done = Listo
practice-end = Terminar
practice-checking = Comprobando { $move }…
practice-good = { $move } es buena.
practice-not-good-enough = { $move } no es suficiente.
practice-refuted-by-white = { $move } no es suficiente: las blancas responden { $answer }.
practice-refuted-by-black = { $move } no es suficiente: las negras responden { $answer }.
practice-engine-prefers = El módulo prefiere { $move }.
practice-inaccuracy-white = { $move } fue una imprecisión. Encuentre una jugada mejor para las blancas.
practice-mistake-white = { $move } fue un error. Encuentre una jugada mejor para las blancas.
practice-blunder-white = { $move } fue un error grave. Encuentre una jugada mejor para las blancas.
practice-inaccuracy-black = { $move } fue una imprecisión. Encuentre una jugada mejor para las negras.
practice-mistake-black = { $move } fue un error. Encuentre una jugada mejor para las negras.
practice-blunder-black = { $move } fue un error grave. Encuentre una jugada mejor para las negras.

## The result

result-not-finished = Sin terminar
result-white-won = 1–0 Ganan las blancas
result-black-won = 0–1 Ganan las negras
result-draw = ½–½ Tablas
result-question = ¿Cómo terminó la partida?

## A game against an engine

play-offers-draw = El módulo ofrece tablas.
play-connection-lost = conexión perdida: reconectando; el reloj del módulo está parado
play-silent = el servidor no responde: el reloj del módulo está parado
play-blocked = el módulo no puede pensar ahora: su reloj está parado
play-your-move = le toca jugar
play-thinking = el módulo está pensando
play-take-back = Deshacer jugada
play-accept-draw = Aceptar tablas
play-offer-draw = Ofrecer tablas
play-yes-resign = Sí, abandonar
play-on = Seguir jugando
play-resign = Abandonar
analyse = Analizar
play-rematch = Revancha

## The opening explorer and the tablebases

explorer = Explorador de aperturas
explorer-reading = Leyendo las partidas…
find-position = Buscar esta posición en la biblioteca
explorer-none = Todavía no hay partidas. Abra un archivo con varias partidas para ver qué se jugó en cada posición y cómo terminó. También cuentan las partidas que juegue contra los módulos.
explorer-own = { $count ->
    [one] { $count } partida jugada aquí contra módulos
   *[other] { $count } partidas jugadas aquí contra módulos
}
explorer-file = { $count ->
    [one] { $count } partida en el archivo
   *[other] { $count } partidas en el archivo
}
explorer-read-of = { $read } de { $games }
explorer-no-continuation = Ninguna continúa desde esta posición.
explorer-this-file = Este archivo
explorer-played-here = Partidas de aquí
games = Partidas
explorer-results = Resultados
explorer-share = Frecuencia
explorer-not-reached = Ninguna partida ha llegado a esta posición.
explorer-best-games = { $count ->
    [0] Partidas con esta posición: ninguna
    [one] Partidas con esta posición: la mejor
   *[other] Partidas con esta posición: las { $count } mejores
}
explorer-not-in-book = El libro no tiene esta posición.
explorer-book = Libro de aperturas: con qué frecuencia elige cada jugada.
explorer-no-results = sin resultados
explorer-outcome = Ganan blancas { $white } %, tablas { $draw } %, ganan negras { $black } %
explorer-list = Partidas con esta posición: { $count }
explorer-list-first = Partidas con esta posición: las primeras { $count } de { $total }
lookup-waiting = Buscando…
lookup-no-answer = El servidor no responde ahora.
table-move = Jugada
tablebase = Base de finales
tablebase-dtz = DTZ: medias jugadas hasta la siguiente captura, jugada de peón o mate, con el mejor juego
tablebase-distance = Distancia

## Keyboard shortcuts

help-title = Atajos de teclado
# The names of keys, as they are written on keyboards.
key-home = Inicio
key-end = Fin
key-space = Espacio
key-delete = Supr
key-shift-f10 = Mayús+F10
key-ctrl-z = Ctrl+Z
key-ctrl-shift-z = Ctrl+Mayús+Z
key-ctrl-v = Ctrl+V
help-moves = jugada anterior, siguiente; también con la rueda del ratón sobre el tablero
help-variations = variante anterior, siguiente
help-ends = principio, final de la línea
help-mistakes = error siguiente, anterior de una partida analizada
help-type = escribir una jugada
help-best = jugar la mejor jugada del módulo
help-engine = iniciar o detener el módulo
help-arrows = mostrar u ocultar las flechas
help-threat = mostrar la amenaza
help-analyse = analizar la partida
help-comment = comentar la jugada
help-menu = menú de la jugada, en la lista de jugadas (se llega con Tab)
help-explorer = explorador de aperturas: qué se jugó aquí
help-flip = girar el tablero
help-live = en una sala: volver a la posición en vivo
help-delete = borrar la jugada y todo lo que sigue
help-undo = deshacer el último cambio
help-redo = rehacer lo deshecho
help-paste = pegar un PGN o una FEN
help-help = mostrar estos atajos
help-drawing = Dibuje flechas y círculos con el botón derecho del ratón; con Mayús, Alt o ambas salen en otros colores. Se conservan con la posición y en el PGN. Dibuje uno otra vez para quitarlo, o haga clic en una casilla vacía para quitarlos todos.

## How other programs reach the engines

connect-title = Usar estos módulos en un programa de ajedrez
connect-gui = GUI de ajedrez
connect-gui-hint = Añada a cualquier GUI de ajedrez un módulo UCI con este comando. Se comporta como un módulo local.
connect-socket-hint = Su propio programa abre el WebSocket y habla UCI, una línea por mensaje.
connect-terminal = Terminal
# What is between ` is typed: it stays as it is.
connect-terminal-hint = En una terminal, escriba UCI línea a línea: pruebe `uci` y luego `go depth 10`.

## My analyses on the server

jobs-title = Mis análisis
jobs-asking = Consultando al servidor…
jobs-none = Todavía no hay ninguno. Abra una partida, elija «en el servidor» debajo de sus jugadas y pulse «Analizar la partida». El servidor continúa aunque cierre esta página.
jobs-go-on = El servidor continúa con ellos aunque cierre esta página.
jobs-lost = El servidor ya no lo tiene. Guarda los resultados por un tiempo limitado.
jobs-remove = Quitar de la lista
jobs-nameless = Sin nombre
jobs-progress = Progreso de { $name }
jobs-kept-until = Se guarda hasta el { $date }
jobs-pause = Pausar
jobs-resume = Reanudar
# A button that asks `jobs-delete-question`.
jobs-ask-delete = Borrar…
jobs-delete-name = Borrar { $name }
jobs-delete-question = ¿Borrarlo, con sus resultados?
jobs-delete = Borrar
jobs-keep = Conservar
jobs-finish-game = Termine antes la partida del tablero
# The games that are analysed by now.
jobs-open-done = Abrir las ya analizadas
jobs-open-games = Abrir las partidas
jobs-download-pgn = Descargar PGN
jobs-download-results = Descargar resultados
jobs-all-games = { $total ->
    [one] { $total } partida
   *[other] { $total } partidas
}
jobs-all-positions = { $total ->
    [one] { $total } posición
   *[other] { $total } posiciones
}
# { $total } is 2 or more.
jobs-done-games = { $done } de { $total } partidas
jobs-done-positions = { $done } de { $total } posiciones
# { $progress } is like “3 of 20 games” or “1 position”.
jobs-waiting = En espera de un módulo: { $progress }
jobs-running = En curso: { $progress }
jobs-running-seconds = En curso: { $progress }, faltan unos { $left } s
jobs-running-minutes = En curso: { $progress }, faltan unos { $left } min
jobs-running-hours = En curso: { $progress }, faltan unas { $left } h
jobs-paused = En pausa: { $progress }
jobs-stopped = Detenido: { $reason }
jobs-stopped-unknown = Detenido: el servidor no dijo por qué
# { $all } is like “20 games” or “1 position”.
jobs-finished = Terminado: { $all }
# None of them could be analysed.
jobs-finished-without-results = Terminado: { $all }; no se pudo analizar nada
jobs-finished-in-part = { $failed ->
    [one] Terminado: { $all }, de las que { $failed } no se pudo analizar
   *[other] Terminado: { $all }, de las que { $failed } no se pudieron analizar
}

## Apps that cannot sign in

devices-title = Aplicaciones que no pueden iniciar sesión
devices-hint = Aplicaciones como DroidFish no conocen los tokens. Deje entrar a esta dirección e indique host y puerto en la aplicación.
devices-hidden = Un proxy oculta la dirección de este dispositivo, así que no se le puede dejar entrar: consulte al administrador de este servidor.
devices-place = Host y puerto de { $name }, para { $engine }
devices-until = { $address } puede entrar hasta el { $date }.
devices-pair = Dejar entrar a las aplicaciones en { $address }
devices-file = Archivo para DroidFish
devices-unpair = No dejar entrar a nadie más
devices-not-now = El servidor no puede cambiar esto ahora

## Links to shared games

shared-too-large = La partida es demasiado grande para compartirla
shared-too-large-hint = Quite variantes o comentarios.
shared-impossible = El servidor no puede compartir esta partida
links-title = Enlace a esta partida
links-hint = Quien tenga el enlace puede leer la partida con sus comentarios. Solo usted puede cambiarla o retirarla.
# A list with the next four.
links-time = Cuánto tiempo funciona el enlace
links-for-week = durante una semana
links-for-month = durante un mes
links-for-year = durante un año
links-until-withdrawn = hasta que yo lo retire
links-make = Crear un enlace
links-list = Mis enlaces
# The title of a shared game without players.
links-nameless = Una partida sin nombres
links-works-until = funciona hasta el { $date }
links-works-until-withdrawn = funciona hasta que se retire
link = Enlace
links-copied = Enlace copiado
# Buttons that ask one of the questions below.
links-ask-update = Actualizar…
links-ask-withdraw = Retirar…
links-change = Cambiar el enlace a { $title }
links-update-question = ¿Mostrar en este enlace la partida que está ahora en el tablero?
links-withdraw-question = El enlace ya no llevará a ninguna parte. ¿Retirarlo?
links-update = Actualizar el enlace
links-withdraw = Retirar el enlace
links-keep = Conservarlo
links-frame = Mostrarla en una página web
links-html = HTML para la página
links-html-copied = HTML copiado
links-size = Tamaño en la página
links-frame-hint = Funciona en los sitios web que ha autorizado el administrador de este servidor.

## Options of an engine

options-title = Opciones de { $engine }
options-no-control = Otra persona tiene el control: usted solo decide cuántas líneas se muestran.
options-none = El módulo todavía no ha comunicado sus opciones.
options-reset = Restablecer valores iniciales
# The number of lines that the engine shows.
options-lines = Líneas
# “Search until” is followed by one of the next five, in a list, and then by a number.
options-until = Analizar hasta
options-until-stopped = que se detenga
options-until-depth = profundidad
options-until-seconds = segundos
options-until-nodes = nodos
options-until-mate = mate en (jugadas)
options-limit = Límite
# A number that was typed has to be from .. to ..
options-from-to = de { $min } a { $max }
options-range = { $min } a { $max }
options-invalid = valor no válido
# The unit of “Hash”.
options-mebibytes = MiB

## The window for a game against an engine

play-title = Jugar contra un módulo
play-colour = Su color
# A colour by chance.
play-random = Al azar
play-clock = Reloj
play-minutes = { $minutes } min
# Minutes for the game, and seconds more for each move.
play-minutes-and-seconds = { $minutes } min + { $seconds } s
play-no-clock = Sin reloj
# Another clock, whose minutes and seconds are typed.
play-own-clock = Personalizado
play-clock-fields = Minutos + segundos por jugada
play-clock-minutes = Minutos
play-clock-seconds = Segundos por jugada
play-strength = Fuerza
play-full-strength = Fuerza máxima
play-by-rating = Por Elo
play-by-level = Por nivel
play-level = Nivel
play-no-levels = Este módulo no tiene niveles más débiles.
play-levels-unknown = El módulo todavía no ha comunicado sus niveles.
play-ponders = El módulo también piensa cuando le toca a usted
play-from-here = Jugar desde esta posición

## Share

share-position = Enlace a esta posición
download-game = Descargar la partida
share-preview = Vista previa del tablero
share-arrows = Mostrar flechas para las mejores jugadas
share-png = Guardar como PNG
share-svg = Guardar como SVG
share-copy-picture = Copiar imagen
share-picture-copied = Imagen copiada
share-picture-not-copied = No se puede copiar la imagen
share-save-instead = Este navegador solo copia imágenes por https: guárdela en su lugar.

## Names, date and result of the game

game = Partida
rating = Elo
headers-rating-of-white = Elo de las blancas
headers-rating-of-black = Elo de las negras
event = Torneo
headers-example-event = Campeonato del club
headers-round = Ronda
headers-place = Lugar
# A town, as an example of a place.
headers-example-place = León
headers-date = Fecha
headers-annotator = Comentarios de
headers-eco = Código ECO
result = Resultado
save = Guardar

## Setting up a position

piece-white-king = rey blanco
piece-white-queen = dama blanca
piece-white-rook = torre blanca
piece-white-bishop = alfil blanco
piece-white-knight = caballo blanco
piece-white-pawn = peón blanco
piece-black-king = rey negro
piece-black-queen = dama negra
piece-black-rook = torre negra
piece-black-bishop = alfil negro
piece-black-knight = caballo negro
piece-black-pawn = peón negro
setup-empty = vacía
setup-white-pieces = piezas blancas
setup-black-pieces = piezas negras
setup-move = mover piezas
setup-remove = quitar piezas
setup-move-title = Mover piezas; para quitar una, arrástrela fuera del tablero
setup-remove-title = Quitar piezas
setup-not-legal = No es legal: { $fault }.
setup-legal = La posición es legal.
setup-undo = Deshacer
castling-white-short = Blancas, corto
castling-white-long = Blancas, largo
castling-black-short = Negras, corto
castling-black-long = Negras, largo
setup-to-move = Juegan
setup-clear = Vaciar
cancel = Cancelar
setup-castling = Enroque
setup-en-passant = Al paso
setup-no-square = Ninguna
setup-start = Posición inicial
setup-start-number = Número de la posición inicial
setup-random = Posición al azar

## Rooms

room-stop-writing = No dejar escribir
room-let-write = Dejar escribir
room-remove = Expulsar a { $name }
room-last-change = Último cambio: { $name }
room-your-name-here = Su nombre aquí: { $name }
room-your-name = Su nombre
room-engine-closes = { $count ->
    [one] Con otro módulo se cierra la sala para 1 espectador.
   *[other] Con otro módulo se cierra la sala para { $count } espectadores.
}
room-viewers = { $count ->
    [0] todavía sin espectadores
    [one] 1 espectador
   *[other] { $count } espectadores
}
room-you-have-control = { $count ->
    [0] usted tiene el control, sin otros espectadores
    [one] usted tiene el control, 1 espectador más
   *[other] usted tiene el control, { $count } espectadores más
}
room-watching = { $count ->
    [0] mirando, sin otros espectadores
    [one] mirando, 1 espectador más
   *[other] mirando, { $count } espectadores más
}
room = Sala
room-live = En vivo
room-take-control = Recuperar el control
room-withdraw-offer = Retirar la oferta
room-give-control = Dar el control
room-elsewhere = Está viendo otra posición.
room-back-to-live = Volver a la posición en vivo
room-back-to-live-title = Volver a la posición en vivo (v)
room-change-name = Cambiar nombre
room-save-name = Guardar nombre
room-yes-change = Sí, cambiar
room-keep-engine = Mantener el módulo
room-give-back = Devolver el control
room-save-copy = Guardar una copia
room-save-copy-title = Salir con una copia de la partida; deshacer le devuelve la suya
room-leave = Salir
room-offered = Le ofrecen el control.
room-accept = Aceptar
room-decline = Rechazar
room-owner = (anfitrión)
room-together = Analizar en grupo
room-explained = Deje que otros sigan en vivo esta partida y el análisis del módulo. Usted conserva el control, puede dárselo a alguien y dejar que otros escriban. Cualquiera que tenga el enlace puede mirar.
room-open = Abrir una sala
room-not-connected = El módulo no está conectado en este momento.
room-anyone = Cualquiera que tenga el enlace puede mirar.
room-viewers-link = Enlace para espectadores
room-lasts = La sala dura lo que dure su sesión, o hasta que la cierre.
room-close = Cerrar la sala
room-done = Listo

## The library: files of games that this browser keeps

library = Biblioteca
library-reading = { $count ->
    [one] Leyendo: { $count } partida
   *[other] Leyendo: { $count } partidas
}
library-save-in = Guardar en { $file }
# “My games” is the name of a file: it is “My games.pgn” in every language.
library-save-in-own = Guardar en «My games»
library-earlier-of-game = Versiones anteriores de esta partida
library-earlier = Versiones anteriores
# The game as it was before { $time }, when it was saved.
library-before = antes del { $time }
# { $coding } is like “Western (Windows)”, a way to write letters in a file.
library-lacks-letters = { $path } está en { $coding }, que no tiene todas las letras de esta partida.
library-do-not-save = No guardar
library-save-utf8 = Guardar y pasar el archivo a UTF-8
library-empty = Aquí se conservan los archivos con varias partidas que usted abra.
library-deleted = Se ha borrado { $path }
library-undo = Deshacer
library-files = Archivos
library-files-in = Archivos en { $folder }
library-download-as-one = Descargar en un solo archivo
library-download-each = Descargar cada archivo
library-name = Nombre; una barra (/) crea una carpeta
library-rename = Renombrar
library-rename-file = Renombrar o mover { $file }
library-download-file = Descargar { $file }
library-delete-file = Borrar { $file }
library-games = { $count ->
    [one] { $count } partida
   *[other] { $count } partidas
}
# { $shown } is 100.
library-games-first = { $count } partidas; se muestran las primeras { $shown }
library-search = Buscar en la biblioteca
library-search-hint = Buscar en la biblioteca: jugadores, torneo, fecha, resultado
library-search-by = Buscar por posición, apertura, jugadores, fecha
# A condition of the search, like “Event: Leipzig”; several are joined by commas.
library-condition = { $name }: { $value }
# A player of White or Black.
library-either-player = Blancas o negras
library-opening = Apertura
library-example-opening = B90 o Najdorf
# The first and the last date of the games that are searched, with examples.
library-from = Desde
library-example-from = 2024 o 2024.05.31
library-to = Hasta
library-example-to = 2026
library-rated = Elo mínimo de ambos
library-any-result = Cualquier resultado
library-white-won = Ganan las blancas
library-black-won = Ganan las negras
library-draw = Tablas
library-folder = Carpeta
library-all-folders = Todas
library-clear = Borrar filtros
library-in-any-position = En cualquier posición
# A button: search the games with this position.
library-search-position = Con la posición del tablero
library-with-position = Partidas con la posición del tablero
library-with-other-position = Partidas con otra posición
library-with-position-explained = Partidas con la posición del tablero en su línea principal, con cualquier orden de jugadas.
library-with-other-position-explained = Partidas con otra posición en su línea principal, con cualquier orden de jugadas.
library-show = Mostrar partidas
library-show-games = { $count ->
    [one] Mostrar { $count } partida
   *[other] Mostrar { $count } partidas
}
library-indexed = De momento se puede buscar por posición y apertura en { $done } de { $total } partidas
library-pause = Pausar
library-continue = Continuar
library-searching = Buscando…
library-found = Partidas encontradas
library-download-found = Descargar todas las encontradas
library-no-matching = Ninguna partida coincide.
library-saved-in = Guardada en { $file }
library-saved-as-new = Guardada como partida nueva
library-saved-as-new-reason = Se modificó en otro lugar desde que usted la abrió.
# Stands for a file without a name: “Saved in the library”.
library-itself = la biblioteca
# The next ones follow a title and a colon, so they begin with a small letter.
library-waits = la biblioteca espera a otra pestaña con una página más antigua: cierre esa pestaña o vuelva a cargarla
library-closed = la biblioteca está en uso por una página más reciente en otra pestaña: vuelva a cargar esta página para usarla aquí
library-full = a este navegador no le queda espacio: descargue un archivo de la biblioteca y bórrelo aquí; luego inténtelo de nuevo
library-not-there = un archivo ya no está, o se canceló su lectura
library-too-large = este archivo es demasiado grande: { $size } MB; el límite es de { $limit } MB: divídalo
library-unreadable = no se pudo leer el archivo

sync-keep = Guardar en el servidor
sync-keep-file = Guardar en el servidor: { $file }
# How a file here stands, compared with the one on the server.
sync-same = Igual en el servidor
sync-here = Modificado aquí, todavía sin enviar
sync-there = Modificado en otro equipo
sync-both = Modificado aquí y en otro equipo
sync-offline = Sin conexión
sync-offline-here = Sin conexión: se enviará más tarde
sync-released = { $file } está ahora solo en este navegador
sync-released-hint = Sus otros equipos lo perderán cuando abran la biblioteca.
sync-folder-released = Los archivos de { $folder } están ahora solo en este navegador
sync-folder-released-hint = Sus otros equipos los perderán cuando abran la biblioteca.
# The name of a file after it was changed on two computers.
sync-from-here = { $name } (de este equipo)
sync-too-large = El archivo es demasiado grande para el servidor
sync-too-large-hint = Se queda en este navegador; divídalo para guardarlo allí.
sync-bad-name = El servidor no acepta este nombre
sync-bad-name-hint = Cambie el nombre del archivo.
sync-not-now = El servidor no puede guardar archivos ahora
# A game without the names of its players.
game-number = Partida { $number }

## The window that opens a game or a position

import-text = PGN o FEN
import-hint = Pegue aquí un PGN (una o más partidas) o una FEN, o suelte un archivo en cualquier parte de la página.
import-file = Archivo de partidas
# How the letters are written in the file: its encoding.
import-encoding = Codificación del archivo
import-search = Buscar partidas
import-search-games = Buscar entre { $count } partidas
import-showing = Se muestran { $shown } de { $count }: busque para encontrar las demás.
import-played-here = Partidas jugadas aquí

## How a game against an engine ended, and its strength

outcome-white-mates = Ganan las blancas por jaque mate
outcome-black-mates = Ganan las negras por jaque mate
outcome-white-wins-on-time = Ganan las blancas por tiempo
outcome-black-wins-on-time = Ganan las negras por tiempo
outcome-white-resigns = Las blancas abandonan
outcome-black-resigns = Las negras abandonan
outcome-white-made-no-move = Las blancas no hicieron una jugada legal
outcome-black-made-no-move = Las negras no hicieron una jugada legal
# Black's time is over, but White has too few pieces to mate.
outcome-white-cannot-mate = Tablas: las negras agotaron su tiempo, pero las blancas no pueden dar mate
outcome-black-cannot-mate = Tablas: las blancas agotaron su tiempo, pero las negras no pueden dar mate
outcome-stalemate = Tablas por ahogado
outcome-material = Tablas por material insuficiente
outcome-fifty-moves = Tablas por la regla de las cincuenta jugadas
outcome-repetition = Tablas por triple repetición
outcome-agreement = Tablas de común acuerdo
# Behind the name of an engine that does not play at full strength.
play-at-level = nivel { $level }
play-declines = El módulo rechaza las tablas
play-declines-reason = Cree que puede lograr más.

## The words of the explorer and of the tablebases

explorer-rating = Elo medio { $rating }
explorer-year = jugada por última vez en { $year }
explorer-rating-and-year = Elo medio { $rating }, jugada por última vez en { $year }
# What a move does for the side that plays it; in a narrow column.
tablebase-wins = gana
tablebase-draws = tablas
tablebase-loses = pierde
tablebase-checkmate = Jaque mate
tablebase-stalemate = Ahogado
tablebase-draw = Tablas con el mejor juego
# { $side } is the side to move: “white” or “black”.
tablebase-side-wins = { $side ->
    [white] Ganan las blancas
   *[black] Ganan las negras
}
tablebase-side-wins-or-draws = { $side ->
    [white] Ganan las blancas, o tablas por la regla de las cincuenta jugadas
   *[black] Ganan las negras, o tablas por la regla de las cincuenta jugadas
}
tablebase-side-wins-too-late = { $side ->
    [white] Tablas: las blancas necesitan más de cincuenta jugadas para ganar
   *[black] Tablas: las negras necesitan más de cincuenta jugadas para ganar
}
tablebase-side-loses-too-late = { $side ->
    [white] Tablas: las blancas tardan más de cincuenta jugadas en perder
   *[black] Tablas: las negras tardan más de cincuenta jugadas en perder
}
tablebase-side-loses-or-draws = { $side ->
    [white] Pierden las blancas, o tablas por la regla de las cincuenta jugadas
   *[black] Pierden las negras, o tablas por la regla de las cincuenta jugadas
}
tablebase-side-loses = { $side ->
    [white] Pierden las blancas
   *[black] Pierden las negras
}
# Behind a move, in a narrow column: how the game ends or how far the next step is.
tablebase-detail-mate = mate
tablebase-detail-stalemate = ahogado
tablebase-detail-material = material insuficiente
# The fifty-move rule makes a draw of it.
tablebase-detail-fifty = cincuenta jugadas
tablebase-detail-distance = DTZ { $distance }
# The fifty-move rule may make a draw of it.
tablebase-detail-distance-or-fifty = DTZ { $distance } o cincuenta jugadas
tablebase-detail-or-fifty = o cincuenta jugadas

## What is wrong with a position that is set up

# Stands in “Not legal: ….”, so it has no full stop.
setup-no-king = { $color ->
    [white] las blancas no tienen rey
   *[black] las negras no tienen rey
}
setup-kings = { $color ->
    [white] las blancas tienen { $count } reyes en vez de uno
   *[black] las negras tienen { $count } reyes en vez de uno
}
setup-men = { $color ->
    [white] las blancas tienen { $count } piezas; el máximo es { $most }
   *[black] las negras tienen { $count } piezas; el máximo es { $most }
}
# { $square } is like “a8”.
setup-pawn-on = no puede haber un peón en { $square }
# { $count } is 9 or more.
setup-pawns = { $color ->
    [white] Las blancas tienen { $count } peones: es insólito, pero se puede analizar
   *[black] Las negras tienen { $count } peones: es insólito, pero se puede analizar
}
# For screen readers.  The keys k q r b n p are those of the keyboard, and stay as they are.
setup-board = Tablero: las flechas eligen una casilla; k q r b n p ponen una pieza blanca; con Mayús, una negra; Supr la quita

## What is wrong with a FEN, a PGN or a link

# The letters w, b, K, Q, R, B and N, the tags and the words in “ ” are those of FEN, PGN and UCI.
fen-no-placement = FEN no válida: una FEN necesita al menos la colocación de las piezas
fen-unreadable = FEN no válida: { $fen }
fen-side = el bando que juega debe ser «w» o «b», no «{ $side }»
fen-ranks = FEN no válida: un tablero necesita 8 filas separadas por «/», no { $count }
fen-rank = FEN no válida: la fila { $rank } necesita piezas y cifras, no «{ $said }»
fen-rank-squares = FEN no válida: la fila { $rank } necesita 8 casillas, no { $count }
fen-kings = { $color ->
    [white] las blancas necesitan un rey, no { $count }
   *[black] las negras necesitan un rey, no { $count }
}
fen-men = { $color ->
    [white] las blancas tienen { $count } piezas; el máximo es { $most }
   *[black] las negras tienen { $count } piezas; el máximo es { $most }
}
fen-pawns = no puede haber peones en la primera ni en la última fila
# { $fault } is a word of a program.
position-not-legal = la posición no es legal: { $fault }
position-in-check = { $color ->
    [white] la posición no es legal: las blancas están en jaque, pero no les toca jugar
   *[black] la posición no es legal: las negras están en jaque, pero no les toca jugar
}
import-position = tras «position» va «startpos» o «fen ...», no «{ $said }»
import-variant = la variante «{ $variant }» todavía no se admite
import-address = esto es una dirección web: copie el PGN o la FEN de esa página
import-setup = la partida tiene la etiqueta SetUp, pero no la etiqueta FEN
import-number = la partida empieza en la jugada { $number } y no tiene la etiqueta FEN
import-too-long = esto es demasiado largo: { $length } caracteres; el límite es { $limit }
import-nothing = no hay ninguna partida ni posición: pegue un PGN, una FEN, jugadas (e4 e5, o e2e4 e7e5) o la dirección de una posición
import-letters = «{ $move }» no es una jugada legal: use K, Q, R, B y N para las piezas
import-first-move = «{ $move }» no es una jugada legal en la primera posición: falta su FEN
import-illegal = hay una jugada ilegal, «{ $move }»: solo se muestran las jugadas anteriores
import-illegal-in-link = el enlace tiene una jugada ilegal, «{ $move }»: solo se muestran las jugadas anteriores

## What is wrong with names, date and result of a game

# They stand behind the name of the field.
headers-too-long = como máximo { $most } caracteres
headers-no-rating = un Elo es un número como 1850
# A code of an opening (ECO).
headers-no-code = un código es como B90
headers-is-draw = la partida termina en tablas
headers-is-mate = la partida termina en jaque mate
headers-no-date = escriba una fecha como 2026.11.26, 26.11.2026 o solo el año
headers-no-month = no existe el mes { $month }
headers-no-day = el mes no tiene día { $day }

## More on a position that is set up

# Stands in “Not legal: ….”
setup-in-check = { $color ->
    [white] las blancas están en jaque, pero no les toca jugar
   *[black] las negras están en jaque, pero no les toca jugar
}

## Practice without an answer

practice-no-answer = El módulo no respondió
practice-try-again = Pruebe la jugada otra vez.

## The menu of a move, its comment and its time

menu-comment = Comentar…
menu-move-up = Subir esta variante
menu-delete = Borrar desde aquí
menu-delete-others = Borrar todas las demás variantes
menu-copy-moves = Copiar las jugadas hasta aquí
menu-copy-pgn = Copiar el PGN desde aquí
menu-rate = Calificar la jugada
copied = Copiado
copy-not-allowed = Este navegador no permite que la página copie
player-move-time = Tiempo de { $move }
# { $move } is like “3... Nf6”.
comment-on-move = Comentario a { $move }
comment-on-game = Comentario a la partida
comment-name = Comentario
comment-write = Escribir un comentario

## A storage that is full

storage-full = Sus últimos cambios no se han guardado
storage-full-text = A este navegador no le queda espacio para lo que guarda esta página.
storage-full-hint = Descargue la partida antes de cerrar la página.

## A shared game in a frame of another page

embed-title = Rookery: una partida compartida
embed-fetching = Cargando la partida…
embed-open = Abrir en { $server }
# The name of the row of buttons, for screen readers.
embed-steps = Recorrer la partida
embed-no-address = Esta dirección no indica ninguna partida
embed-no-address-text = Debe terminar en # y el identificador de una partida compartida, como /embed#AbCdEf. En el servidor, «Compartir» ofrece la dirección completa para copiarla.

## Analyses of the server

jobs-gone = El servidor ya no tiene este análisis
jobs-gone-hint = Guarda los resultados por un tiempo limitado. Analice la partida de nuevo.
jobs-changed = Eso no es posible ahora
jobs-changed-hint = El análisis ha cambiado entretanto: mírelo de nuevo.
jobs-full = El servidor no le guarda más análisis
jobs-full-hint = Borre uno que no necesite e inténtelo de nuevo.
# The server says what is wrong, in a sentence between these two.
jobs-impossible = El servidor no puede analizar esto
jobs-impossible-hint = Cambie lo que indica, o analice la partida en esta pestaña.
jobs-not-now = El servidor no puede hacer análisis ahora
jobs-not-now-hint = Inténtelo más tarde, o analice la partida en esta pestaña.
jobs-refused = El servidor lo ha rechazado
jobs-refused-hint = Inténtelo más tarde, o consulte al administrador.

## The project beside the board

project = Proyecto
project-nameless = Proyecto sin nombre
# A button beside the engine: the position becomes a tree that the server works on.
project-keep = Guardar este análisis como proyecto
project-close = Cerrar el proyecto
project-pause = Pausar
project-go-on = Continuar
project-go-on-title = Con el doble de lo agotado del presupuesto
project-progress = Posiciones del presupuesto que tiene el árbol
# Searches for the tree of a project.
project-growing = { $count ->
    [one] Crece: una búsqueda en marcha
   *[other] Crece: { $count } búsquedas en marcha
}
project-queued = Espera un motor libre
project-paused = En pausa
# The reason is one of those below, or a sentence of the server in English.
project-paused-why = En pausa: { $reason }
project-finished = Terminado
project-finished-why = Terminado: { $reason }
project-building = Fusionándose: volverá a crecer cuando el nuevo árbol esté completo
project-failed = Detenido: el servidor no dijo por qué
project-failed-why = Detenido: { $reason }
# Reasons why a project does not grow.
project-cause-positions = tiene tantas posiciones como debía tener
project-cause-nodes = ha buscado tantos nodos como debía buscar
project-cause-cpu = ha usado tanto tiempo de CPU como debía usar
project-cause-until = se acabó su tiempo
project-cause-stable = su mejor jugada lleva bastante tiempo sin cambiar
project-cause-exhausted = no queda nada por buscar
project-cause-quota = sus proyectos tienen tantas posiciones como pueden tener
project-cause-engine = los motores no pueden buscar para él
project-cause-damage = el servidor no puede leer lo que guardó de él
project-positions = { $count ->
    [one] una posición
   *[other] { $count } posiciones
}
# Of all searches; the number is short, like 5.2M.
project-nodes = { $nodes } nodos
project-cpu = { $time } de CPU
project-unknown = Esta posición no está en el árbol.
project-add-position = Añadirla al árbol
project-to-root = A la raíz del árbol
project-unsearched = espera su búsqueda
project-checkmate = jaque mate
project-stalemate = ahogado
project-dead-draw = ningún bando puede dar mate
project-from-tablebase = de una tabla de finales
project-search-failed = los motores fallan en esta posición
# Of a value: it is a fact.
project-proven = demostrado
project-own-search = su propia búsqueda: { $value }, profundidad { $depth }
project-searching = se está buscando ahora
project-main-line = Línea principal del árbol
project-moves = Jugadas del árbol
project-all = Mostrar las { $count } jugadas
project-fewer = Mostrar solo las mejores jugadas
# The heads of columns have little room.
project-value = Valor
project-value-title = Llevado hacia arriba desde las posiciones tras la jugada
project-own = Búsq.
project-own-title = Por la búsqueda de esta posición
project-next-search = Por la búsqueda de esta posición; la siguiente se buscó hasta la profundidad { $depth } ({ $nodes } nodos)
project-trend = Evolución
project-trend-words = El valor mientras crecía el árbol: { $values }
project-height = Prof.
project-height-title = Medias jugadas hasta la posición más profunda tras la jugada
project-size = Posiciones
project-size-title = Posiciones tras la jugada
project-share = { $share } de todas tras esta posición
# Marks of a move, each a word: only this one and others with the mark are searched.
project-is-pinned = solo
project-is-added = añadida
project-is-excluded = excluida
# By repetition or the fifty-move rule.
project-is-repetition = tablas
# To a position before this one.
project-returns = vuelve atrás
# Legal moves that no search has listed.
project-others = { $count ->
    [one] otra jugada
   *[other] otras { $count } jugadas
}
project-other-moves = Las otras jugadas
# The growth of the tree: a menu follows.
project-steer = Dirigir
project-steer-move = Dirigir { $move }
project-exclude = Excluir esta jugada
project-include = Volver a permitir esta jugada
project-pin = Solo esta jugada, y otras marcadas así
project-unpin = No solo esta jugada
project-deepen = Buscar más a fondo aquí
project-add-move = Añadir esta jugada al árbol
project-exclude-others = Excluir todas las otras jugadas
project-include-others = Volver a permitir las otras jugadas
# What the user has done; an undo follows.
project-done-exclude = { $move }: excluida.
project-done-include = { $move }: permitida de nuevo.
project-done-pin = { $move }: solo esta jugada, y otras marcadas así.
project-done-unpin = { $move }: ya no solo esta jugada.
project-done-add = { $move }: añadida.
project-done-deepen = Se busca de nuevo, con cuatro veces más nodos.
project-undo = Deshacer
# The last visit; the number of changes follows.
project-since = Desde el { $date }:
project-changes = { $count ->
    [one] un cambio
   *[other] { $count } cambios
}
project-grown = { $count ->
    [one] Se añadió una posición.
   *[other] Se añadieron { $count } posiciones.
}
project-root-best = Mejor jugada en la raíz: { $from } pasó a { $to } ({ $before } → { $after })
project-root-value = Valor en la raíz, con { $move }: { $before } → { $after }
project-change = Tras { $line }: ahora lo mejor es { $move } ({ $value })
project-seen = Marcar como visto
project-map = Mapa del árbol
# The first position of a tree.
project-root = raíz
project-map-cell = { $line }: { $count ->
    [one] una posición
   *[other] { $count } posiciones
}, { $value }
project-map-new-cell = { $line }: { $count ->
    [one] una posición
   *[other] { $count } posiciones
}, { $value }, con posiciones nuevas
# Subtrees, with their positions.
project-map-largest = Los mayores: { $moves }.
project-map-newest = Los más nuevos: { $lines }.
project-map-keys = El ancho muestra las posiciones, el color el valor: el azul es mejor para las blancas que la raíz, el naranja peor; cuanto más vivo, más nuevo. Las flechas recorren el árbol, Intro muestra una posición en el tablero.
project-table-white = Ganan las blancas por una tabla de finales a { $plies } medias jugadas
project-table-black = Ganan las negras por una tabla de finales a { $plies } medias jugadas

## The window with the projects of the account

projects = Proyectos
projects-title = Mis proyectos
projects-asking = Consultando al servidor…
# Two sentences: what a project is, and how to begin one.
projects-none = Un proyecto es una posición en la que el servidor trabaja durante horas o noches, como un árbol de jugadas que se conserva. Ponga una posición en el tablero y pulse «Nuevo proyecto», o pulse el marcador junto al motor.
projects-go-on = El servidor sigue con ellos cuando esta página está cerrada.
# positions and room are short numbers, like 5.2M.
projects-room = { $count } de { $most } proyectos, { $positions } de { $room } posiciones
projects-all = Todos los proyectos
projects-new = Nuevo proyecto
projects-settings-of = Ajustes de { $name }
projects-export-of = Exportar { $name }
projects-copy-of = Copiar { $name }
projects-merge-into = Unir un proyecto a { $name }
projects-import-into = Añadir partidas a { $name }
projects-changed = Modificado { $date }
# The value of the move follows.
projects-best = Mejor: { $move }
projects-settings = Ajustes…
projects-export = Exportar…
projects-more = Más…
projects-less = Menos
projects-more-of = Más para { $name }
projects-copy = Copiar…
projects-merge = Unir…
projects-import = Añadir un PGN…
projects-delete-question = { $count ->
    [one] ¿Eliminarlo, con su posición?
   *[other] ¿Eliminarlo, con sus { $count } posiciones?
}
projects-name = Nombre
# After what the server says is wrong; its words are English.
projects-expected = Se esperaba: { $expected }
projects-start = Posición
projects-from-board = La del tablero, con las jugadas anteriores y las variantes que siguen
projects-from-fen = Un FEN
projects-from-pgn = Una partida en PGN, cuyas jugadas y variantes se analizan primero
projects-engines = Motores
projects-options-of = { $count ->
    [0] Opciones de { $engine }
   *[other] Opciones de { $engine } ({ $count } cambiadas)
}
projects-growth = Cómo crece
projects-for = Finalidad
projects-for-understanding = Comprender la posición
projects-for-white = Repertorio de blancas
projects-for-black = Repertorio de negras
projects-own-choice = Elección propia
# The time that an engine takes for each position.
projects-effort = Cada posición
projects-quick = Rápido ({ $nodes } nodos)
projects-normal = Normal ({ $nodes } nodos)
projects-deep = Profundo ({ $nodes } nodos)
projects-own-nodes = Número propio
projects-nodes = Nodos por posición
projects-seconds = Máximo de segundos por posición
projects-width = Anchura
projects-narrow = Estrecha
projects-rather-narrow = Más bien estrecha
projects-balanced = Equilibrada
projects-rather-wide = Más bien ancha
projects-wide = Ancha
# cp: hundredths of a pawn.
projects-own-width = { $width } cp
projects-width-hint = Estrecha sigue lejos las mejores jugadas; ancha mira más jugadas, y menos lejos.
projects-each-side = Cada bando por separado
projects-white-to-move = Juegan las blancas
projects-black-to-move = Juegan las negras
# How many moves of a position get positions of their own.
projects-follow = Seguir
projects-all-moves = todas las buenas jugadas
projects-best-moves = { $count ->
    [one] solo la mejor jugada
   *[other] las { $count } mejores jugadas
}
projects-lines = Jugadas que compara una búsqueda
projects-end = Cuándo termina
projects-end-hint = Con lo primero que se cumpla; lo vacío no cuenta. Puede continuar en cualquier momento.
projects-no-limit = sin límite
projects-until-positions = Posiciones en el árbol
projects-until-nodes = Millones de nodos
projects-until-hours = Horas de CPU
projects-until-date = Fecha y hora
projects-until-stable = Posiciones sin otra mejor jugada
projects-begin = Empezar
projects-format = Formato
projects-as-pgn = PGN, con variantes y valores
projects-as-book = Libro de aperturas (Polyglot)
projects-as-lines = Todas las posiciones (NDJSON)
projects-plies = Máximo de medias jugadas
projects-most-positions = Máximo de posiciones
projects-visits = Mínimo de posiciones tras una jugada
projects-download = Descargar
projects-addresses = Direcciones para programas de aperturas
projects-addresses-hint = Un programa que consulta chessdb.cn puede consultar este proyecto: pone un FEN detrás de la dirección. Si el servidor pide un token, va en la cabecera Authorization.
projects-queryall = Todas las jugadas (queryall)
projects-querypv = Línea principal (querypv)
projects-address-copied = Dirección copiada
# The name of a copy.
projects-copy-name = { $name } (copia)
projects-copy-hint = La copia tiene los mismos motores y ajustes. Está en pausa, y solo termina por sí misma si usted dice cuándo.
projects-copy-whole = Todo el árbol
projects-copy-part = Desde la posición del tablero
projects-make-copy = Copiar
projects-merge-none = No hay otro proyecto que unir a este.
projects-merge-hint = Se añaden las posiciones del otro proyecto, si su raíz está en este árbol. Donde ambos tienen una, cuenta la búsqueda más larga. El otro proyecto se queda.
projects-merge-from = Otro proyecto
projects-merge-now = Unir
projects-merged = Unidos
projects-now = { $count ->
    [one] El árbol tiene ahora una posición.
   *[other] El árbol tiene ahora { $count } posiciones.
}
projects-import-hint = Las jugadas y variantes de una partida se añaden desde la raíz, y se analizan antes que las demás.
projects-import-now = Añadir
projects-imported = Añadido
projects-added = { $count ->
    [0] Todas las posiciones estaban ya en el árbol.
    [one] Se ha añadido una posición.
   *[other] Se han añadido { $count } posiciones.
}

## Projects of the server

projects-gone = El servidor no tiene este proyecto
projects-gone-hint = Se ha eliminado, o es de otra cuenta.
projects-not-so = Ahora no es posible
projects-not-so-hint = El proyecto ha cambiado entretanto: mírelo de nuevo.
projects-too-large = Es demasiado para el servidor
# The server says what is wrong, in a sentence after this.
projects-impossible = El servidor no puede hacerlo
projects-not-now = El servidor no puede usar sus proyectos ahora

## Files and games that are opened

file-empty = «{ $name }» está vacío: elija un archivo de texto con partidas (PGN) o posiciones (FEN, EPD)
file-blank = «{ $name }» solo tiene espacios en blanco: elija un archivo de texto con partidas (PGN) o posiciones (FEN, EPD)
file-picture = «{ $name }» es una imagen: elija un archivo de texto con partidas (PGN) o posiciones (FEN, EPD)
file-sound = «{ $name }» es sonido o vídeo: elija un archivo de texto con partidas (PGN) o posiciones (FEN, EPD)
file-pdf = «{ $name }» es un documento PDF: elija un archivo de texto con partidas (PGN) o posiciones (FEN, EPD)
file-office = «{ $name }» es un documento de oficina: elija un archivo de texto con partidas (PGN) o posiciones (FEN, EPD)
file-web-page = «{ $name }» es una página web: elija un archivo de texto con partidas (PGN) o posiciones (FEN, EPD)
file-zip = «{ $name }» es un archivo zip: descomprímalo primero y abra el archivo de partidas que contiene
file-compressed = «{ $name }» es un archivo comprimido: descomprímalo primero y abra el archivo de partidas que contiene
file-database = «{ $name }» es una base de datos de un programa de ajedrez: exporte allí sus partidas como PGN y abra ese archivo
file-binary = «{ $name }» no es texto: elija un archivo de texto con partidas (PGN) o posiciones (FEN, EPD)
file-folder = «{ $name }» es una carpeta o no se puede leer: elija un archivo de texto con partidas (PGN) o posiciones (FEN, EPD)

## Problems with the server and with engines

# A title, what to do (-hint), and a sentence (-text) where the server has sent none.
notice-unauthorized = { sign-in }
notice-unauthorized-hint = Pida un token al administrador de este servidor.
notice-too-many-tries = Demasiados tokens incorrectos
notice-too-many-tries-hint = Espere el tiempo indicado e inténtelo de nuevo.
notice-token-in-url = La dirección contiene un token
notice-token-in-url-hint = Haga que lo anulen: alguien puede haberlo visto.
notice-wrong-host = Nombre de servidor incorrecto
notice-wrong-host-hint = Abra la página con el nombre propio del servidor.
notice-wrong-origin = Esta página no puede usar el servidor
notice-wrong-origin-hint = Abra la página desde el propio servidor.
notice-wrong-protocol = Ese puerto es para UCI por TCP
notice-wrong-protocol-hint = Use el otro puerto.
notice-unknown-engine = Ese módulo no existe
notice-unknown-engine-hint = { notice-choose-engine }
notice-choose-engine = Elija otro módulo.
notice-engine-failed = No se puede iniciar el módulo
notice-engine-failed-hint = Elija otro módulo, o consulte al administrador.
notice-engine-failed-text = el módulo ya no está
notice-engine-away = El equipo del módulo está desconectado
notice-engine-away-hint = Esperando a que vuelva; puede elegir otro módulo.
notice-no-engine = No se pudo iniciar el módulo
notice-no-engine-hint = Se prueba con otro.
notice-engine-died = El módulo falló y se está sustituyendo
notice-line-too-long = La partida es demasiado larga para enviarla
notice-line-too-long-hint = { notice-later-position }
notice-later-position = Continúe desde una posición posterior.
notice-line-too-long-text = una línea tiene como máximo 65536 bytes
notice-not-a-line = El servidor no pudo leer un mensaje
notice-unknown-command = Comando desconocido
notice-bad-command = El servidor no pudo usar ese comando
notice-command-refused = Ese comando no está disponible aquí
notice-file-refused = Los archivos del servidor no están disponibles
notice-unknown-option = El módulo no tiene esa opción
notice-option-refused = Esa opción no se puede cambiar aquí
notice-bad-value = Valor de opción no válido
notice-bad-value-hint = Se mantiene el valor anterior.
notice-option-clamped = Se redujo el valor de la opción
notice-illegal-position = El servidor rechazó esta posición
notice-illegal-position-hint = Cambie la posición.
notice-position-mended = Se corrigió la posición
notice-position-too-long = La partida tiene demasiadas jugadas
notice-position-too-long-hint = { notice-later-position }
notice-position-lost = El módulo ha perdido la posición
notice-position-lost-hint = Vuelva a colocarla.
notice-too-many-lines = { too-many-requests }
notice-too-many-lines-hint = { notice-wait-a-moment }
notice-wait-a-moment = Espere un momento.
notice-gap = Entretanto se perdieron algunos mensajes
notice-gap-hint = El análisis empieza de nuevo.
notice-unknown-session = Conectado de nuevo
notice-unknown-session-text = En el tablero no se pierde nada; el módulo empieza de nuevo.
notice-ended = El administrador cerró la sesión
notice-ended-hint = Consulte al administrador, o conéctese de nuevo.
notice-ended-text = la cerró el administrador o un límite
notice-unknown-room = Esa sala no existe
notice-unknown-room-hint = Pida el enlace de nuevo.
notice-unknown-room-text = Puede que se haya cerrado.
notice-room-full = Demasiados espectadores
notice-room-full-hint = { try-again-later }
notice-room-removed = El anfitrión le ha expulsado de la sala
notice-room-too-slow = Desconectado: la página se quedó atrás
notice-room-too-slow-hint = Entre de nuevo en la sala.
notice-room-read-only = Los espectadores no pueden cambiar el análisis
notice-room-handed-over = Ahora otra persona tiene el control
notice-room-refused = Eso no es posible ahora en esta sala
notice-jobs-off = Este servidor no analiza partidas por su cuenta
notice-jobs-off-hint = { notice-ask-operator }
notice-ask-operator = Consulte al administrador.
notice-quota-jobs = No puede guardar más análisis
notice-quota-jobs-hint = Borre uno que no necesite.
notice-quota-stored = No puede guardar más partidas
notice-quota-stored-hint = Borre un análisis que no necesite.
notice-games-off = Este servidor no comparte partidas
notice-games-off-hint = Consulte al administrador.
notice-quota-games = No puede compartir más partidas
notice-quota-games-hint = Retire una que no necesite.
notice-library-off = Este servidor no guarda archivos
notice-library-off-hint = Se quedan en este navegador.
notice-quota-library = Ya no hay espacio para sus archivos en el servidor
notice-quota-library-hint = Borre allí un archivo que no necesite.
notice-projects-off = Este servidor no mantiene proyectos
notice-projects-off-hint = Consulte al administrador.
notice-quota-projects = No tiene espacio para más proyectos
notice-quota-projects-hint = Borre un proyecto que no necesite.
notice-quota-rooms = No puede abrir más salas
notice-quota-rooms-hint = Cierre una antes.
notice-cached = La posición ya es conocida
notice-waiting = Esperando un módulo libre
notice-no-search = Ningún módulo ha analizado esta posición
notice-no-search-hint = { try-again-later }
notice-queue-full = No hay ningún módulo libre y la cola está llena
notice-queue-full-hint = { try-again-later }
notice-quota-sessions = Tiene demasiados tableros abiertos
notice-quota-sessions-hint = Cierre antes otro tablero o programa.
notice-quota-cpu = Ha agotado su tiempo de módulo de esta hora
notice-quota-cpu-hint = El mensaje indica cuándo volver a intentarlo.
notice-quota-lines = Los mensajes se envían demasiado rápido
notice-quota-lines-hint = No se pierde nada.
notice-quota-search = El análisis llegó a su límite de tiempo
notice-quota-search-hint = Inícielo de nuevo si lo desea.
notice-quota-idle = Desconectado por inactividad
notice-quota-idle-hint = Inicie el módulo para reconectar.
notice-quota-idle-text = no se pidió nada durante un tiempo
notice-too-many-connections = El servidor tiene demasiadas conexiones
notice-too-many-connections-hint = Cierre otros tableros o inténtelo más tarde.
notice-too-many-starts = Se han iniciado módulos con demasiada frecuencia
notice-too-many-starts-hint = { notice-wait-a-moment }
notice-taken-over = El análisis sigue en otra ventana
notice-taken-over-hint = Reconecte para empezar uno aquí.
notice-taken-over-text = otra página lo ha tomado

## The material, in words for screen readers

# The pieces that one side has and the other has not, as in “2 pawns and a knight more”.
words-extra-pieces = { $role ->
    [queen] { $count ->
        [one] una dama
       *[other] { $count } damas
    }
    [rook] { $count ->
        [one] una torre
       *[other] { $count } torres
    }
    [bishop] { $count ->
        [one] un alfil
       *[other] { $count } alfiles
    }
    [knight] { $count ->
        [one] un caballo
       *[other] { $count } caballos
    }
   *[pawn] { $count ->
        [one] un peón
       *[other] { $count } peones
    }
}
words-extra = { $pieces } de más
# { $lead } is in points.
words-extra-ahead = { $lead ->
    [one] { $pieces } de más, { $lead } punto de ventaja
   *[other] { $pieces } de más, { $lead } puntos de ventaja
}

## What the signs beside moves mean

# Words in the place of a sign, beside a move.
sign-only = única
sign-zugzwang = zugzwang
sign-better = mejor
sign-worse = peor
sign-equivalent = equivalente
glyph-good-move = buena jugada
glyph-mistake = error
glyph-brilliant-move = jugada brillante
glyph-blunder = error grave
glyph-interesting-move = jugada interesante
glyph-dubious-move = jugada dudosa
glyph-forced-move = jugada forzada
glyph-only-move = única jugada
glyph-worst-move = la peor jugada
glyph-equal = igualdad
glyph-equal-quiet = igualdad, juego tranquilo
glyph-equal-active = igualdad, juego activo
glyph-unclear = posición poco clara
glyph-idea = con la idea
glyph-against-idea = contra la idea
glyph-better-is = es mejor
glyph-worse-is = es peor
glyph-equivalent-is = es equivalente
glyph-remark-of-editor = nota del editor
glyph-novelty = novedad
glyph-slightly-better = { $color ->
    [white] ligera ventaja de las blancas
   *[black] ligera ventaja de las negras
}
glyph-side-better = { $color ->
    [white] ventaja de las blancas
   *[black] ventaja de las negras
}
glyph-winning = { $color ->
    [white] ventaja decisiva de las blancas
   *[black] ventaja decisiva de las negras
}
glyph-wins-easily = { $color ->
    [white] las blancas ganan fácilmente
   *[black] las negras ganan fácilmente
}
glyph-zugzwang = { $color ->
    [white] las blancas están en zugzwang
   *[black] las negras están en zugzwang
}
glyph-little-ahead-development = { $color ->
    [white] las blancas tienen una ligera ventaja de desarrollo
   *[black] las negras tienen una ligera ventaja de desarrollo
}
glyph-far-ahead-development = { $color ->
    [white] las blancas tienen una gran ventaja de desarrollo
   *[black] las negras tienen una gran ventaja de desarrollo
}
glyph-initiative = { $color ->
    [white] las blancas tienen la iniciativa
   *[black] las negras tienen la iniciativa
}
glyph-lasting-initiative = { $color ->
    [white] las blancas tienen una iniciativa duradera
   *[black] las negras tienen una iniciativa duradera
}
glyph-attacks = { $color ->
    [white] las blancas atacan
   *[black] las negras atacan
}
glyph-too-little-material = { $color ->
    [white] las blancas no tienen compensación suficiente por el material
   *[black] las negras no tienen compensación suficiente por el material
}
glyph-enough-material = { $color ->
    [white] las blancas tienen compensación por el material
   *[black] las negras tienen compensación por el material
}
glyph-more-than-enough-material = { $color ->
    [white] las blancas tienen compensación de sobra por el material
   *[black] las negras tienen compensación de sobra por el material
}
glyph-some-counterplay = { $color ->
    [white] las blancas tienen algo de contrajuego
   *[black] las negras tienen algo de contrajuego
}
glyph-decisive-counterplay = { $color ->
    [white] las blancas tienen un contrajuego decisivo
   *[black] las negras tienen un contrajuego decisivo
}
glyph-short-of-time = { $color ->
    [white] las blancas andan escasas de tiempo
   *[black] las negras andan escasas de tiempo
}
glyph-severe-time-trouble = { $color ->
    [white] las blancas están en graves apuros de tiempo
   *[black] las negras están en graves apuros de tiempo
}

## What a mistake has missed

# { $line } is like “Ra7 Kg8 Rb8#”.
missed-mate = { $moves ->
    [1] Había mate: { $line }.
   *[other] Había mate en { $moves }: { $line }.
}
missed-hanging = { $role ->
    [queen] La dama estaba indefensa: { $move }.
    [rook] La torre estaba indefensa: { $move }.
    [bishop] El alfil estaba indefenso: { $move }.
   *[knight] El caballo estaba indefenso: { $move }.
}
# The two pieces that one move attacks.
missed-fork = { $pair ->
    [king-queen] { $move } ataca a la vez al rey y a la dama: { $line }.
    [king-rook] { $move } ataca a la vez al rey y a una torre: { $line }.
    [king-bishop] { $move } ataca a la vez al rey y a un alfil: { $line }.
    [king-knight] { $move } ataca a la vez al rey y a un caballo: { $line }.
    [queen-queen] { $move } ataca a la vez a dos damas: { $line }.
    [queen-rook] { $move } ataca a la vez a la dama y a una torre: { $line }.
    [queen-bishop] { $move } ataca a la vez a la dama y a un alfil: { $line }.
    [queen-knight] { $move } ataca a la vez a la dama y a un caballo: { $line }.
    [rook-rook] { $move } ataca a la vez a dos torres: { $line }.
    [rook-bishop] { $move } ataca a la vez a una torre y a un alfil: { $line }.
    [rook-knight] { $move } ataca a la vez a una torre y a un caballo: { $line }.
    [bishop-bishop] { $move } ataca a la vez a dos alfiles: { $line }.
    [bishop-knight] { $move } ataca a la vez a un alfil y a un caballo: { $line }.
   *[knight-knight] { $move } ataca a la vez a dos caballos: { $line }.
}
# { $gained } and { $given } are lists of the two texts that follow: “a rook and 2 pawns”.
missed-win = { $move } gana { $gained }: { $line }.
missed-win-for = { $move } gana { $gained } a cambio de { $given }: { $line }.
missed-gained = { $role ->
    [queen] { $count ->
        [one] una dama
       *[other] { $count } damas
    }
    [rook] { $count ->
        [one] una torre
       *[other] { $count } torres
    }
    [bishop] { $count ->
        [one] un alfil
       *[other] { $count } alfiles
    }
    [knight] { $count ->
        [one] un caballo
       *[other] { $count } caballos
    }
   *[pawn] { $count ->
        [one] un peón
       *[other] { $count } peones
    }
}
missed-given = { missed-gained }
