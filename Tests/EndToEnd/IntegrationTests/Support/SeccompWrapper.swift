// SPDX-License-Identifier: Apache-2.0

/// A seccomp filter around a command, as container runtimes install it.
enum SeccompWrapper {
  /// A system call with its numbers on x86_64 and aarch64.
  struct Call {
    /// The numbers of the call.
    var x86, arm: Int

    /// The call `clone3`, with the same number on all architectures.
    static let clone3 = Call(x86: 435, arm: 435)
    /// The call `unshare`.
    static let unshare = Call(x86: 272, arm: 97)
    /// The call `landlock_create_ruleset`.
    static let landlock = Call(x86: 444, arm: 444)
  }

  /// Returns a command prefix whose filter answers calls with an error number.
  static func commandPrefix(answering errno: Int, to calls: [Call]) -> [String] {
    let numbers = calls.map { "\($0.x86) if isPC else \($0.arm)" }.joined(separator: ", ")
    let script = """
      \(preparation)
      code = [(0x20, 0, 0, 0)] + [(0x15, 0, 1, n) if i == 0 else (0x06, 0, 0, 0x00050000 | \(errno))
              for n in (\(numbers),) for i in (0, 1)] + [(0x06, 0, 0, 0x7FFF0000)]
      program = make(code)
      assert libc.prctl(22, 2, ctypes.byref(program), 0, 0) == 0
      os.execv(sys.argv[1], sys.argv[1:])
      """
    return ["/usr/bin/python3", "-c", script]
  }

  /// A command prefix with a filter that allows everything and has a listener, which the command keeps open.
  static let supervisorPrefix: [String] = {
    let script = """
      \(preparation)
      program = make([(0x06, 0, 0, 0x7FFF0000)])
      listener = libc.syscall(317 if isPC else 277, 1, 8, ctypes.byref(program))
      assert listener >= 0
      os.set_inheritable(listener, True)
      os.execv(sys.argv[1], sys.argv[1:])
      """
    return ["/usr/bin/python3", "-c", script]
  }()

  /// A command prefix with a filter that refuses all calls for which a process requires a capability in a new user
  /// namespace, as AppArmor does on Ubuntu 24.04 (`kernel.apparmor_restrict_unprivileged_userns`). User namespaces can
  /// be created. Unlike AppArmor, the filter lets a process write the maps of a user namespace.
  static let powerlessNamespacesPrefix: [String] = {
    let script = """
      \(preparation)
      def finish(errno): return (0x06, 0, 0, 0x00050000 | errno if errno else 0x7FFF0000)
      def number(x86, arm=None): return x86 if isPC or arm is None else arm
      code = [(0x20, 0, 0, 0), (0x15, 0, 1, 435), finish(38)]  # clone3, so that the filter sees the flags of clone
      for x86, arm in ((165, 40), (166, 39), (155, 41), (170, 161), (171, 162), (308, 268)):  # mount to setns
        code += [(0x15, 0, 1, number(x86, arm)), finish(1)]
      for new in (428, 429, 430, 432, 442):  # open_tree, move_mount, fsopen, fsmount, mount_setattr
        code += [(0x15, 0, 1, new), finish(1)]
      # The flags of all namespaces except CLONE_NEWUSER. CLONE_NEWTIME is a flag of unshare only.
      for call, flags in ((number(56, 220), 0x6E020000), (number(272, 97), 0x6E020080)):
        code += [(0x15, 0, 4, call), (0x20, 0, 0, 16), (0x45, 0, 1, flags), finish(1), finish(0)]
      program = make(code + [finish(0)])
      assert libc.prctl(22, 2, ctypes.byref(program), 0, 0) == 0
      os.execv(sys.argv[1], sys.argv[1:])
      """
    return ["/usr/bin/python3", "-c", script]
  }()

  private static let preparation = """
    import ctypes, os, struct, sys
    libc = ctypes.CDLL(None, use_errno=True)
    isPC = os.uname().machine == "x86_64"
    class Program(ctypes.Structure): _fields_ = [("length", ctypes.c_ushort), ("filter", ctypes.c_void_p)]
    def make(code):
      global text
      text = ctypes.create_string_buffer(b"".join(struct.pack("<HBBI", *c) for c in code))
      return Program(len(code), ctypes.addressof(text))
    assert libc.prctl(38, 1, 0, 0, 0) == 0
    """
}
