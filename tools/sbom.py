"""Say what a release is made of, in CycloneDX 1.6: `python tools/sbom.py wheel|image WHAT FILE`.

WHAT is the wheel's path, or the image's name (of docker or podman; CONTAINER names another
program).  cyclonedx-py reads the Python packages; added are those of npm, which are bundled into
the page, and those of Debian, which are the rest of the image.
"""

import email
import json
import os
import shutil
import subprocess
import sys
import tarfile
import tempfile
from importlib.metadata import version
from pathlib import Path

from cyclonedx.model.bom import Bom
from cyclonedx.model.component import Component, ComponentScope, ComponentType
from cyclonedx.output.json import JsonV1Dot6
from cyclonedx.schema import SchemaVersion
from cyclonedx.validation.json import JsonStrictValidator
from packageurl import PackageURL

LOCK = Path("server/web/package-lock.json")
# Where an image of docker/Dockerfile has what it is made of.
PACKAGES = "opt/rookery/lib/"
DEBIAN = ("var/lib/dpkg/status", "usr/lib/os-release")


def main():
    kind, what, target = sys.argv[1:]
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        if kind == "wheel":
            bom = of_wheel(Path(what), folder)
        elif kind == "image":
            bom = of_image(what, folder)
        else:
            sys.exit("sbom.py: `wheel` or `image`, and not %r" % kind)
    text = JsonV1Dot6(bom).output_as_string(indent=2)
    if error := JsonStrictValidator(SchemaVersion.V1_6).validate_str(text):
        sys.exit("sbom.py: what was made is not valid: %s" % error)
    Path(target).parent.mkdir(parents=True, exist_ok=True)
    Path(target).write_text(text + "\n", encoding="utf-8")
    print("%s: %d components" % (target, len(bom.components)))


def of_wheel(wheel, folder):
    command = [sys.executable, "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
    command += ["--no-compile", "--target", str(folder), str(wheel)]
    subprocess.run(command, check=True)
    return whole(folder, [])


def of_image(image, folder):
    program = os.environ.get("CONTAINER") or shutil.which("docker") or shutil.which("podman")
    if not program:
        sys.exit("sbom.py: neither docker nor podman is there; CONTAINER names another program")
    made = subprocess.run([program, "create", image], check=True, capture_output=True, text=True)
    container = made.stdout.split()[-1]
    try:
        with subprocess.Popen([program, "export", container], stdout=subprocess.PIPE) as export:
            with tarfile.open(fileobj=export.stdout, mode="r|") as archive:
                archive.extractall(folder, wanted(archive), filter="data")
            export.stdout.read()  # what is behind the end of the archive
    finally:
        subprocess.run([program, "rm", container], check=True, stdout=subprocess.DEVNULL)
    [packages] = (folder / PACKAGES).glob("python3*/site-packages")
    return whole(packages, debian(folder))


def wanted(archive):
    """Yield the records of what is installed, which is a small part of it."""
    for member in archive:
        name = member.name.removeprefix("./")
        if member.isfile() and (name in DEBIAN or (PACKAGES in name and ".dist-info/" in name)):
            yield member


def whole(packages, more):
    """Return the Python packages in a folder, those of npm, and more."""
    bom = python(packages)
    bom.metadata.component.version = version("rookery-chess")
    bom.metadata.component.purl = PackageURL(
        "pypi", None, "rookery-chess", version("rookery-chess")
    )
    bom.components.update([*npm(), *more])
    bom.register_dependency(bom.metadata.component, bom.components)
    return bom


def python(packages):
    command = [sys.executable, "-m", "cyclonedx_py", "environment", "-S"]
    command += ["--pyproject", "pyproject.toml", "--output-reproducible", "--of", "JSON"]
    command.append(sys.executable)
    environment = {**os.environ, "PYTHONPATH": str(packages)}
    done = subprocess.run(command, check=True, stdout=subprocess.PIPE, env=environment)
    return Bom.from_json(json.loads(done.stdout))


def npm():
    """Yield what is bundled into the page: all of the lock file that is not only for building."""
    for path, package in json.loads(LOCK.read_text(encoding="utf-8"))["packages"].items():
        if path and not package.get("dev") and not package.get("optional"):
            group, _, name = path.rpartition("node_modules/")[2].rpartition("/")
            yield component("npm", name, package["version"], group)


def debian(folder):
    """Yield the packages of the image's system."""
    text = (folder / DEBIAN[1]).read_text(encoding="utf-8")
    release = dict(line.split("=", 1) for line in text.splitlines() if "=" in line)
    distribution = "%s-%s" % (release["ID"], release.get("VERSION_ID", "").strip('"'))
    status = (folder / DEBIAN[0]).read_text(encoding="utf-8", errors="replace")
    for paragraph in status.strip().split("\n\n"):
        fields = email.message_from_string(paragraph)
        if fields["Status"].endswith(" installed"):
            more = {"arch": fields["Architecture"], "distro": distribution}
            yield component("deb", fields["Package"], fields["Version"], release["ID"], more)


def component(kind, name, number, group, qualifiers=None):
    url = PackageURL(kind, group or None, name, number, qualifiers)
    return Component(
        name=name,
        version=number,
        group=group or None,
        type=ComponentType.LIBRARY,
        scope=ComponentScope.REQUIRED,
        purl=url,
        bom_ref=url.to_string(),
    )


if __name__ == "__main__":
    main()
