// SPDX-License-Identifier: Apache-2.0

internal import CLinux

/// What a thread can have of its own that otherwise the whole process has: where relative paths begin, the mask of file
/// modes, the processors that it runs on. Threads and processes that it makes have the same.
package enum ThreadPlace {
  /// Gives the calling thread its own current directory and mask, for good. The corresponding flag is `CLONE_FS`.
  package static func take(directory: Int32, mask: UInt32) throws(SystemCallError) {
    try check("unshare") { darkroom_own_place() }
    try check("fchdir") { fchdir(directory) }
    umask(mask & 0o777)
  }

  /// Gives the calling thread the root as its current directory, for good: one that outlives who made it must not keep
  /// the directory of that one in use.
  package static func leave() throws(SystemCallError) {
    try check("unshare") { darkroom_own_place() }
    try check("chdir", path: "/") { chdir("/") }
  }

  /// Lets the calling thread run where another process may, and nowhere else (sched_setaffinity(2)).
  package static func takeProcessors(of process: Int32) throws(SystemCallError) {
    try check("sched_setaffinity") { darkroom_take_processors_of(process) }
  }

  /// The set of the processors that the calling thread may run on, as the kernel writes it (sched_getaffinity(2)); nil: the
  /// kernel does not say.
  package static var processors: [UInt8]? {
    var set = [UInt8](repeating: 0, count: 8192)
    let size = darkroom_own_processors(&set, set.count)
    return size < 0 ? nil : Array(set.prefix(Int(size)))
  }
}

/// A thread that waits in a call and must come back.
package enum ThreadNudge {
  /// Lets the calling thread be nudged. The signal is `SIGURG`, which nobody else means anything by.
  package static func allow() { _ = darkroom_allow_nudges() }

  /// Makes a thread of this process come back from the call that it waits in, with `EINTR`.
  package static func send(to thread: Int32) { _ = darkroom_nudge(thread) }
}

extension Descriptor {
  /// Makes a number mean the same file as this descriptor, whatever it meant before (dup3(2)).
  package borrowing func replace(_ number: Int32) throws(SystemCallError) {
    let raw = rawValue
    try check("dup3") { darkroom_replace_descriptor(raw, number) }
  }
}

extension CurrentProcess {
  /// Takes from the mask of file modes what would keep the process from its own files (umask(2)): what it makes for itself it
  /// has to write and to enter afterwards. Others get no more by that.
  package static func keepOwnFiles() {
    let mask = umask(0o077)
    umask(mask & 0o077)
  }

  /// The mask of file modes that the process has (umask(2)); only while there is one thread, for it has to be set to be read.
  package static var fileMask: UInt32 {
    let mask = umask(0o077)
    umask(mask)
    return UInt32(mask)
  }

  /// Every variable of the environment that has a name; of two with one name the first, as getenv(3) has it.
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

  /// Whether a text stands anywhere in the environment (strstr(3)).
  package static func hasVariable(with text: String) -> Bool {
    guard var next = darkroom_environment() else { return false }
    while let entry = next.pointee {
      if strstr(entry, text) != nil { return true }
      next += 1
    }
    return false
  }

  /// Whether a terminal is this process's own and another group of processes is in front of it (tcgetpgrp(3)).
  package static func isBehind(_ terminal: Int32) -> Bool {
    let inFront = tcgetpgrp(terminal)
    return inFront >= 0 && inFront != getpgrp()
  }

  /// Stops the group of this process as the kernel stops one that reads keys from behind; where nobody could let it go
  /// on, the kernel does not stop it. The corresponding signal is `SIGTTIN`, which the calling thread may have blocked.
  package static func stopGroup() {
    CLinux.kill(0, SIGTTIN)
    var (set, before) = (sigset_t(), sigset_t())
    sigemptyset(&set)
    sigaddset(&set, SIGTTIN)
    pthread_sigmask(SIG_UNBLOCK, &set, &before)
    pthread_sigmask(SIG_SETMASK, &before, nil)
  }

  /// Stops this process as Ctrl-Z does, until somebody lets it go on; where nobody could, the kernel does not stop it.
  /// The corresponding signal is `SIGTSTP`, which the calling thread has blocked before and after.
  package static func stop() {
    var set = sigset_t()
    sigemptyset(&set)
    sigaddset(&set, SIGTSTP)
    CLinux.kill(getpid(), SIGTSTP)
    pthread_sigmask(SIG_UNBLOCK, &set, nil)
    pthread_sigmask(SIG_BLOCK, &set, nil)
  }
}
