"""Builds the compiled modules; everything else is in pyproject.toml.

Environment:
    ROOKERY_MARCH   what the C compiler may use of the processor.  `native` (default): all
                    that this machine has.  `portable`, for wheels and containers: what every
                    processor of the kind has, and the engine a second time for the newer ones,
                    of which `rookery_engine.shell.cpu_dispatch` takes one at each start.  Or a
                    level such as `x86-64-v3`.
    ROOKERY_CFLAGS  more options of the C compiler, which override ours, such as `-O1`.
"""

import os
import shlex
import shutil
import sysconfig
from pathlib import Path

from Cython.Build import cythonize
from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext
from setuptools.command.build_py import build_py

ENGINE = Path("engine/rookery_engine")
PACKAGES = (ENGINE, Path("server/rookery_server"))
GENERATED = "build/cython"
MARCH = os.environ.get("ROOKERY_MARCH", "native")
IS_X86 = sysconfig.get_platform().endswith(("x86_64", "amd64"))
# The second time, and the folder beside the modules that cpu_dispatch.py knows.
FAST_MARCH, FAST_FOLDER = "x86-64-v3", "x86_64_v3"


def flags(march: str | None) -> list[str]:
    """Return the compiler's options; None is what every processor has."""
    return [
        # Debian's python3 carries -O2, at which the hot loops are 8 x slower.
        # gcc 12 with the -fwrapv that Python also carries lost all the stores of a
        # loop whose addresses "ivopts" had rewritten: the bench then differed from
        # run to run, and the moves were badly ordered.
        *("-O3", "-fno-strict-aliasing", "-fno-ivopts"),
        *([f"-march={march}"] if march else []),
        # gcc halves the vectors of AVX-512 otherwise: an evaluation takes 1.5 x as long.
        *(["-mprefer-vector-width=512"] if IS_X86 else []),
        # What is given to others is a third as large without debugging information. Here lines and
        # functions are enough for profilers: all that a debugger likes takes a quarter longer.
        "-g0" if MARCH == "portable" else "-g1",
        *shlex.split(os.environ.get("ROOKERY_CFLAGS", "")),
    ]


def extensions(package: Path) -> list[Extension]:
    """Return the modules of a package that are compiled.

    They are those with a `.pxd` header beside them: it holds the C signatures, and
    without one a module would build untyped and slow.
    """
    march = ("x86-64" if IS_X86 else None) if MARCH == "portable" else MARCH
    return [
        Extension(
            ".".join(header.with_suffix("").relative_to(package.parent).parts),
            [str(header.with_suffix(".py"))],
            extra_compile_args=flags(march),
            depends=[str(path) for path in package.rglob("*.pxd")],
        )
        for header in sorted(package.rglob("*.pxd"))
        if header.with_suffix(".py").exists()
    ]


def second(extension: Extension) -> Extension:
    """Return a module of the engine once more, for the newer processors."""
    package, _, name = extension.name.rpartition(".")
    [source] = extension.sources
    # A folder of its own, for the object files are named after the sources.
    copy = Path(GENERATED, FAST_FOLDER, *package.split("."), Path(source).name)
    copy.parent.mkdir(parents=True, exist_ok=True)
    shutil.copy2(source, copy)
    return Extension(
        f"{package}.{FAST_FOLDER}.{name}", [str(copy)], extra_compile_args=flags(FAST_MARCH)
    )


class Build(build_ext):
    """Compiles with clang on Windows, for the engine's C wants gcc or clang (`system.pxd`)."""

    def run(self) -> None:
        """Build, unless a second build would be left among the sources and be taken later."""
        if self.inplace and MARCH == "portable":
            raise SystemExit("ROOKERY_MARCH=portable is for wheels: leave it out for this machine")
        super().run()

    def build_extensions(self) -> None:
        """Build all modules."""
        if self.compiler.compiler_type == "msvc":
            self.compiler.initialize()
            self.compiler.cc = "clang-cl"
            for extension in self.extensions:
                extension.extra_compile_args = [
                    each if each.startswith("-march") else f"/clang:{each}"
                    for each in extension.extra_compile_args
                ]
        super().build_extensions()


class Collect(build_py):
    """Leaves out what a former build has left behind: setuptools would pack that, too.

    So would come two networks, of which the engine takes neither, or a module that is no more.
    """

    def run(self) -> None:
        """Collect what belongs to the package, and nothing else."""
        super().run()
        if self.editable_mode:
            return
        compiled = self.get_finalized_command("build_ext")
        kept = {
            *(Path(path) for path in self.get_outputs(include_bytecode=False)),
            *(
                Path(self.build_lib, Path(path).relative_to(compiled.build_lib))
                for path in compiled.get_outputs()
            ),
        }
        for package in self.packages:
            for path in Path(self.build_lib, *package.split(".")).glob("**/*"):
                if path.is_file() and path not in kept:
                    path.unlink()


modules = cythonize(
    [extension for package in PACKAGES for extension in extensions(package)],
    include_path=[str(package.parent) for package in PACKAGES],
    build_dir=GENERATED,
    compiler_directives={
        "language_level": 3,
        "boundscheck": False,
        "wraparound": False,
        "cdivision": True,
        "initializedcheck": False,
        # C types follow from what is assigned, so locals need no declarations.
        "infer_types": True,
    },
)
if MARCH == "portable" and IS_X86:
    modules += [second(each) for each in modules if each.name.startswith(f"{ENGINE.name}.")]

setup(
    cmdclass={"build_ext": Build, "build_py": Collect},
    options={"build_ext": {"parallel": os.cpu_count() or 1}},
    ext_modules=modules,
)
