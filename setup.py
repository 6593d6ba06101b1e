"""Builds the compiled modules; everything else is in pyproject.toml.

Environment:
    ROOKERY_MARCH   what the C compiler may use of the processor: `native` (default,
                    for a build on the machine that runs it) or a level such as
                    `x86-64-v3` (for wheels and containers).
"""

import os
from pathlib import Path

from Cython.Build import cythonize
from setuptools import Extension, setup

PACKAGES = (Path("engine/rookery_engine"), Path("server/rookery_server"))
MARCH = os.environ.get("ROOKERY_MARCH", "native")


def extensions(package: Path) -> list[Extension]:
    """Return the modules of a package that are compiled.

    They are those with a `.pxd` header beside them: it holds the C signatures, and
    without one a module would build untyped and slow.
    """
    return [
        Extension(
            ".".join(header.with_suffix("").relative_to(package.parent).parts),
            [str(header.with_suffix(".py"))],
            # Debian's python3 carries -O2, at which the hot loops are 8 x slower.
            # gcc 12 with the -fwrapv that Python also carries lost all the stores of a
            # loop whose addresses "ivopts" had rewritten: the bench then differed from
            # run to run, and the moves were badly ordered.
            extra_compile_args=["-O3", f"-march={MARCH}", "-fno-strict-aliasing", "-fno-ivopts"],
            depends=[str(path) for path in package.rglob("*.pxd")],
        )
        for header in sorted(package.rglob("*.pxd"))
        if header.with_suffix(".py").exists()
    ]


setup(
    options={"build_ext": {"parallel": os.cpu_count() or 1}},
    ext_modules=cythonize(
        [extension for package in PACKAGES for extension in extensions(package)],
        include_path=[str(package.parent) for package in PACKAGES],
        build_dir="build/cython",
        compiler_directives={
            "language_level": 3,
            "boundscheck": False,
            "wraparound": False,
            "cdivision": True,
            "initializedcheck": False,
            # C types follow from what is assigned, so locals need no declarations.
            "infer_types": True,
        },
    ),
)
