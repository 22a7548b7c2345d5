// SPDX-License-Identifier: Apache-2.0

extension CallSignature {
  /// The calls from a to l, one in each line: the name, then each parameter with its kind. The prefix `=`
  /// means one value of a family, and `|` means flags of a family.
  ///
  /// From the kernel's declarations of the calls.
  static let firstHalf = """
    _sysctl args:ptr
    accept fd:fd address:ptr length:ptr
    accept4 fd:fd address:ptr length:ptr flags:|socketType
    access path:path mode:int
    acct path:path
    add_key type:text description:text payload:ptr length:size keyring:=keyring
    adjtimex buffer:ptr
    afs_syscall
    alarm seconds:int
    arch_prctl option:=archPrctl address:hex
    bind fd:fd address:sockaddr length:int
    bpf command:=bpf attributes:ptr size:size
    brk address:hex
    cachestat fd:fd range:ptr result:ptr flags:hex32
    capget header:ptr data:ptr
    capset header:ptr data:ptr
    chdir path:path
    chmod path:path mode:mode
    chown path:path owner:int group:int
    chroot path:path
    clock_adjtime clock:=clock buffer:ptr
    clock_getres clock:=clock result:ptr
    clock_gettime clock:=clock time:ptr
    clock_nanosleep clock:=clock flags:hex32 request:ptr remaining:ptr
    clock_settime clock:=clock time:ptr
    clone flags:clone stack:ptr parent_tid:ptr child_tid:ptr tls:ptr
    clone3 arguments:cloneargs size:size
    close fd:fd
    close_range first:int last:int flags:hex32
    connect fd:fd address:sockaddr length:int
    copy_file_range in:fd in_offset:ptr out:fd out_offset:ptr length:size flags:hex32
    creat path:path mode:mode
    create_module name:text size:size
    delete_module name:text flags:|open
    dup fd:fd
    dup2 fd:fd new:fd
    dup3 fd:fd new:fd flags:|open
    epoll_create size:int
    epoll_create1 flags:|open
    epoll_ctl epoll:fd operation:int fd:fd event:ptr
    epoll_pwait epoll:fd events:ptr count:int timeout:int mask:ptr size:size
    epoll_pwait2 epoll:fd events:ptr count:int timeout:ptr mask:ptr size:size
    epoll_wait epoll:fd events:ptr count:int timeout:int
    eventfd value:int
    eventfd2 value:int flags:|open
    execve path:path arguments:ptr environment:ptr
    execveat directory:dir path:path arguments:ptr environment:ptr flags:|at
    exit code:int
    exit_group code:int
    faccessat directory:dir path:path mode:int
    faccessat2 directory:dir path:path mode:int flags:|at
    fadvise64 fd:fd offset:long length:size advice:int
    fallocate fd:fd mode:int offset:long length:long
    fanotify_init flags:hex32 event_flags:|open
    fanotify_mark fd:fd flags:hex32 mask:hex directory:dir path:path
    fchdir fd:fd
    fchmod fd:fd mode:mode
    fchmodat directory:dir path:path mode:mode
    fchmodat2 directory:dir path:path mode:mode flags:|at
    fchown fd:fd owner:int group:int
    fchownat directory:dir path:path owner:int group:int flags:|at
    fcntl fd:fd command:=fcntl argument:hex
    fdatasync fd:fd
    fgetxattr fd:fd name:text value:ptr size:size
    file_getattr directory:dir path:path attributes:ptr size:size flags:|at
    file_setattr directory:dir path:path attributes:ptr size:size flags:|at
    finit_module fd:fd parameters:text flags:hex32
    flistxattr fd:fd list:ptr size:size
    flock fd:fd operation:int
    fork
    fremovexattr fd:fd name:text
    fsconfig fd:fd command:=fsconfigCommand key:text value:ptr aux:int
    fsetxattr fd:fd name:text value:ptr size:size flags:hex32
    fsmount fd:fd flags:hex32 attributes:hex32
    fsopen type:text flags:hex32
    fspick directory:dir path:path flags:hex32
    fstat fd:fd result:ptr
    fstatfs fd:fd result:ptr
    fsync fd:fd
    ftruncate fd:fd length:long
    futex address:ptr operation:int value:int timeout:ptr address2:ptr value3:int
    futex_requeue waiters:ptr flags:hex32 wake:int requeue:int
    futex_wait address:ptr value:hex mask:hex flags:hex32 timeout:ptr clock:=clock
    futex_waitv waiters:ptr count:int flags:hex32 timeout:ptr clock:=clock
    futex_wake address:ptr mask:hex count:int flags:hex32
    futimesat directory:dir path:path times:ptr
    get_mempolicy mode:ptr mask:ptr maxnode:size address:ptr flags:hex32
    get_robust_list pid:pid head:ptr length:ptr
    getcpu cpu:ptr node:ptr cache:ptr
    getcwd buffer:ptr size:size
    getdents fd:fd entries:ptr size:int
    getdents64 fd:fd entries:ptr size:int
    getegid
    geteuid
    getgid
    getgroups size:int list:ptr
    getitimer which:int value:ptr
    getpeername fd:fd address:ptr length:ptr
    getpgid pid:pid
    getpgrp
    getpid
    getppid
    getpriority which:int who:int
    getrandom buffer:ptr size:size flags:hex32
    getresgid real:ptr effective:ptr saved:ptr
    getresuid real:ptr effective:ptr saved:ptr
    getrlimit resource:=resource limit:ptr
    getrusage who:int usage:ptr
    getsid pid:pid
    getsockname fd:fd address:ptr length:ptr
    getsockopt fd:fd level:=socketLevel option:int value:ptr length:ptr
    gettid
    gettimeofday time:ptr zone:ptr
    getuid
    getxattr path:path name:text value:ptr size:size
    getxattrat directory:dir path:path flags:|at name:text arguments:ptr size:size
    init_module image:ptr length:size parameters:text
    inotify_add_watch fd:fd path:path mask:hex32
    inotify_init
    inotify_init1 flags:|open
    inotify_rm_watch fd:fd watch:int
    io_cancel context:hex request:ptr result:ptr
    io_destroy context:hex
    io_getevents context:hex minimum:long count:long events:ptr timeout:ptr
    io_pgetevents context:hex minimum:long count:long events:ptr timeout:ptr mask:ptr
    io_setup count:int context:ptr
    io_submit context:hex count:long requests:ptr
    io_uring_enter fd:fd submit:int complete:int flags:hex32 mask:ptr size:size
    io_uring_register fd:fd operation:int argument:ptr count:int
    io_uring_setup entries:int parameters:ptr
    ioctl fd:fd request:=request argument:hex
    ioperm from:hex count:size on:int
    iopl level:int
    ioprio_get which:int who:int
    ioprio_set which:int who:int priority:int
    kcmp first:pid second:pid type:int index1:hex index2:hex
    kexec_file_load kernel:fd initrd:fd length:size command_line:text flags:hex32
    kexec_load entry:hex count:size segments:ptr flags:hex
    keyctl operation:=keyctl argument2:hex argument3:hex argument4:hex argument5:hex
    kill pid:pid signal:=signal
    landlock_add_rule ruleset:fd type:int rule:ptr flags:hex32
    landlock_create_ruleset attributes:ptr size:size flags:hex32
    landlock_restrict_self ruleset:fd flags:hex32
    lchown path:path owner:int group:int
    lgetxattr path:path name:text value:ptr size:size
    link path:path new:path
    linkat directory:dir path:path new_directory:dir new:path flags:|at
    listen fd:fd backlog:int
    listmount request:ptr ids:ptr count:size flags:hex32
    listns request:ptr ids:ptr count:size flags:hex32
    listxattr path:path list:ptr size:size
    listxattrat directory:dir path:path flags:|at list:ptr size:size
    llistxattr path:path list:ptr size:size
    lookup_dcookie cookie:hex buffer:ptr size:size
    lremovexattr path:path name:text
    lseek fd:fd offset:long whence:int
    lsetxattr path:path name:text value:ptr size:size flags:hex32
    lsm_get_self_attr attribute:int context:ptr size:ptr flags:hex32
    lsm_list_modules ids:ptr size:ptr flags:hex32
    lsm_set_self_attr attribute:int context:ptr size:int flags:hex32
    lstat path:path result:ptr
    """
}
