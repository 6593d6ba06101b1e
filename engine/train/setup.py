"""Build of the package `train`; run by `make train`, in this folder.

It is no part of the distribution, so it has a setup.py of its own.
"""

import os
from pathlib import Path

from Cython.Build import cythonize
from setuptools import Extension, setup

# As in the setup.py of the engine, which says why.
FLAGS = ["-O3", "-march=native", "-fno-strict-aliasing", "-fno-ivopts", "-g1"]
# Sums may be taken in any order, and 64 bytes at once, where the processor can.
FAST = ["-ffast-math", "-mprefer-vector-width=512"]

setup(
    name="train",
    packages=["train"],
    package_dir={"train": "."},
    package_data={"train": ["truth.epd"]},
    options={"build_ext": {"parallel": os.cpu_count() or 1}},
    ext_modules=cythonize(
        [
            Extension(
                f"train.{header.stem}",
                [str(header.with_suffix(".py"))],
                extra_compile_args=FLAGS + (FAST if header.stem == "trainer" else []),
            )
            for header in sorted(Path().glob("*.pxd"))
        ],
        include_path=[".."],
        build_dir="../../build/train/c",
        compiler_directives={
            "language_level": 3,
            "boundscheck": False,
            "wraparound": False,
            "cdivision": True,
            "initializedcheck": False,
            "infer_types": True,
        },
    ),
)
