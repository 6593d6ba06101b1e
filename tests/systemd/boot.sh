#!/bin/sh
# A systemd as process 1 of namespaces of its own (`unshare -m -p -f -u -i -C -n`), which starts
# hardly anything.  boot.sh FOLDER: it has the `etc` and `opt` that are laid over the machine's, and
# in `base` the few units of systemd's own.
set -eu
mount --make-rprivate /
mount -t proc proc /proc
mount -t tmpfs tmpfs /run
mount -t tmpfs tmpfs /var/lib
umount -R /sys/fs/cgroup
mount -t cgroup2 cgroup2 /sys/fs/cgroup
mount --bind "$1/etc" /etc
mount --bind "$1/opt" /opt
ip link set lo up
export container=other SYSTEMD_UNIT_PATH="/etc/systemd/system:$1/base"
exec /lib/systemd/systemd --system --unit=sysinit.target --log-target=null --show-status=0
