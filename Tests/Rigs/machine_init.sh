#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# The init of the virtual machine. Its root directory is that of the host machine, with an overlay in memory, so that writes do
# not reach the host. The init then runs /rig/run. /tmp is shared, too, because the project may be there; /run is empty.
bb=/bin/busybox
$bb mount -t proc proc /proc
$bb mount -t sysfs sys /sys
$bb mount -t devtmpfs dev /dev
# The parameters of a module are several words, so $words must not be quoted.
# shellcheck disable=SC2086
while read -r module words; do $bb insmod "/m/$module" $words; done </m/order
nine=trans=virtio,version=9p2000.L,msize=524288
$bb mount -t 9p -o "ro,$nine,cache=loose" root /lower || exec $bb poweroff -f
$bb mount -t tmpfs -o mode=755 up /up
$bb mkdir /up/u /up/w
$bb mount -t overlay -o lowerdir=/lower,upperdir=/up/u,workdir=/up/w overlay /new || exec $bb poweroff -f
$bb mkdir -p /new/rig
$bb mount -t 9p -o "rw,$nine,cache=none" work /new/rig
for place in proc sys dev; do $bb mount -o move "/$place" "/new/$place"; done
$bb mkdir -p /new/dev/shm /new/dev/pts
$bb mount -t devpts -o gid=5,mode=620,ptmxmode=666 pts /new/dev/pts
$bb mount -t tmpfs -o mode=1777 shm /new/dev/shm
$bb mount -t tmpfs -o mode=755 run /new/run
$bb ln -s /proc/self/fd /new/dev/fd
for stream in stdin:0 stdout:1 stderr:2; do $bb ln -s "/proc/self/fd/${stream#*:}" "/new/dev/${stream%%:*}"; done
$bb mount -t cgroup2 -o nsdelegate cg /new/sys/fs/cgroup
exec $bb switch_root /new /bin/bash /rig/run
