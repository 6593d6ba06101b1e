#!/bin/sh
# What docs/operations.md has an operator do, in a mount namespace of its own.
# install.sh FOLDER CHECKOUT
set -eu
mount --make-rprivate /
mount --bind "$1/etc" /etc
mount --bind "$1/opt" /opt
cd "$2"
/usr/bin/python3 -m venv /opt/rookery
/opt/rookery/bin/pip install --quiet --disable-pip-version-check .
id rookery >/dev/null 2>&1 || useradd --system rookery
install -m 0644 server/systemd/rookery* /etc/systemd/system/
install -d -m 0750 -g rookery /etc/rookery
cat > /etc/rookery/rookery.toml <<END
[engines.stockfish]
command = "/usr/games/stockfish"

[engines.rookery]
command = "/opt/rookery/bin/rookery-engine"
END
chgrp rookery /etc/rookery/rookery.toml
chmod 0640 /etc/rookery/rookery.toml
