// SPDX-License-Identifier: Apache-2.0

internal import CLinux

/// Attributes that a thread can have separately from its process: the current directory, the file mode mask
/// and the processor affinity. Its child threads and processes inherit them.
package enum ThreadContext {
  /// Gives the calling thread a separate current directory and file mode mask, permanently. The corresponding
  /// flag is `CLONE_FS`.
  package static func adopt(directory: Int32, mask: UInt32) throws(SystemCallError) {
    try check("unshare") { darkroom_unshare_fs() }
    try check("fchdir") { fchdir(directory) }
    umask(mask & 0o777)
  }

  /// Gives the calling thread the root directory as a separate current directory, permanently. A thread that
  /// outlives its creator must not keep the creator's directory in use.
  package static func moveToRoot() throws(SystemCallError) {
    try check("unshare") { darkroom_unshare_fs() }
    try check("chdir", path: "/") { chdir("/") }
  }

  /// Restricts the calling thread to the processors of another process (sched_setaffinity(2)).
  package static func copyAffinity(of process: Int32) throws(SystemCallError) {
    try check("sched_setaffinity") { darkroom_copy_affinity(process) }
  }

  /// The processor affinity of the calling thread as the kernel's bit set (sched_getaffinity(2)), or `nil` if
  /// it is unavailable.
  package static var processors: [UInt8]? {
    var set = [UInt8](repeating: 0, count: 8192)
    let size = darkroom_get_affinity(&set, set.count)
    return size < 0 ? nil : Array(set.prefix(Int(size)))
  }
}

/// Interruption of a thread that waits in a system call.
package enum ThreadInterrupt {
  /// Lets the calling thread be interrupted by `SIGURG`, which is not used otherwise.
  package static func allow() { _ = darkroom_allow_interrupts() }

  /// Makes the call that a thread of this process waits in fail with `EINTR`.
  package static func send(to thread: Int32) { _ = darkroom_interrupt_thread(thread) }
}

extension Descriptor {
  /// Makes `number` a duplicate of this descriptor, closing its former file (dup3(2)).
  package borrowing func replace(_ number: Int32) throws(SystemCallError) {
    let raw = rawValue
    try check("dup3") { darkroom_replace_descriptor(raw, number) }
  }
}

extension CurrentProcess {
  /// Removes the owner's bits from the file mode mask (umask(2)), so that the process can write and enter the
  /// files that it creates. Other users get no additional access.
  package static func clearOwnerMaskBits() {
    let mask = umask(0o077)
    umask(mask & 0o077)
  }

  /// The file mode mask (umask(2)). Read it only while there is a single thread, because reading sets it
  /// temporarily.
  package static var fileMask: UInt32 {
    let mask = umask(0o077)
    umask(mask)
    return UInt32(mask)
  }

  /// Every variable of the environment with a name. Of variables with the same name, the first is returned,
  /// as getenv(3) does.
  package static var variables: [(name: String, value: String)] {
    var variables: [(name: String, value: String)] = []
    var names: Set<String> = []
    guard var next = darkroom_environment() else { return [] }
    while let entry = next.pointee {
      let text = String(cString: entry)
      next += 1
      guard let equals = text.firstIndex(of: "="), equals > text.startIndex,
        names.insert(String(text[..<equals])).inserted
      else { continue }
      variables.append((String(text[..<equals]), String(text[text.index(after: equals)...])))
    }
    return variables
  }

  /// Returns whether a text occurs in the environment (strstr(3)).
  package static func hasVariable(with text: String) -> Bool {
    guard var next = darkroom_environment() else { return false }
    while let entry = next.pointee {
      if strstr(entry, text) != nil { return true }
      next += 1
    }
    return false
  }

  /// Returns whether a terminal is the controlling terminal of this process and another process group is in
  /// the foreground (tcgetpgrp(3)).
  package static func isInBackground(_ terminal: Int32) -> Bool {
    let inFront = tcgetpgrp(terminal)
    return inFront >= 0 && inFront != getpgrp()
  }

  /// Stops the process group as the kernel stops a background group that reads from its terminal. The kernel
  /// does not stop an orphaned group. The corresponding signal is `SIGTTIN`, which the calling thread may
  /// block.
  package static func stopGroup() {
    CLinux.kill(0, SIGTTIN)
    var (set, before) = (sigset_t(), sigset_t())
    sigemptyset(&set)
    sigaddset(&set, SIGTTIN)
    pthread_sigmask(SIG_UNBLOCK, &set, &before)
    pthread_sigmask(SIG_SETMASK, &before, nil)
  }

  /// Stops this process as Ctrl-Z does, until another process continues it. The kernel does not stop a
  /// process of an orphaned group. The corresponding signal is `SIGTSTP`, which the calling thread must
  /// block.
  package static func stop() {
    var set = sigset_t()
    sigemptyset(&set)
    sigaddset(&set, SIGTSTP)
    CLinux.kill(getpid(), SIGTSTP)
    pthread_sigmask(SIG_UNBLOCK, &set, nil)
    pthread_sigmask(SIG_BLOCK, &set, nil)
  }
}
