"""Builds the compiled core of the engine; everything else is in pyproject.toml.

Environment:
    ROOKERY_MARCH   what the C compiler may use of the processor: `native` (default,
                    for a build on the machine that runs it) or a level such as
                    `x86-64-v3` (for wheels and containers).
"""

import os
from pathlib import Path

from Cython.Build import cythonize
from setuptools import Extension, setup

# A module is compiled when it has a `.pxd` header beside it: the header holds
# its C signatures, and without one a module would build untyped and slow.
CORE = Path("engine/rookery_engine")
MARCH = os.environ.get("ROOKERY_MARCH", "native")

extensions = [
    Extension(
        f"rookery_engine.{header.stem}",
        [str(header.with_suffix(".py"))],
        # Debian's python3 carries -O2, at which the hot loops are 8 x slower.
        extra_compile_args=["-O3", f"-march={MARCH}", "-fno-strict-aliasing"],
        depends=[str(path) for path in CORE.glob("*.pxd")],
    )
    for header in sorted(CORE.glob("*.pxd"))
    if header.with_suffix(".py").exists()
]

setup(
    ext_modules=cythonize(
        extensions,
        include_path=["engine"],
        build_dir="build/cython",
        compiler_directives={
            "language_level": 3,
            "boundscheck": False,
            "wraparound": False,
            "cdivision": True,
            "initializedcheck": False,
        },
    )
    if extensions
    else []
)
