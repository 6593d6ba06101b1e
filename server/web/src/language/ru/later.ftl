# What is loaded after the first view: windows, and panels that are not always there.

sign-out = Выйти

## Settings

settings-title = Настройки
settings-language = Язык
# The language that the browser prefers.
language-browser = Как в браузере
settings-colours = Цвета
theme-system = Как в системе
theme-light = Светлые
theme-dark = Тёмные
settings-board-size = Размер доски
settings-pieces = Фигуры
pieces-classic = Классические
pieces-flat = Плоские
pieces-signs = Знаки с буквами
settings-board = Доска
board-slate = Сланец
board-wood = Дерево
board-green = Зелёная
board-contrast = Высокая контрастность
settings-sounds = Звуки
settings-volume = Громкость
settings-arrows = Стрелки для лучших ходов
settings-bar = Шкала оценки
settings-stops-when-hidden = Останавливать движок, пока страница скрыта
settings-levels-take-time = Слабые уровни думают не спеша
settings-nothing-stored = Этот браузер ничего не хранит для этой страницы: партия и настройки останутся, пока вы её не закроете.
