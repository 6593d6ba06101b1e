"""Compiler, versions and processor features of the compiled core."""

COMPILER = _COMPILER.decode()
CYTHON = f"{_CYTHON_HEX >> 24}.{_CYTHON_HEX >> 16 & 255}.{_CYTHON_HEX >> 8 & 255}"
PYTHON = _PYTHON.decode()
ARCHITECTURE = _ARCHITECTURE.decode()
FEATURES = tuple(_FEATURES.decode().split())
