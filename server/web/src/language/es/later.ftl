# What is loaded after the first view: windows, and panels that are not always there.

sign-out = Cerrar sesión

## Settings

settings-title = Ajustes
settings-language = Idioma
# The language that the browser prefers.
language-browser = Como en el navegador
settings-colours = Colores
theme-system = Como en el sistema
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
settings-stops-when-hidden = Detener el motor mientras esta página está oculta
settings-levels-take-time = Los niveles débiles se toman su tiempo
settings-nothing-stored = Este navegador no guarda nada de esta página: la partida y estos ajustes duran hasta que la cierre.
