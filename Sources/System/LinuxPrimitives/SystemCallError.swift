// SPDX-License-Identifier: Apache-2.0

internal import CLinux

/// A system call that failed: which, on what, and why.
package struct SystemCallError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The call's name, as its man page has it.
  package let call: String
  /// The file that it was about, where there is one.
  package let path: String?
  /// Why it failed.
  package let errno: Errno

  /// Describes a failure.
  package init(_ call: StaticString, path: String? = nil, errno: Errno = .current) {
    self.call = call.description
    self.path = path
    self.errno = errno
  }

  /// A sentence: `openat /x: No such file or directory (ENOENT)`.
  package var description: String {
    path.map { "\(call) \($0): \(errno)" } ?? "\(call): \(errno)"
  }
}

/// Throws if a call returned a negative number; calls that a signal interrupted are made again.
@discardableResult
package func check<Result: SignedInteger>(
  _ call: StaticString,
  path: String? = nil,
  _ body: () -> Result
) throws(SystemCallError) -> Result {
  while true {
    let result = body()
    if result >= 0 { return result }
    let errno = Errno.current
    if errno != .interrupted { throw SystemCallError(call, path: path, errno: errno) }
  }
}
