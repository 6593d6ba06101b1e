# What the page shows first.

try-again = Попробуйте ещё раз.
language-not-loaded = Не удалось загрузить язык
view-not-loaded = Не удалось загрузить эту часть страницы
