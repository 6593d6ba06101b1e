# What is loaded after the first view: windows, and panels that are not always there.

# Behind the name of the field.
sign-in-no-token = токен начинается с rk_ и не содержит пробелов
sign-out = Выйти
sign-out-not-revoked = Здесь выход выполнен, но токен остаётся действительным

## A code that signs a phone in

code-phone = Войти на телефоне
code-scan = Отсканируйте это камерой телефона. Вход будет выполнен один раз, под именем { $account }.
code-picture = QR-код
# Minutes and seconds, as in “9:58”.
code-left = Действует ещё { $time } мин
# A browser and a system, as in “Safari on iPhone”.
code-used = Выполнен вход: { $device }
code-expired = Срок действия кода истёк.
code-again = Новый код
code-local = Эта страница открыта по адресу { $host }, который доступен только этому компьютеру. Откройте её по имени или адресу, доступному телефону.
code-plain = Это соединение не зашифровано: другие пользователи сети могут прочитать токен.
code-not-made = Не удалось создать код
code-question = Войти в этом браузере на { $host }? Код действует один раз.
code-stay = Оставаться в системе на этом устройстве
code-refused = Войти с этим кодом не удалось. Попросите показать новый и отсканируйте его.
code-token-instead = Войти с токеном
code-done = Выполнен вход: { $account }
code-done-tab = У этого браузера свой токен, который администратор может отозвать. Он хранится только в этой вкладке.
code-done-device = У этого браузера свой токен, который администратор может отозвать. Он хранится, пока вы не выйдете.

## Settings

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
settings-arrows = Стрелки лучших ходов
settings-bar = Шкала оценки
settings-stops-when-hidden = Останавливать движок, пока страница скрыта
settings-levels-take-time = Слабые уровни думают не спеша
settings-nothing-stored = Этот браузер ничего не хранит для этой страницы: партия и настройки останутся, пока вы её не закроете.

## The analysis of a game, its times, and engines beside the first

companion = Движок рядом с первым: { $engine }
companion-engine = Движок { $engine }
companion-stop = Остановить этот движок
companion-start = Запустить этот движок
companion-choose = Сменить этот движок
companion-lines = Варианты: { $engine }
companion-options = Параметры: { $engine }
companion-remove = Убрать { $engine }
companion-finds-nothing = ничего
companion-disagrees = Движки расходятся: этот предлагает { $mine }, первый — { $theirs }
report = Анализ партии
report-stop = Остановить
report-disputes = { $count ->
    [0] { $engine } оценивает все ходы так же.
    [one] { $engine } иначе оценивает { $count } ход.
    [few] { $engine } иначе оценивает { $count } хода.
    [many] { $engine } иначе оценивает { $count } ходов.
   *[other] { $engine } иначе оценивает { $count } хода.
}
report-show-it = Показать
report-next = Следующий
report-judged = { $judged ->
    [one] Оценён { $judged } ход из { $moves }.
    [few] Оценены { $judged } хода из { $moves }.
    [many] Оценены { $judged } ходов из { $moves }.
   *[other] Оценены { $judged } хода из { $moves }.
}
report-scores-only = Оценки есть в { $scored } из { $positions } { $positions ->
    [one] позиции
   *[other] позиций
}; ошибки не отмечены.
report-time-per-move = Время на ход
report-seconds = { $seconds } с/ход
report-where = Где анализировать
report-on-server = на сервере
report-in-tab = в этой вкладке
report-games = Партии для анализа
report-this-game = эта партия
report-all-games = все партии ({ $count })
report-analyse = Анализировать партию
report-analyse-games = Анализировать партии
report-again = Анализировать заново
report-accuracy = точность { $percent } %
report-inaccuracies = { $count } { $count ->
    [one] неточность
    [few] неточности
    [many] неточностей
   *[other] неточности
}
report-mistakes = { $count } { $count ->
    [one] ошибка
    [few] ошибки
    [many] ошибок
   *[other] ошибки
}
report-blunders = { $count } { $count ->
    [one] зевок
    [few] зевка
    [many] зевков
   *[other] зевка
}
report-practise = Разобрать ошибки
report-next-inaccuracy-white = Следующая неточность белых
report-next-mistake-white = Следующая ошибка белых
report-next-blunder-white = Следующий зевок белых
report-learn-white = Учиться на ошибках белых
report-next-inaccuracy-black = Следующая неточность чёрных
report-next-mistake-black = Следующая ошибка чёрных
report-next-blunder-black = Следующий зевок чёрных
report-learn-black = Учиться на ошибках чёрных
report-graph = Шансы по ходу партии; к ходам ведёт их список
report-start = начало
times-trouble-label = цейтнот: осталось меньше { $limit }
times-summary = Время на каждый ход. Всего: { $white }; { $black }. Цейтнот — меньше { $limit } на часах.
times-white = белые { $time }
times-black = чёрные { $time }
times-white-trouble = белые { $time }, в цейтноте с { $move }-го хода
times-black-trouble = чёрные { $time }, в цейтноте с { $move }-го хода

## Practice

practice = Работа над ошибками
practice-number = Ошибка { $number } из { $total }
practice-found = найдено: { $count }
practice-show = Показать ход
practice-next = Дальше
practice-skip = Пропустить
practice-done = Готово
practice-end = Закончить
practice-checking = Проверяем { $move }…
practice-good = { $move } — хороший ход.
practice-not-good-enough = { $move } — недостаточно сильно.
practice-refuted-by-white = { $move } — недостаточно сильно: белые отвечают { $answer }.
practice-refuted-by-black = { $move } — недостаточно сильно: чёрные отвечают { $answer }.
practice-engine-prefers = Движок предпочитает { $move }.
practice-inaccuracy-white = { $move } — неточность. Найдите за белых ход сильнее.
practice-mistake-white = { $move } — ошибка. Найдите за белых ход сильнее.
practice-blunder-white = { $move } — зевок. Найдите за белых ход сильнее.
practice-inaccuracy-black = { $move } — неточность. Найдите за чёрных ход сильнее.
practice-mistake-black = { $move } — ошибка. Найдите за чёрных ход сильнее.
practice-blunder-black = { $move } — зевок. Найдите за чёрных ход сильнее.

## The result

result-not-finished = Не закончена
result-white-won = 1–0, победа белых
result-black-won = 0–1, победа чёрных
result-draw = ½–½, ничья
result-question = Чем закончилась партия?

## A game against an engine

play-offers-draw = Движок предлагает ничью.
play-connection-lost = связь потеряна: подключаемся снова, часы движка стоят
play-silent = сервер не отвечает: часы движка стоят
play-blocked = движку сейчас нельзя думать: его часы стоят
play-your-move = ваш ход
play-thinking = движок думает
play-take-back = Взять ход назад
play-accept-draw = Согласиться на ничью
play-offer-draw = Предложить ничью
play-yes-resign = Да, сдаться
play-on = Играть дальше
play-resign = Сдаться
analyse = Анализировать
play-rematch = Реванш

## The opening explorer and the tablebases

explorer = База дебютов
explorer-reading = Читаем партии…
find-position = Найти эту позицию в библиотеке
explorer-none = Партий пока нет. Откройте файл с несколькими партиями, чтобы увидеть, что играли в каждой позиции и чем партии закончились. Ваши партии с движками тоже учитываются.
explorer-own = { $count ->
    [one] { $count } партия, сыгранная здесь с движками
    [few] { $count } партии, сыгранные здесь с движками
    [many] { $count } партий, сыгранных здесь с движками
   *[other] { $count } партии, сыгранные здесь с движками
}
explorer-file = { $count ->
    [one] { $count } партия в файле
    [few] { $count } партии в файле
    [many] { $count } партий в файле
   *[other] { $count } партии в файле
}
explorer-read-of = Прочитано: { $read }; всего { $games }
explorer-no-continuation = Ни одна из них не продолжается из этой позиции.
explorer-this-file = Этот файл
explorer-played-here = Сыграно здесь
games = Партии
explorer-results = Результаты
explorer-share = Доля
explorer-not-reached = Эта позиция не встречалась ни в одной партии.
explorer-best-games = Лучшие партии с этой позицией: { $count }
explorer-not-in-book = В книге этой позиции нет.
explorer-book = Дебютная книга: как часто она выбирает каждый ход.
explorer-no-results = нет результатов
explorer-outcome = Победы белых { $white } %, ничьи { $draw } %, победы чёрных { $black } %
explorer-list = Партии с этой позицией: { $count }
explorer-list-first = Партии с этой позицией: первые { $count } из { $total }
lookup-waiting = Ищем…
lookup-no-answer = Сервер сейчас не отвечает.
table-move = Ход
tablebase = Эндшпильные таблицы
tablebase-dtz = DTZ: полуходов до взятия, хода пешкой или мата при лучшей игре
tablebase-distance = Расстояние

## Keyboard shortcuts

help-title = Горячие клавиши
# The names of keys, as they are written on keyboards.
key-home = Home
key-end = End
key-space = Пробел
key-delete = Delete
key-shift-f10 = Shift+F10
key-ctrl-z = Ctrl+Z
key-ctrl-shift-z = Ctrl+Shift+Z
key-ctrl-v = Ctrl+V
help-moves = предыдущий, следующий ход; также колесо мыши над доской
help-variations = предыдущий, следующий вариант
help-ends = начало, конец варианта
help-mistakes = следующая, предыдущая ошибка в проанализированной партии
help-type = ввести ход
help-best = сыграть лучший ход движка
help-engine = запустить или остановить движок
help-arrows = показать или скрыть стрелки
help-threat = показать угрозу
help-analyse = анализировать партию
help-comment = комментарий к ходу
help-menu = меню хода в списке ходов (перейти туда — Tab)
help-explorer = база дебютов: что здесь играли
help-flip = перевернуть доску
help-live = в комнате: к общей позиции
help-delete = удалить ход и всё после него
help-undo = отменить последнее изменение
help-redo = вернуть отменённое
help-paste = вставить PGN или FEN
help-help = показать эти клавиши
help-drawing = Стрелки и круги рисуют правой кнопкой мыши; Shift, Alt или обе клавиши дают другие цвета. Они остаются при позиции и в PGN. Чтобы убрать отметку, нарисуйте её ещё раз; чтобы убрать все, щёлкните по пустому полю.

## How other programs reach the engines

connect-title = Эти движки в шахматной программе
connect-gui = Шахматная программа
connect-gui-hint = Добавьте UCI-движок с этой командой в любую шахматную программу. Он работает как локальный движок.
connect-socket-hint = Ваша собственная программа открывает WebSocket и общается по UCI: одна строка на сообщение.
connect-terminal = Терминал
# What is between ` is typed: it stays as it is.
connect-terminal-hint = В терминале вводите команды UCI построчно: попробуйте `uci`, затем `go depth 10`.

## My analyses on the server

jobs-title = Мои анализы
jobs-asking = Спрашиваем сервер…
jobs-none = Пока ничего нет. Откройте партию, выберите «на сервере» под её ходами и нажмите «Анализировать партию». Сервер продолжит анализ, даже если закрыть страницу.
jobs-go-on = Сервер продолжает анализ, даже если закрыть страницу.
jobs-lost = На сервере его больше нет. Результаты хранятся ограниченное время.
jobs-remove = Убрать из списка
jobs-nameless = Без названия
jobs-progress = Ход анализа: { $name }
jobs-kept-until = Хранится до { $date }
jobs-pause = Приостановить
jobs-resume = Продолжить
# A button that asks `jobs-delete-question`.
jobs-ask-delete = Удалить…
jobs-delete-name = Удалить { $name }
jobs-delete-question = Удалить вместе с результатами?
jobs-delete = Удалить
jobs-keep = Оставить
jobs-finish-game = Сначала закончите партию на доске
# The games that are analysed by now.
jobs-open-done = Открыть готовые
jobs-open-games = Открыть партии
jobs-download-pgn = Скачать PGN
jobs-download-results = Скачать результаты
jobs-all-games = { $total ->
    [one] { $total } партия
    [few] { $total } партии
    [many] { $total } партий
   *[other] { $total } партии
}
jobs-all-positions = { $total ->
    [one] { $total } позиция
    [few] { $total } позиции
    [many] { $total } позиций
   *[other] { $total } позиции
}
# { $total } is 2 or more.
jobs-done-games = { $done } из { $total } { $total ->
    [one] партии
   *[other] партий
}
jobs-done-positions = { $done } из { $total } { $total ->
    [one] позиции
   *[other] позиций
}
# { $progress } is like “3 of 20 games” or “1 position”.
jobs-waiting = Ждёт движка: { $progress }
jobs-running = Выполняется: { $progress }
jobs-running-seconds = Выполняется: { $progress }, осталось около { $left } с
jobs-running-minutes = Выполняется: { $progress }, осталось около { $left } мин
jobs-running-hours = Выполняется: { $progress }, осталось около { $left } ч
jobs-paused = Приостановлено: { $progress }
jobs-stopped = Остановлено: { $reason }
jobs-stopped-unknown = Остановлено: сервер не сообщил почему
# { $all } is like “20 games” or “1 position”.
jobs-finished = Готово: { $all }
# None of them could be analysed.
jobs-finished-without-results = Готово: { $all }, но проанализировать не удалось
jobs-finished-in-part = Готово: { $all }, из них не удалось проанализировать { $failed }

## Apps that cannot sign in

devices-title = Приложения, которые не умеют входить
devices-hint = Такие приложения, как DroidFish, не знают токенов. Впустите этот адрес и укажите в приложении хост и порт.
devices-hidden = Прокси скрывает адрес этого устройства, поэтому впустить его нельзя: спросите администратора сервера.
devices-place = Хост и порт { $name } для { $engine }
devices-until = { $address } впускается до { $date }.
devices-pair = Впускать приложения с { $address }
devices-file = Файл для DroidFish
devices-unpair = Больше никого не впускать
devices-not-now = Сейчас сервер не может это изменить

## Links to shared games

shared-too-large = Партия слишком велика, чтобы ею поделиться
shared-too-large-hint = Удалите часть вариантов или комментариев.
shared-impossible = Поделиться этой партией через сервер нельзя
links-title = Ссылка на эту партию
links-hint = Каждый, у кого есть ссылка, может смотреть партию с комментариями. Изменить партию или отозвать ссылку можете только вы.
# A list with the next four.
links-time = Сколько действует ссылка
links-for-week = неделю
links-for-month = месяц
links-for-year = год
links-until-withdrawn = пока я её не отзову
links-make = Создать ссылку
links-list = Мои ссылки
# The title of a shared game without players.
links-nameless = Партия без имён
links-works-until = действует до { $date }
links-works-until-withdrawn = действует, пока не отозвана
link = Ссылка
links-copied = Ссылка скопирована
# Buttons that ask one of the questions below.
links-ask-update = Обновить…
links-ask-withdraw = Отозвать…
links-change = Изменить ссылку: { $title }
links-update-question = Показывать по этой ссылке партию, которая сейчас на доске?
links-withdraw-question = Ссылка перестанет работать. Отозвать её?
links-update = Обновить ссылку
links-withdraw = Отозвать ссылку
links-keep = Оставить
links-frame = Показать на веб-странице
links-html = HTML для страницы
links-html-copied = HTML скопирован
links-size = Размер на странице
links-frame-hint = Работает на сайтах, которые указал администратор этого сервера.

## Options of an engine

options-title = Параметры: { $engine }
options-no-control = Сейчас управляет другой: вы можете менять только число показанных вариантов.
options-none = Движок ещё не сообщил свои параметры.
options-reset = Вернуть значения по умолчанию
# The number of lines that the engine shows.
options-lines = Варианты
# “Search until” is followed by one of the next five, in a list, and then by a number.
options-until = Предел счёта
options-until-stopped = нет
options-until-depth = глубина
options-until-seconds = секунды
options-until-nodes = узлы
options-until-mate = мат в ходах
options-limit = Предел
# A number that was typed has to be from .. to ..
options-from-to = от { $min } до { $max }
options-range = от { $min } до { $max }
options-invalid = недопустимое значение
# The unit of “Hash”.
options-mebibytes = МиБ

## The window for a game against an engine

play-title = Игра с движком
play-colour = Ваш цвет
# A colour by chance.
play-random = По жребию
play-clock = Контроль времени
play-minutes = { $minutes } мин
# Minutes for the game, and seconds more for each move.
play-minutes-and-seconds = { $minutes } мин + { $seconds } с
play-no-clock = Без часов
# Another clock, whose minutes and seconds are typed.
play-own-clock = Свой
play-clock-fields = Минуты + секунды на ход
play-clock-minutes = Минуты
play-clock-seconds = Секунды на ход
play-strength = Сила игры
play-full-strength = Полная сила
play-by-rating = По рейтингу (Эло)
play-by-level = По уровню
play-level = Уровень
play-no-levels = У этого движка нет слабых уровней.
play-levels-unknown = Движок ещё не сообщил свои уровни.
play-ponders = Движок думает и на вашем времени
play-from-here = Играть с этой позиции

## Share

share-position = Ссылка на эту позицию
download-game = Скачать партию
share-preview = Вид доски
share-arrows = Показывать стрелки лучших ходов
share-png = Сохранить как PNG
share-svg = Сохранить как SVG
share-copy-picture = Скопировать картинку
share-picture-copied = Картинка скопирована
share-picture-not-copied = Не удалось скопировать картинку
share-save-instead = Браузер копирует картинки только по https: сохраните её в файл.

## Names, date and result of the game

game = Партия
rating = Рейтинг
headers-rating-of-white = Рейтинг белых
headers-rating-of-black = Рейтинг чёрных
event = Турнир
headers-example-event = Первенство клуба
headers-round = Тур
headers-place = Место
# A town, as an example of a place.
headers-example-place = Казань
headers-date = Дата
headers-annotator = Комментатор
headers-eco = Код ECO
result = Результат
save = Сохранить

## Setting up a position

piece-white-king = белый король
piece-white-queen = белый ферзь
piece-white-rook = белая ладья
piece-white-bishop = белый слон
piece-white-knight = белый конь
piece-white-pawn = белая пешка
piece-black-king = чёрный король
piece-black-queen = чёрный ферзь
piece-black-rook = чёрная ладья
piece-black-bishop = чёрный слон
piece-black-knight = чёрный конь
piece-black-pawn = чёрная пешка
setup-empty = пусто
setup-white-pieces = белые фигуры
setup-black-pieces = чёрные фигуры
setup-move = передвигать фигуры
setup-remove = убирать фигуры
setup-move-title = Передвигать фигуры; чтобы убрать, стащите с доски
setup-remove-title = Убирать фигуры
setup-not-legal = Недопустимая позиция: { $fault }.
setup-legal = Позиция допустима.
setup-undo = Шаг назад
castling-white-short = Белые 0-0
castling-white-long = Белые 0-0-0
castling-black-short = Чёрные 0-0
castling-black-long = Чёрные 0-0-0
setup-to-move = Чей ход
setup-clear = Очистить
cancel = Отмена
setup-castling = Рокировка
setup-en-passant = Взятие на проходе
setup-no-square = Нет
setup-start = Начальная позиция
setup-start-number = Номер начальной позиции
setup-random = Случайная позиция

## Rooms

room-stop-writing = Запретить правку
room-let-write = Разрешить правку
room-remove = Удалить { $name }
room-last-change = Последнее изменение: { $name }
room-your-name-here = Ваше имя здесь: { $name }
room-your-name = Ваше имя
room-engine-closes = { $count ->
    [one] Смена движка закроет комнату для { $count } зрителя.
    [few] Смена движка закроет комнату для { $count } зрителей.
    [many] Смена движка закроет комнату для { $count } зрителей.
   *[other] Смена движка закроет комнату для { $count } зрителя.
}
room-viewers = { $count ->
    [0] зрителей пока нет
    [one] { $count } зритель
    [few] { $count } зрителя
    [many] { $count } зрителей
   *[other] { $count } зрителя
}
room-you-have-control = { $count ->
    [0] управляете вы, других зрителей нет
    [one] управляете вы, ещё { $count } зритель
    [few] управляете вы, ещё { $count } зрителя
    [many] управляете вы, ещё { $count } зрителей
   *[other] управляете вы, ещё { $count } зрителя
}
room-watching = { $count ->
    [0] вы смотрите, других зрителей нет
    [one] вы смотрите, ещё { $count } зритель
    [few] вы смотрите, ещё { $count } зрителя
    [many] вы смотрите, ещё { $count } зрителей
   *[other] вы смотрите, ещё { $count } зрителя
}
room = Комната
room-live = Общая доска
room-take-control = Забрать управление
room-withdraw-offer = Отозвать предложение
room-give-control = Передать управление
room-elsewhere = Вы смотрите другую позицию.
room-back-to-live = К общей позиции
room-back-to-live-title = К общей позиции (v)
room-change-name = Сменить имя
room-save-name = Сохранить имя
room-yes-change = Да, сменить
room-keep-engine = Оставить движок
room-give-back = Вернуть управление
room-save-copy = Сохранить копию
room-save-copy-title = Выйти с копией партии; отмена вернёт вашу партию
room-leave = Выйти
room-offered = Вам предлагают управление.
room-accept = Принять
room-decline = Отказаться
room-owner = (владелец)
room-together = Анализировать вместе
room-explained = Пусть другие следят за этой партией и анализом движка вживую. Управление остаётся у вас; вы можете передать его одному из зрителей и разрешить другим правку. Смотреть может каждый, у кого есть ссылка.
room-open = Открыть комнату
room-not-connected = Движок сейчас не подключён.
room-anyone = Смотреть может каждый, у кого есть ссылка.
room-viewers-link = Ссылка для зрителей
room-lasts = Комната открыта, пока длится ваш сеанс или пока вы её не закроете.
room-close = Закрыть комнату
room-done = Готово

## The library: files of games that this browser keeps

library = Библиотека
library-reading = { $count ->
    [one] Читаем: { $count } партия
    [few] Читаем: { $count } партии
    [many] Читаем: { $count } партий
   *[other] Читаем: { $count } партии
}
library-save-in = Сохранить в { $file }
# “My games” is the name of a file: it is “My games.pgn” in every language.
library-save-in-own = Сохранить в My games
library-earlier-of-game = Прежние версии этой партии
library-earlier = Прежние версии
# The game as it was before { $time }, when it was saved.
library-before = до { $time }
# { $coding } is like “Western (Windows)”, a way to write letters in a file.
library-lacks-letters = Файл { $path } — в кодировке { $coding }, в ней есть не все буквы этой партии.
library-do-not-save = Не сохранять
library-save-utf8 = Сохранить и перевести файл в UTF-8
library-empty = Здесь хранятся файлы с несколькими партиями, которые вы открывали.
library-deleted = Удалён файл { $path }
library-undo = Вернуть
library-files = Файлы
library-files-in = Файлы в { $folder }
library-download-as-one = Скачать одним файлом
library-download-each = Скачать каждый файл
library-name = Имя; косая черта создаёт папку
library-rename = Переименовать
library-rename-file = Переименовать или переместить { $file }
library-download-file = Скачать { $file }
library-delete-file = Удалить { $file }
library-games = { $count ->
    [one] { $count } партия
    [few] { $count } партии
    [many] { $count } партий
   *[other] { $count } партии
}
# { $shown } is 100.
library-games-first = { $count ->
    [one] { $count } партия, показаны первые { $shown }
    [few] { $count } партии, показаны первые { $shown }
    [many] { $count } партий, показаны первые { $shown }
   *[other] { $count } партии, показаны первые { $shown }
}
library-search = Искать в библиотеке
library-search-hint = Искать в библиотеке: игроки, турнир, дата, результат
library-search-by = Искать по позиции, дебюту, игрокам, дате
# A condition of the search, like “Event: Leipzig”; several are joined by commas.
library-condition = { $name }: { $value }
# A player of White or Black.
library-either-player = Белые или чёрные
library-opening = Дебют
library-example-opening = B90 или Najdorf
# The first and the last date of the games that are searched, with examples.
library-from = Дата с
library-example-from = 2024 или 2024.05.31
library-to = Дата по
library-example-to = 2026
library-rated = Рейтинг обоих не ниже
library-any-result = Любой результат
library-white-won = Победа белых
library-black-won = Победа чёрных
library-draw = Ничья
library-folder = Папка
library-all-folders = Все
library-clear = Очистить
library-in-any-position = С любой позицией
# A button: search the games with this position.
library-search-position = С позицией на доске
library-with-position = Партии с позицией на доске
library-with-other-position = Партии с другой позицией
library-with-position-explained = Партии, в которых была позиция на доске, при любом порядке ходов (без побочных вариантов).
library-with-other-position-explained = Партии, в которых была другая позиция, при любом порядке ходов (без побочных вариантов).
library-show = Показать партии
library-show-games = { $count ->
    [one] Показать { $count } партию
    [few] Показать { $count } партии
    [many] Показать { $count } партий
   *[other] Показать { $count } партии
}
library-indexed = Поиск по позиции и дебюту пока возможен в { $done } из { $total } { $total ->
    [one] партии
   *[other] партий
}
library-pause = Приостановить
library-continue = Продолжить
library-searching = Ищем…
library-found = Найденные партии
library-download-found = Скачать всё найденное
library-no-matching = Таких партий нет.
library-saved-in = Сохранено в { $file }
library-saved-as-new = Сохранено как новая партия
library-saved-as-new-reason = С тех пор как вы её открыли, она изменена в другом месте.
# Stands for a file without a name: “Saved in the library”.
library-itself = библиотеке
# The next ones follow a title and a colon, so they begin with a small letter.
library-waits = библиотека ждёт другую вкладку с прежней версией страницы: закройте её или обновите
library-closed = библиотекой пользуется новая версия страницы в другой вкладке: чтобы работать с ней здесь, обновите эту страницу
library-full = в браузере больше нет места: скачайте файл из библиотеки, удалите его здесь и повторите
library-not-there = файла больше нет, или его чтение отменено
library-too-large = файл слишком велик: { $size } МБ, а предел — { $limit } МБ; разделите его
library-unreadable = файл не удалось прочитать

sync-keep = Хранить на сервере
sync-keep-file = Хранить на сервере: { $file }
# How a file here stands, compared with the one on the server.
sync-same = На сервере то же самое
sync-here = Изменён здесь, ещё не отправлен
sync-there = Изменён на другом компьютере
sync-both = Изменён здесь и на другом компьютере
sync-offline = Нет соединения
sync-offline-here = Нет соединения: будет отправлен позже
sync-released = Теперь { $file } только в этом браузере
sync-released-hint = На других ваших компьютерах он исчезнет, когда там откроют библиотеку.
sync-folder-released = Теперь файлы из { $folder } только в этом браузере
sync-folder-released-hint = На других ваших компьютерах они исчезнут, когда там откроют библиотеку.
# The name of a file after it was changed on two computers.
sync-from-here = { $name } (с этого компьютера)
sync-too-large = Файл слишком велик для сервера
sync-too-large-hint = Он остаётся в этом браузере; чтобы хранить его там, разделите его.
sync-bad-name = Сервер не принимает это имя
sync-bad-name-hint = Переименуйте файл.
sync-not-now = Сервер сейчас не может хранить файлы
# A game without the names of its players.
game-number = Партия { $number }

## The window that opens a game or a position

import-text = PGN или FEN
import-hint = Вставьте сюда PGN (одну или несколько партий) или FEN либо перетащите файл в любое место страницы.
import-file = Файл с партиями
# How the letters are written in the file: its encoding.
import-encoding = Кодировка файла
import-search = Искать партии
import-search-games = { $count ->
    [one] Искать среди { $count } партии
    [few] Искать среди { $count } партий
    [many] Искать среди { $count } партий
   *[other] Искать среди { $count } партии
}
import-showing = Показано { $shown } из { $count }: остальные найдёт поиск.
import-played-here = Сыграно здесь

## How a game against an engine ended, and its strength

outcome-white-mates = Белые поставили мат
outcome-black-mates = Чёрные поставили мат
outcome-white-wins-on-time = Белые выиграли по времени
outcome-black-wins-on-time = Чёрные выиграли по времени
outcome-white-resigns = Белые сдались
outcome-black-resigns = Чёрные сдались
outcome-white-made-no-move = Белые не сделали допустимого хода
outcome-black-made-no-move = Чёрные не сделали допустимого хода
# Black's time is over, but White has too few pieces to mate.
outcome-white-cannot-mate = Ничья: чёрные просрочили время, но белым нечем поставить мат
outcome-black-cannot-mate = Ничья: белые просрочили время, но чёрным нечем поставить мат
outcome-stalemate = Ничья: пат
outcome-material = Ничья: недостаточно материала
outcome-fifty-moves = Ничья по правилу 50 ходов
outcome-repetition = Ничья: троекратное повторение позиции
outcome-agreement = Ничья по соглашению
# Behind the name of an engine that does not play at full strength.
play-at-level = уровень { $level }
play-declines = Движок отклонил ничью
play-declines-reason = Он рассчитывает на большее.

## The words of the explorer and of the tablebases

explorer-rating = средний рейтинг { $rating }
explorer-year = последний раз в { $year } году
explorer-rating-and-year = средний рейтинг { $rating }, последний раз в { $year } году
# What a move does for the side that plays it; in a narrow column.
tablebase-wins = выигрыш
tablebase-draws = ничья
tablebase-loses = проигрыш
tablebase-checkmate = Мат
tablebase-stalemate = Пат
tablebase-draw = Ничья при лучшей игре
# { $side } is the side to move: “white” or “black”.
tablebase-side-wins = { $side ->
    [white] Белые выигрывают
   *[black] Чёрные выигрывают
}
tablebase-side-wins-or-draws = { $side ->
    [white] Белые выигрывают, или ничья по правилу 50 ходов
   *[black] Чёрные выигрывают, или ничья по правилу 50 ходов
}
tablebase-side-wins-too-late = { $side ->
    [white] Ничья: для выигрыша белым нужно больше 50 ходов
   *[black] Ничья: для выигрыша чёрным нужно больше 50 ходов
}
tablebase-side-loses-too-late = { $side ->
    [white] Ничья: белые проигрывают больше чем за 50 ходов
   *[black] Ничья: чёрные проигрывают больше чем за 50 ходов
}
tablebase-side-loses-or-draws = { $side ->
    [white] Белые проигрывают, или ничья по правилу 50 ходов
   *[black] Чёрные проигрывают, или ничья по правилу 50 ходов
}
tablebase-side-loses = { $side ->
    [white] Белые проигрывают
   *[black] Чёрные проигрывают
}
# Behind a move, in a narrow column: how the game ends or how far the next step is.
tablebase-detail-mate = мат
tablebase-detail-stalemate = пат
tablebase-detail-material = мало материала
# The fifty-move rule makes a draw of it.
tablebase-detail-fifty = 50 ходов
tablebase-detail-distance = DTZ { $distance }
# The fifty-move rule may make a draw of it.
tablebase-detail-distance-or-fifty = DTZ { $distance } или 50 ходов
tablebase-detail-or-fifty = или 50 ходов

## What is wrong with a position that is set up

# Stands in “Not legal: ….”, so it has no full stop.
setup-no-king = { $color ->
    [white] у белых нет короля
   *[black] у чёрных нет короля
}
setup-kings = { $color ->
    [white] королей у белых { $count }, а нужен один
   *[black] королей у чёрных { $count }, а нужен один
}
setup-men = { $color ->
    [white] фигур у белых { $count }, а может быть не больше { $most }
   *[black] фигур у чёрных { $count }, а может быть не больше { $most }
}
# { $square } is like “a8”.
setup-pawn-on = пешка не может стоять на { $square }
# { $count } is 9 or more.
setup-pawns = { $color ->
    [white] Пешек у белых { $count }: необычно, но анализировать можно
   *[black] Пешек у чёрных { $count }: необычно, но анализировать можно
}
# For screen readers.  The keys k q r b n p are those of the keyboard, and stay as they are.
setup-board = Доска: клавиши со стрелками выбирают поле, k q r b n p ставят белую фигуру, с Shift — чёрную, Delete убирает её

## What is wrong with a FEN, a PGN or a link

# The letters w, b, K, Q, R, B and N, the tags and the words in “ ” are those of FEN, PGN and UCI.
fen-no-placement = неверный FEN: нужна хотя бы расстановка фигур
fen-unreadable = неверный FEN: { $fen }
fen-side = очередь хода — w или b, а не «{ $side }»
fen-ranks = неверный FEN: на доске должно быть 8 горизонталей через «/», а не { $count }
fen-rank = неверный FEN: в горизонтали { $rank } должны быть фигуры и цифры, а не «{ $said }»
fen-rank-squares = неверный FEN: в горизонтали { $rank } должно быть 8 полей, а не { $count }
fen-kings = { $color ->
    [white] у белых должен быть один король, а не { $count }
   *[black] у чёрных должен быть один король, а не { $count }
}
fen-men = { $color ->
    [white] фигур у белых { $count }, а может быть не больше { $most }
   *[black] фигур у чёрных { $count }, а может быть не больше { $most }
}
fen-pawns = на первой и последней горизонталях пешек быть не может
# { $fault } is a word of a program.
position-not-legal = позиция недопустима: { $fault }
position-in-check = { $color ->
    [white] позиция недопустима: белые под шахом, а ход чёрных
   *[black] позиция недопустима: чёрные под шахом, а ход белых
}
import-position = после «position» идёт «startpos» или «fen ...», а не «{ $said }»
import-variant = разновидность шахмат «{ $variant }» пока не поддерживается
import-address = это адрес веб-страницы: скопируйте с неё PGN или FEN
import-setup = в партии есть тег SetUp, но нет тега FEN
import-number = партия начинается с { $number }-го хода, но тега FEN нет
import-too-long = текст слишком длинный: символов { $length }, предел — { $limit }
import-nothing = не найдено ни партии, ни позиции: вставьте PGN, FEN, ходы (e4 e5 или e2e4 e7e5) или адрес позиции
import-letters = «{ $move }» — невозможный ход: обозначайте фигуры буквами K, Q, R, B и N
import-first-move = «{ $move }» — невозможный ход в первой позиции: нет её FEN
import-illegal = есть невозможный ход «{ $move }»: показаны только ходы до него
import-illegal-in-link = в ссылке есть невозможный ход «{ $move }»: показаны только ходы до него

## What is wrong with names, date and result of a game

# They stand behind the name of the field.
headers-too-long = не больше { $most } символов
headers-no-rating = рейтинг — это число, например 1850
# A code of an opening (ECO).
headers-no-code = код бывает такой: B90
headers-is-draw = партия закончилась вничью
headers-is-mate = партия закончилась матом
headers-no-date = запишите дату как 2026.11.26, 26.11.2026 или только год
headers-no-month = месяца { $month } нет
headers-no-day = в этом месяце нет { $day }-го числа

## More on a position that is set up

# Stands in “Not legal: ….”
setup-in-check = { $color ->
    [white] белые под шахом, а ход чёрных
   *[black] чёрные под шахом, а ход белых
}

## Practice without an answer

practice-no-answer = Движок не ответил
practice-try-again = Повторите ход.

## The menu of a move, its comment and its time

menu-comment = Комментарий…
menu-move-up = Поднять этот вариант выше
menu-delete = Удалить с этого хода
menu-delete-others = Удалить все остальные варианты
menu-copy-moves = Скопировать ходы до этого места
menu-copy-pgn = Скопировать PGN с этого хода
menu-rate = Оценить ход
copied = Скопировано
copy-not-allowed = Браузер не разрешает странице копировать
player-move-time = Время на { $move }
# { $move } is like “3... Nf6”.
comment-on-move = Комментарий к { $move }
comment-on-game = Комментарий к партии
comment-name = Комментарий
comment-write = Напишите комментарий

## A storage that is full

storage-full = Последние изменения не сохранены
storage-full-text = В браузере больше нет места для данных этой страницы.
storage-full-hint = Скачайте партию, прежде чем закрыть страницу.

## A shared game in a frame of another page

embed-title = Rookery: партия по ссылке
embed-fetching = Загружаем партию…
embed-open = Открыть на { $server }
# The name of the row of buttons, for screen readers.
embed-steps = По ходам
embed-no-address = В адресе не указана партия
embed-no-address-text = Адрес должен заканчиваться на # и идентификатор партии, например /embed#AbCdEf. Полный адрес можно скопировать на сервере в окне «Поделиться».

## Analyses of the server

jobs-gone = На сервере этого анализа больше нет
jobs-gone-hint = Результаты хранятся ограниченное время. Проанализируйте партию заново.
jobs-changed = Сейчас это невозможно
jobs-changed-hint = Анализ тем временем изменился: посмотрите на него ещё раз.
jobs-full = Больше анализов сервер для вас не хранит
jobs-full-hint = Удалите ненужный и попробуйте ещё раз.
# The server says what is wrong, in a sentence between these two.
jobs-impossible = Сервер не может это проанализировать
jobs-impossible-hint = Исправьте то, что указал сервер, или анализируйте партию в этой вкладке.
jobs-not-now = Сервер сейчас не может анализировать
jobs-not-now-hint = Попробуйте позже или анализируйте партию в этой вкладке.
jobs-refused = Сервер ответил отказом
jobs-refused-hint = Попробуйте позже или обратитесь к администратору.

## The project beside the board

project = Проект
project-nameless = Проект без названия
# A button beside the engine: the position becomes a tree that the server works on.
project-keep = Сохранить этот анализ как проект
project-close = Закрыть проект
project-pause = Пауза
project-go-on = Продолжить
project-go-on-title = Исчерпанная часть лимита удваивается
project-progress = Сколько позиций из отведённых уже в дереве
# Searches for the tree of a project.
project-growing = { $count ->
    [one] Растёт: идёт { $count } поиск
    [few] Растёт: идут { $count } поиска
    [many] Растёт: идут { $count } поисков
   *[other] Растёт: идут { $count } поиска
}
project-queued = Ждёт свободного движка
project-paused = На паузе
# The reason is one of those below, or a sentence of the server in English.
project-paused-why = На паузе: { $reason }
project-finished = Завершён
project-finished-why = Завершён: { $reason }
project-building = Объединяется: рост продолжится, когда новое дерево будет готово
project-failed = Остановлен: сервер не сообщил причину
project-failed-why = Остановлен: { $reason }
# Reasons why a project does not grow.
project-cause-positions = в нём столько позиций, сколько было задано
project-cause-nodes = просмотрено столько узлов, сколько было задано
project-cause-cpu = потрачено столько времени процессора, сколько было задано
project-cause-until = его время вышло
project-cause-stable = лучший ход достаточно долго не менялся
project-cause-exhausted = искать больше нечего
project-cause-quota = в ваших проектах столько позиций, сколько разрешено
project-cause-engine = движки не могут искать для него
project-cause-damage = сервер не может прочитать то, что он о нём сохранил
project-positions = { $count ->
    [one] { $count } позиция
    [few] { $count } позиции
    [many] { $count } позиций
   *[other] { $count } позиции
}
# Of all searches; the number is short, like 5.2M.
project-nodes = { $nodes } узлов
project-cpu = { $time } времени процессора
project-unknown = Этой позиции нет в дереве.
project-add-position = Добавить её в дерево
project-to-root = К корню дерева
project-unsearched = ждёт своего поиска
project-checkmate = мат
project-stalemate = пат
project-dead-draw = ни одна сторона не может поставить мат
project-from-tablebase = из эндшпильной таблицы
project-search-failed = движки не справляются с этой позицией
# Of a value: it is a fact.
project-proven = доказано
project-own-search = собственный поиск: { $value }, глубина { $depth }
project-searching = сейчас идёт поиск
project-main-line = Главный вариант дерева
project-moves = Ходы дерева
project-all = Показать все ходы: { $count }
project-fewer = Показать только лучшие ходы
# The heads of columns have little room.
project-value = Оценка
project-value-title = Поднята из позиций после хода
project-own = Поиск
project-own-title = По поиску этой позиции
project-next-search = По поиску этой позиции; следующая исследована до глубины { $depth } ({ $nodes } узлов)
project-trend = Динамика
project-trend-words = Оценка по мере роста дерева: { $values }
project-height = Глубина
project-height-title = Полуходов до самой глубокой позиции после хода
project-size = Позиций
project-size-title = Позиций после хода
project-share = { $share } от всех после этой позиции
# Marks of a move, each a word: only this one and others with the mark are searched.
project-is-pinned = только
project-is-added = добавлен
project-is-excluded = исключён
# By repetition or the fifty-move rule.
project-is-repetition = ничья
# To a position before this one.
project-returns = ведёт назад
# Legal moves that no search has listed.
project-others = { $count ->
    [one] ещё { $count } ход
    [few] ещё { $count } хода
    [many] ещё { $count } ходов
   *[other] ещё { $count } хода
}
project-other-moves = Остальные ходы
# The growth of the tree: a menu follows.
project-steer = Управлять
project-steer-move = Управлять ходом { $move }
project-exclude = Исключить этот ход
project-include = Снова разрешить этот ход
project-pin = Только этот ход и другие с той же пометкой
project-unpin = Не только этот ход
project-deepen = Искать здесь глубже
project-add-move = Добавить этот ход в дерево
project-exclude-others = Исключить все остальные ходы
project-include-others = Снова разрешить остальные ходы
# What the user has done; an undo follows.
project-done-exclude = { $move }: исключён.
project-done-include = { $move }: снова разрешён.
project-done-pin = { $move }: только этот ход и другие с той же пометкой.
project-done-unpin = { $move }: больше не только этот ход.
project-done-add = { $move }: добавлен.
project-done-deepen = Поиск повторяется, узлов вчетверо больше.
project-undo = Отменить
# The last visit; the number of changes follows.
project-since = С { $date }:
project-changes = { $count ->
    [one] { $count } изменение
    [few] { $count } изменения
    [many] { $count } изменений
   *[other] { $count } изменения
}
project-grown = { $count ->
    [one] Добавлена { $count } позиция.
    [few] Добавлены { $count } позиции.
    [many] Добавлено { $count } позиций.
   *[other] Добавлено { $count } позиции.
}
project-root-best = Лучший ход в корне: вместо { $from } теперь { $to } ({ $before } → { $after })
project-root-value = Оценка в корне, при { $move }: { $before } → { $after }
project-change = После { $line }: теперь лучше всего { $move } ({ $value })
project-seen = Отметить как просмотренное
project-map = Карта дерева
# The first position of a tree.
project-root = корень
project-map-cell = { $line }: { $count ->
    [one] { $count } позиция
    [few] { $count } позиции
    [many] { $count } позиций
   *[other] { $count } позиции
}, { $value }
project-map-new-cell = { $line }: { $count ->
    [one] { $count } позиция
    [few] { $count } позиции
    [many] { $count } позиций
   *[other] { $count } позиции
}, { $value }, есть новые позиции
# Subtrees, with their positions.
project-map-largest = Крупнейшие: { $moves }.
project-map-newest = Новейшие: { $lines }.
project-map-keys = Ширина показывает число позиций, цвет — оценку: синий лучше для белых, чем корень, оранжевый — хуже; чем насыщеннее, тем новее. Стрелки ведут по дереву, Enter показывает позицию на доске.
project-table-white = Белые выигрывают по эндшпильной таблице, до которой полуходов: { $plies }
project-table-black = Чёрные выигрывают по эндшпильной таблице, до которой полуходов: { $plies }

## The window with the projects of the account

projects = Проекты
projects-title = Мои проекты
projects-asking = Запрос к серверу…
# Two sentences: what a project is, and how to begin one.
projects-none = Проект — это позиция, над которой сервер работает часами или ночами: дерево ходов, которое сохраняется. Поставьте позицию на доску и нажмите «Новый проект» или нажмите на закладку рядом с движком.
projects-go-on = Сервер продолжает работу, когда эта страница закрыта.
# positions and room are short numbers, like 5.2M.
projects-room = Проектов: { $count } из { $most }, позиций: { $positions } из { $room }
projects-all = Все проекты
projects-new = Новый проект
projects-settings-of = Настройки: { $name }
projects-export-of = Экспорт: { $name }
projects-copy-of = Копирование: { $name }
projects-merge-into = Присоединить проект: { $name }
projects-import-into = Добавить партии: { $name }
projects-changed = Изменён { $date }
# The value of the move follows.
projects-best = Лучший ход: { $move }
projects-settings = Настройки…
projects-export = Экспорт…
projects-more = Ещё…
projects-less = Меньше
projects-more-of = Ещё для { $name }
projects-copy = Копировать…
projects-merge = Присоединить…
projects-import = Добавить PGN…
projects-delete-question = { $count ->
    [one] Удалить вместе с { $count } позицией?
   *[other] Удалить вместе с { $count } позициями?
}
projects-name = Название
# After what the server says is wrong; its words are English.
projects-expected = Ожидается: { $expected }
projects-start = Позиция
projects-from-board = Та, что на доске, с ходами до неё и вариантами после неё
projects-from-fen = FEN
projects-from-pgn = Партия в PGN, ходы и варианты которой изучаются первыми
projects-engines = Движки
projects-options-of = { $count ->
    [0] Параметры { $engine }
   *[other] Параметры { $engine } (изменено: { $count })
}
projects-growth = Как он растёт
projects-for = Цель
projects-for-understanding = Понять позицию
projects-for-white = Репертуар за белых
projects-for-black = Репертуар за чёрных
projects-own-choice = Свой выбор
# The time that an engine takes for each position.
projects-effort = Каждая позиция
projects-quick = Быстро ({ $nodes } узлов)
projects-normal = Обычно ({ $nodes } узлов)
projects-deep = Глубоко ({ $nodes } узлов)
projects-own-nodes = Своё число
projects-nodes = Узлов на позицию
projects-seconds = Секунд на позицию, не более
projects-width = Ширина
projects-narrow = Узко
projects-rather-narrow = Скорее узко
projects-balanced = Средне
projects-rather-wide = Скорее широко
projects-wide = Широко
# cp: hundredths of a pawn.
projects-own-width = { $width } cp
projects-width-hint = Узкое дерево далеко продолжает лучшие ходы, широкое смотрит больше ходов, но не так далеко.
projects-each-side = Каждая сторона отдельно
projects-white-to-move = Ход белых
projects-black-to-move = Ход чёрных
# How many moves of a position get positions of their own.
projects-follow = Продолжать
projects-all-moves = все хорошие ходы
projects-best-moves = { $count ->
    [1] только лучший ход
    [one] { $count } лучший ход
    [few] { $count } лучших хода
   *[other] { $count } лучших ходов
}
projects-lines = Ходов сравнивает поиск
projects-end = Когда он закончится
projects-end-hint = При первом из этих условий; пустое поле — без ограничения. Продолжить можно в любое время.
projects-no-limit = без предела
projects-until-positions = Позиций в дереве
projects-until-nodes = Миллионов узлов
projects-until-hours = Часов процессора
projects-until-date = Дата и время
projects-until-stable = Позиций без смены лучшего хода
projects-begin = Начать
projects-format = Формат
projects-as-pgn = PGN с вариантами и оценками
projects-as-book = Дебютная книга (Polyglot)
projects-as-lines = Все позиции (NDJSON)
projects-plies = Полуходов, не более
projects-most-positions = Позиций, не более
projects-visits = Позиций за ходом, не менее
projects-download = Скачать
projects-addresses = Адреса для дебютных программ
projects-addresses-hint = Программа, которая обращается к chessdb.cn, может обращаться к этому проекту: она ставит FEN после адреса. Если сервер требует токен, он передаётся в заголовке Authorization.
projects-queryall = Все ходы (queryall)
projects-querypv = Главный вариант (querypv)
projects-address-copied = Адрес скопирован
# The name of a copy.
projects-copy-name = { $name } (копия)
projects-copy-hint = У копии те же движки и настройки. Она на паузе и закончится сама, только если вы скажете когда.
projects-copy-whole = Всё дерево
projects-copy-part = От позиции на доске
projects-make-copy = Копировать
projects-merge-none = Нет другого проекта, который можно присоединить.
projects-merge-hint = Позиции другого проекта добавляются, если его корень есть в этом дереве. Где позиция есть у обоих, важнее более долгий поиск. Другой проект остаётся.
projects-merge-from = Другой проект
projects-merge-now = Присоединить
projects-merged = Присоединено
projects-now = { $count ->
    [one] Теперь в дереве { $count } позиция.
    [few] Теперь в дереве { $count } позиции.
   *[other] Теперь в дереве { $count } позиций.
}
projects-import-hint = Ходы и варианты одной партии добавляются от корня и изучаются раньше всех остальных.
projects-import-now = Добавить
projects-imported = Добавлено
projects-added = { $count ->
    [0] Все позиции уже были в дереве.
    [one] Добавлена { $count } позиция.
    [few] Добавлены { $count } позиции.
   *[other] Добавлено { $count } позиций.
}

## Projects of the server

projects-gone = На сервере нет этого проекта
projects-gone-hint = Он удалён или принадлежит другой учётной записи.
projects-not-so = Сейчас это невозможно
projects-not-so-hint = Проект тем временем изменился: взгляните на него ещё раз.
projects-too-large = Это слишком много для сервера
# The server says what is wrong, in a sentence after this.
projects-impossible = Сервер не может этого сделать
projects-not-now = Сервер сейчас не может использовать свои проекты

## Files and games that are opened

file-empty = Файл «{ $name }» пуст: выберите текстовый файл с партиями (PGN) или позициями (FEN, EPD)
file-blank = В файле «{ $name }» одни пробелы: выберите текстовый файл с партиями (PGN) или позициями (FEN, EPD)
file-picture = «{ $name }» — картинка: выберите текстовый файл с партиями (PGN) или позициями (FEN, EPD)
file-sound = «{ $name }» — звук или видео: выберите текстовый файл с партиями (PGN) или позициями (FEN, EPD)
file-pdf = «{ $name }» — документ PDF: выберите текстовый файл с партиями (PGN) или позициями (FEN, EPD)
file-office = «{ $name }» — офисный документ: выберите текстовый файл с партиями (PGN) или позициями (FEN, EPD)
file-web-page = «{ $name }» — веб-страница: выберите текстовый файл с партиями (PGN) или позициями (FEN, EPD)
file-zip = «{ $name }» — архив ZIP: сначала распакуйте его, затем откройте файл с партиями
file-compressed = «{ $name }» — сжатый файл: сначала распакуйте его, затем откройте файл с партиями
file-database = «{ $name }» — база шахматной программы: выгрузите в ней партии в PGN и откройте его
file-binary = «{ $name }» — не текст: выберите текстовый файл с партиями (PGN) или позициями (FEN, EPD)
file-folder = «{ $name }» — папка или не читается: выберите текстовый файл с партиями (PGN) или позициями (FEN, EPD)

## Problems with the server and with engines

# A title, what to do (-hint), and a sentence (-text) where the server has sent none.
notice-unauthorized = { sign-in }
notice-unauthorized-hint = Попросите токен у администратора этого сервера.
notice-too-many-tries = Слишком много неверных токенов
notice-too-many-tries-hint = Подождите указанное время и попробуйте ещё раз.
notice-token-in-url = В адресе есть токен
notice-token-in-url-hint = Попросите его отозвать: его могли увидеть.
notice-wrong-host = Неверное имя сервера
notice-wrong-host-hint = Откройте страницу под собственным именем сервера.
notice-wrong-origin = Этой странице нельзя пользоваться сервером
notice-wrong-origin-hint = Откройте страницу с самого сервера.
notice-wrong-protocol = Этот порт — для UCI по TCP
notice-wrong-protocol-hint = Используйте другой порт.
notice-unknown-engine = Такого движка нет
notice-unknown-engine-hint = { notice-choose-engine }
notice-choose-engine = Выберите другой движок.
notice-engine-failed = Движок не запускается
notice-engine-failed-hint = Выберите другой движок или обратитесь к администратору.
notice-engine-failed-text = движок завершил работу
notice-engine-away = Компьютер движка не в сети
notice-engine-away-hint = Ждём его; можно выбрать другой движок.
notice-no-engine = Не удалось запустить движок
notice-no-engine-hint = Пробуем другой.
notice-engine-died = Движок аварийно завершился, запускаем новый
notice-line-too-long = Партия слишком длинна для отправки
notice-line-too-long-hint = { notice-later-position }
notice-later-position = Продолжите с более поздней позиции.
notice-line-too-long-text = в строке не больше 65536 байт
notice-not-a-line = Сервер не смог прочитать сообщение
notice-unknown-command = Неизвестная команда
notice-bad-command = Сервер не смог выполнить эту команду
notice-command-refused = Эта команда здесь недоступна
notice-file-refused = Файлы сервера недоступны
notice-unknown-option = У движка нет такого параметра
notice-option-refused = Этот параметр здесь нельзя изменить
notice-bad-value = Недопустимое значение параметра
notice-bad-value-hint = Осталось прежнее значение.
notice-option-clamped = Значение параметра уменьшено
notice-illegal-position = Сервер не принял эту позицию
notice-illegal-position-hint = Измените позицию.
notice-position-mended = Позиция исправлена
notice-position-too-long = В партии слишком много ходов
notice-position-too-long-hint = { notice-later-position }
notice-position-lost = Движок потерял позицию
notice-position-lost-hint = Задайте её снова.
notice-too-many-lines = { too-many-requests }
notice-too-many-lines-hint = { notice-wait-a-moment }
notice-wait-a-moment = Подождите немного.
notice-gap = Часть сообщений потеряна
notice-gap-hint = Движок начинает считать заново.
notice-unknown-session = Связь восстановлена
notice-unknown-session-text = На доске ничего не потеряно; движок начинает заново.
notice-ended = Администратор завершил сеанс
notice-ended-hint = Обратитесь к администратору или подключитесь снова.
notice-ended-text = он завершён администратором или по ограничению
notice-unknown-room = Такой комнаты нет
notice-unknown-room-hint = Попросите ссылку ещё раз.
notice-unknown-room-text = Возможно, её закрыли.
notice-room-full = Слишком много зрителей
notice-room-full-hint = { try-again-later }
notice-room-removed = Владелец удалил вас из комнаты
notice-room-too-slow = Отключено: страница отстала
notice-room-too-slow-hint = Войдите в комнату снова.
notice-room-read-only = Зрители не могут менять анализ
notice-room-handed-over = Теперь управляет другой
notice-room-refused = Сейчас в этой комнате это невозможно
notice-jobs-off = Этот сервер сам партии не анализирует
notice-jobs-off-hint = { notice-ask-operator }
notice-ask-operator = Обратитесь к администратору.
notice-quota-jobs = Больше анализов сохранить нельзя
notice-quota-jobs-hint = Удалите ненужный.
notice-quota-stored = Больше партий сохранить нельзя
notice-quota-stored-hint = Удалите ненужный анализ.
notice-games-off = На этом сервере нельзя делиться партиями
notice-games-off-hint = Обратитесь к администратору.
notice-quota-games = Больше ссылок на партии создать нельзя
notice-quota-games-hint = Отзовите ненужную ссылку.
notice-library-off = Этот сервер не хранит файлы
notice-library-off-hint = Они остаются в этом браузере.
notice-quota-library = На сервере больше нет места для ваших файлов
notice-quota-library-hint = Удалите там ненужный файл.
notice-projects-off = Этот сервер не ведёт проекты
notice-projects-off-hint = Обратитесь к администратору.
notice-quota-projects = Для новых проектов больше нет места
notice-quota-projects-hint = Удалите ненужный проект.
notice-quota-rooms = Больше комнат открыть нельзя
notice-quota-rooms-hint = Сначала закройте одну.
notice-cached = Позиция уже известна
notice-waiting = Ждём свободного движка
notice-no-search = Ни один движок не считал эту позицию
notice-no-search-hint = { try-again-later }
notice-queue-full = Свободных движков нет, очередь заполнена
notice-queue-full-hint = { try-again-later }
notice-quota-sessions = У вас открыто слишком много досок
notice-quota-sessions-hint = Сначала закройте другую доску или программу.
notice-quota-cpu = Лимит времени движка на этот час исчерпан
notice-quota-cpu-hint = В сообщении сказано, когда повторить.
notice-quota-lines = Сообщения отправляются слишком быстро
notice-quota-lines-hint = Ничего не потеряно.
notice-quota-search = Время счёта истекло
notice-quota-search-hint = Если нужно, запустите движок снова.
notice-quota-idle = Отключено из-за бездействия
notice-quota-idle-hint = Запустите движок, чтобы подключиться снова.
notice-quota-idle-text = какое-то время не было запросов
notice-too-many-connections = У сервера слишком много подключений
notice-too-many-connections-hint = Закройте другие доски или попробуйте позже.
notice-too-many-starts = Движки запускали слишком часто
notice-too-many-starts-hint = { notice-wait-a-moment }
notice-taken-over = Анализ продолжается в другом окне
notice-taken-over-hint = Подключитесь снова, чтобы начать здесь.
notice-taken-over-text = его продолжает другая страница

## The material, in words for screen readers

# The pieces that one side has and the other has not, as in “2 pawns and a knight more”.
words-extra-pieces = { $role ->
    [queen] { $count ->
        [one] ферзя
        [few] { $count } ферзей
       *[other] { $count } ферзей
    }
    [rook] { $count ->
        [one] ладью
        [few] { $count } ладьи
       *[other] { $count } ладей
    }
    [bishop] { $count ->
        [one] слона
        [few] { $count } слонов
       *[other] { $count } слонов
    }
    [knight] { $count ->
        [one] коня
        [few] { $count } коней
       *[other] { $count } коней
    }
   *[pawn] { $count ->
        [one] пешку
        [few] { $count } пешки
       *[other] { $count } пешек
    }
}
words-extra = больше на { $pieces }
# { $lead } is in points.
words-extra-ahead = { $lead ->
    [one] больше на { $pieces }, перевес { $lead } очко
    [few] больше на { $pieces }, перевес { $lead } очка
    [many] больше на { $pieces }, перевес { $lead } очков
   *[other] больше на { $pieces }, перевес { $lead } очка
}

## What the signs beside moves mean

# Words in the place of a sign, beside a move.
sign-only = единств.
sign-zugzwang = цугцванг
sign-better = лучше
sign-worse = хуже
sign-equivalent = равноценно
glyph-good-move = хороший ход
glyph-mistake = ошибка
glyph-brilliant-move = блестящий ход
glyph-blunder = зевок
glyph-interesting-move = интересный ход
glyph-dubious-move = сомнительный ход
glyph-forced-move = вынужденный ход
glyph-only-move = единственный ход
glyph-worst-move = худший ход
glyph-equal = равная позиция
glyph-equal-quiet = равная, спокойная позиция
glyph-equal-active = равная, активная позиция
glyph-unclear = неясная позиция
glyph-idea = с идеей
glyph-against-idea = против идеи
glyph-better-is = лучше
glyph-worse-is = хуже
glyph-equivalent-is = равноценно
glyph-remark-of-editor = примечание редактора
glyph-novelty = новинка
glyph-slightly-better = { $color ->
    [white] у белых чуть лучше
   *[black] у чёрных чуть лучше
}
glyph-side-better = { $color ->
    [white] у белых лучше
   *[black] у чёрных лучше
}
glyph-winning = { $color ->
    [white] у белых выиграно
   *[black] у чёрных выиграно
}
glyph-wins-easily = { $color ->
    [white] белые легко выигрывают
   *[black] чёрные легко выигрывают
}
glyph-zugzwang = { $color ->
    [white] белые в цугцванге
   *[black] чёрные в цугцванге
}
glyph-little-ahead-development = { $color ->
    [white] у белых небольшой перевес в развитии
   *[black] у чёрных небольшой перевес в развитии
}
glyph-far-ahead-development = { $color ->
    [white] у белых большой перевес в развитии
   *[black] у чёрных большой перевес в развитии
}
glyph-initiative = { $color ->
    [white] у белых инициатива
   *[black] у чёрных инициатива
}
glyph-lasting-initiative = { $color ->
    [white] у белых прочная инициатива
   *[black] у чёрных прочная инициатива
}
glyph-attacks = { $color ->
    [white] у белых атака
   *[black] у чёрных атака
}
glyph-too-little-material = { $color ->
    [white] у белых недостаточная компенсация за материал
   *[black] у чёрных недостаточная компенсация за материал
}
glyph-enough-material = { $color ->
    [white] у белых достаточная компенсация за материал
   *[black] у чёрных достаточная компенсация за материал
}
glyph-more-than-enough-material = { $color ->
    [white] у белых более чем достаточная компенсация за материал
   *[black] у чёрных более чем достаточная компенсация за материал
}
glyph-some-counterplay = { $color ->
    [white] у белых есть контригра
   *[black] у чёрных есть контригра
}
glyph-decisive-counterplay = { $color ->
    [white] у белых решающая контригра
   *[black] у чёрных решающая контригра
}
glyph-short-of-time = { $color ->
    [white] у белых мало времени
   *[black] у чёрных мало времени
}
glyph-severe-time-trouble = { $color ->
    [white] белые в сильном цейтноте
   *[black] чёрные в сильном цейтноте
}

## What a mistake has missed

# { $line } is like “Ra7 Kg8 Rb8#”.
missed-mate = { $moves ->
    [1] Был мат: { $line }.
    [one] Был мат в { $moves } ход: { $line }.
    [few] Был мат в { $moves } хода: { $line }.
    [many] Был мат в { $moves } ходов: { $line }.
   *[other] Был мат в { $moves } хода: { $line }.
}
missed-hanging = { $role ->
    [queen] Ферзь был без защиты: { $move }.
    [rook] Ладья была без защиты: { $move }.
    [bishop] Слон был без защиты: { $move }.
   *[knight] Конь был без защиты: { $move }.
}
# The two pieces that one move attacks.
missed-fork = { $pair ->
    [king-queen] { $move } — вилка на короля и ферзя: { $line }.
    [king-rook] { $move } — вилка на короля и ладью: { $line }.
    [king-bishop] { $move } — вилка на короля и слона: { $line }.
    [king-knight] { $move } — вилка на короля и коня: { $line }.
    [queen-queen] { $move } — вилка на двух ферзей: { $line }.
    [queen-rook] { $move } — вилка на ферзя и ладью: { $line }.
    [queen-bishop] { $move } — вилка на ферзя и слона: { $line }.
    [queen-knight] { $move } — вилка на ферзя и коня: { $line }.
    [rook-rook] { $move } — вилка на две ладьи: { $line }.
    [rook-bishop] { $move } — вилка на ладью и слона: { $line }.
    [rook-knight] { $move } — вилка на ладью и коня: { $line }.
    [bishop-bishop] { $move } — вилка на двух слонов: { $line }.
    [bishop-knight] { $move } — вилка на слона и коня: { $line }.
   *[knight-knight] { $move } — вилка на двух коней: { $line }.
}
# { $gained } and { $given } are lists of the two texts that follow: “a rook and 2 pawns”.
missed-win = { $move } выигрывает { $gained }: { $line }.
missed-win-for = { $move } выигрывает { $gained } за { $given }: { $line }.
missed-gained = { $role ->
    [queen] { $count ->
        [one] ферзя
        [few] { $count } ферзей
       *[other] { $count } ферзей
    }
    [rook] { $count ->
        [one] ладью
        [few] { $count } ладьи
       *[other] { $count } ладей
    }
    [bishop] { $count ->
        [one] слона
        [few] { $count } слонов
       *[other] { $count } слонов
    }
    [knight] { $count ->
        [one] коня
        [few] { $count } коней
       *[other] { $count } коней
    }
   *[pawn] { $count ->
        [one] пешку
        [few] { $count } пешки
       *[other] { $count } пешек
    }
}
missed-given = { missed-gained }
