# What the page shows first.

try-again = Inténtelo de nuevo.
language-not-loaded = No se pudo cargar el idioma
view-not-loaded = No se pudo cargar esta parte de la página
