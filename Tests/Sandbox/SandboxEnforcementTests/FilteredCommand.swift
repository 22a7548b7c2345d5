// SPDX-License-Identifier: Apache-2.0

import Glibc
import SandboxEnforcement

/// A command that runs under a filter without a sandbox: Python installs the filter and executes the command.
enum FilteredCommand {
  /// The result of a command.
  struct Result {
    /// The wait status (waitpid(2)).
    var status: Int32
    /// The lines of standard output and standard error.
    var lines: [String]
  }

  /// Whether commands can be run on this machine.
  static let isPossible = access("/usr/bin/python3", X_OK) == 0

  /// A Python program whose arguments are the filter in hexadecimal, or an empty string, and the command.
  private static let loader = """
    import ctypes, os, sys
    libc = ctypes.CDLL(None, use_errno=True)
    program = bytes.fromhex(sys.argv[1])
    class Program(ctypes.Structure):
        _fields_ = [("count", ctypes.c_ushort), ("code", ctypes.c_char_p)]
    if program:
        assert libc.prctl(38, 1, 0, 0, 0) == 0
        assert libc.prctl(22, 2, ctypes.byref(Program(len(program) // 8, program)), 0, 0) == 0
    os.execv(sys.argv[2], sys.argv[2:])
    """

  /// Runs a command and returns its result, or `nil` if no process could be created.
  static func run(_ command: [String], under filter: SeccompFilter?) -> Result? {
    let digits = Array("0123456789abcdef")
    let program = String(
      (filter?.instructions ?? []).flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }
    )
    let words = (["/usr/bin/timeout", "30", "/usr/bin/python3", "-c", loader, program] + command).map(quoted)
    guard let stream = popen(words.joined(separator: " ") + " 2>&1 </dev/null", "r") else { return nil }
    var text: [UInt8] = []
    while case let next = fgetc(stream), next != EOF { text.append(UInt8(next)) }
    let lines = String(decoding: text, as: UTF8.self).split(separator: "\n").map(String.init)
    return Result(status: pclose(stream), lines: lines)
  }

  /// Returns an argument quoted for the shell.
  private static func quoted(_ word: String) -> String {
    "'" + word.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "'\\''") + "'"
  }
}
