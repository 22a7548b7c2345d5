// SPDX-License-Identifier: Apache-2.0

extension CallSignature {
  /// The calls from m to z, one in each line: the name, then each parameter with its kind. The prefix `=`
  /// means one value of a family, and `|` means flags of a family.
  ///
  /// From the kernel's declarations of the calls.
  static let secondHalf = """
    madvise address:ptr length:size advice:int
    map_shadow_stack address:hex size:size flags:hex32
    mbind address:ptr length:size mode:int mask:ptr maxnode:size flags:hex32
    membarrier command:int flags:hex32 cpu:int
    memfd_create name:text flags:|memfd
    memfd_secret flags:|open
    migrate_pages pid:pid maxnode:size from:ptr to:ptr
    mincore address:ptr length:size result:ptr
    mkdir path:path mode:mode
    mkdirat directory:dir path:path mode:mode
    mknod path:path mode:filetype device:dev
    mknodat directory:dir path:path mode:filetype device:dev
    mlock address:ptr length:size
    mlock2 address:ptr length:size flags:hex32
    mlockall flags:|lockAll
    mmap address:ptr length:size protection:|protection flags:|map fd:fd offset:long
    modify_ldt function:int data:ptr size:size
    mount source:text target:path type:text flags:|mount data:ptr
    mount_setattr directory:dir path:path flags:|at attributes:ptr size:size
    move_mount directory:dir path:path new_directory:dir new:path flags:|moveMount
    move_pages pid:pid count:size pages:ptr nodes:ptr status:ptr flags:hex32
    mprotect address:ptr length:size protection:|protection
    mq_getsetattr queue:fd new:ptr old:ptr
    mq_notify queue:fd event:ptr
    mq_open name:text flags:|open mode:mode attributes:ptr
    mq_timedreceive queue:fd message:ptr size:size priority:ptr timeout:ptr
    mq_timedsend queue:fd message:ptr size:size priority:int timeout:ptr
    mq_unlink name:text
    mremap address:ptr size:size new_size:size flags:hex32 new_address:ptr
    mseal address:ptr length:size flags:hex32
    msgctl id:int command:int buffer:ptr
    msgget key:hex32 flags:|ipc
    msgrcv id:int message:ptr size:size type:long flags:|ipc
    msgsnd id:int message:ptr size:size flags:|ipc
    msync address:ptr length:size flags:hex32
    munlock address:ptr length:size
    munlockall
    munmap address:ptr length:size
    name_to_handle_at directory:dir path:path handle:ptr mount:ptr flags:|at
    nanosleep request:ptr remaining:ptr
    newfstatat directory:dir path:path result:ptr flags:|at
    open path:path flags:|open mode:createmode
    open_by_handle_at mount:fd handle:ptr flags:|open
    open_tree directory:dir path:path flags:|openTree
    open_tree_attr directory:dir path:path flags:|openTree attributes:ptr size:size
    openat directory:dir path:path flags:|open mode:createmode
    openat2 directory:dir path:path how:openhow size:size
    pause
    perf_event_open attributes:perf pid:pid cpu:int group:fd flags:|perfFlags
    personality persona:persona
    pidfd_getfd pidfd:fd fd:fd flags:hex32
    pidfd_open pid:pid flags:|open
    pidfd_send_signal pidfd:fd signal:=signal information:ptr flags:hex32
    pipe fds:ptr
    pipe2 fds:ptr flags:|open
    pivot_root new:path old:path
    pkey_alloc flags:hex32 rights:hex32
    pkey_free key:int
    pkey_mprotect address:ptr length:size protection:|protection key:int
    poll fds:ptr count:int timeout:int
    ppoll fds:ptr count:int timeout:ptr mask:ptr size:size
    prctl option:=prctl argument2:hex argument3:hex argument4:hex argument5:hex
    pread64 fd:fd buffer:ptr count:size offset:long
    preadv fd:fd vectors:ptr count:int offset:long
    preadv2 fd:fd vectors:ptr count:int offset:long high:long flags:hex32
    prlimit64 pid:pid resource:=resource new:ptr old:ptr
    process_madvise pidfd:fd vectors:ptr count:size advice:int flags:hex32
    process_mrelease pidfd:fd flags:hex32
    process_vm_readv pid:pid local:ptr local_count:size remote:ptr remote_count:size flags:hex32
    process_vm_writev pid:pid local:ptr local_count:size remote:ptr remote_count:size flags:hex32
    pselect6 count:int read:ptr write:ptr except:ptr timeout:ptr mask:ptr
    ptrace request:=ptrace pid:pid address:ptr data:ptr
    pwrite64 fd:fd buffer:ptr count:size offset:long
    pwritev fd:fd vectors:ptr count:int offset:long
    pwritev2 fd:fd vectors:ptr count:int offset:long high:long flags:hex32
    quotactl command:hex32 special:text id:int address:ptr
    quotactl_fd fd:fd command:hex32 id:int address:ptr
    read fd:fd buffer:ptr count:size
    readahead fd:fd offset:long count:size
    readlink path:path buffer:ptr size:int
    readlinkat directory:dir path:path buffer:ptr size:int
    readv fd:fd vectors:ptr count:int
    reboot magic1:hex32 magic2:hex32 command:=reboot argument:ptr
    recvfrom fd:fd buffer:ptr size:size flags:hex32 address:ptr length:ptr
    recvmmsg fd:fd messages:ptr count:int flags:hex32 timeout:ptr
    recvmsg fd:fd message:ptr flags:hex32
    remap_file_pages address:ptr size:size protection:|protection offset:size flags:|map
    removexattr path:path name:text
    removexattrat directory:dir path:path flags:|at name:text
    rename path:path new:path
    renameat directory:dir path:path new_directory:dir new:path
    renameat2 directory:dir path:path new_directory:dir new:path flags:|rename
    request_key type:text description:text callout:text keyring:=keyring
    restart_syscall
    rmdir path:path
    rseq area:ptr length:int flags:hex32 signature:hex32
    rt_sigaction signal:=signal action:ptr old:ptr size:size
    rt_sigpending set:ptr size:size
    rt_sigprocmask how:int set:ptr old:ptr size:size
    rt_sigqueueinfo pid:pid signal:=signal information:ptr
    rt_sigreturn
    rt_sigsuspend mask:ptr size:size
    rt_sigtimedwait set:ptr information:ptr timeout:ptr size:size
    rt_tgsigqueueinfo process:pid thread:pid signal:=signal information:ptr
    sched_get_priority_max policy:=scheduler
    sched_get_priority_min policy:=scheduler
    sched_getaffinity pid:pid size:int mask:ptr
    sched_getattr pid:pid attributes:ptr size:int flags:hex32
    sched_getparam pid:pid parameters:ptr
    sched_getscheduler pid:pid
    sched_rr_get_interval pid:pid interval:ptr
    sched_setaffinity pid:pid size:int mask:ptr
    sched_setattr pid:pid attributes:schedattr flags:hex32
    sched_setparam pid:pid parameters:ptr
    sched_setscheduler pid:pid policy:=scheduler parameters:ptr
    sched_yield
    seccomp operation:=seccompOperation flags:|seccompFlags argument:ptr
    select count:int read:ptr write:ptr except:ptr timeout:ptr
    semctl id:int index:int command:int argument:hex
    semget key:hex32 count:int flags:|ipc
    semop id:int operations:ptr count:size
    semtimedop id:int operations:ptr count:size timeout:ptr
    sendfile out:fd in:fd offset:ptr count:size
    sendmmsg fd:fd messages:ptr count:int flags:hex32
    sendmsg fd:fd message:ptr flags:hex32
    sendto fd:fd buffer:ptr size:size flags:hex32 address:sockaddr length:int
    set_mempolicy mode:int mask:ptr maxnode:size
    set_mempolicy_home_node address:hex length:size node:size flags:hex32
    set_robust_list head:ptr length:size
    set_tid_address address:ptr
    setdomainname name:counted length:size
    setfsgid group:int
    setfsuid user:int
    setgid group:int
    setgroups size:int list:ptr
    sethostname name:counted length:size
    setitimer which:int new:ptr old:ptr
    setns fd:fd type:|clone
    setpgid pid:pid group:pid
    setpriority which:int who:int priority:int
    setregid real:int effective:int
    setresgid real:int effective:int saved:int
    setresuid real:int effective:int saved:int
    setreuid real:int effective:int
    setrlimit resource:=resource limit:ptr
    setsid
    setsockopt fd:fd level:=socketLevel option:int value:ptr length:int
    settimeofday time:ptr zone:ptr
    setuid user:int
    setxattr path:path name:text value:ptr size:size flags:hex32
    setxattrat directory:dir path:path flags:|at name:text arguments:ptr size:size
    shmat id:int address:ptr flags:hex32
    shmctl id:int command:int buffer:ptr
    shmdt address:ptr
    shmget key:hex32 size:size flags:|ipc
    shutdown fd:fd how:=shutdown
    sigaltstack new:ptr old:ptr
    signalfd fd:fd mask:ptr size:size
    signalfd4 fd:fd mask:ptr size:size flags:|open
    socket family:=family type:|socketType protocol:protocol
    socketpair family:=family type:|socketType protocol:protocol fds:ptr
    splice in:fd in_offset:ptr out:fd out_offset:ptr length:size flags:hex32
    stat path:path result:ptr
    statfs path:path result:ptr
    statmount request:ptr result:ptr size:size flags:hex32
    statx directory:dir path:path flags:|at mask:hex32 result:ptr
    swapoff path:path
    swapon path:path flags:hex32
    symlink target:text path:path
    symlinkat target:text directory:dir path:path
    sync
    sync_file_range fd:fd offset:long length:long flags:hex32
    syncfs fd:fd
    sysfs option:int argument2:hex argument3:hex
    sysinfo information:ptr
    syslog type:int buffer:ptr length:int
    tee in:fd out:fd length:size flags:hex32
    tgkill process:pid thread:pid signal:=signal
    time result:ptr
    timer_create clock:=clock event:ptr timer:ptr
    timer_delete timer:int
    timer_getoverrun timer:int
    timer_gettime timer:int value:ptr
    timer_settime timer:int flags:hex32 new:ptr old:ptr
    timerfd_create clock:=clock flags:|open
    timerfd_gettime fd:fd value:ptr
    timerfd_settime fd:fd flags:hex32 new:ptr old:ptr
    times result:ptr
    tkill thread:pid signal:=signal
    truncate path:path length:long
    umask mask:mode
    umount2 path:path flags:|umount
    uname name:ptr
    unlink path:path
    unlinkat directory:dir path:path flags:|at
    unshare flags:|clone
    uselib path:path
    userfaultfd flags:|userfault
    ustat device:dev result:ptr
    utime path:path times:ptr
    utimensat directory:dir path:path times:ptr flags:|at
    utimes path:path times:ptr
    vfork
    vhangup
    vmsplice fd:fd vectors:ptr count:size flags:hex32
    wait4 pid:pid status:ptr options:|waitOptions usage:ptr
    waitid type:int id:int information:ptr options:|waitOptions usage:ptr
    write fd:fd buffer:ptr count:size
    writev fd:fd vectors:ptr count:int
    """
}
