// SPDX-License-Identifier: Apache-2.0

internal import CLinux

/// A failed system call.
package struct SystemCallError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The name of the call, as in its man page.
  package let call: String
  /// The path of the file that the call was about, or `nil` if there is none.
  package let path: String?
  /// The error.
  package let errno: Errno

  /// Creates an error.
  package init(_ call: StaticString, path: String? = nil, errno: Errno = .current) {
    self.call = call.description
    self.path = path
    self.errno = errno
  }

  /// The call, path and error: `openat /x: No such file or directory (ENOENT)`.
  package var description: String {
    path.map { "\(call) \($0): \(errno)" } ?? "\(call): \(errno)"
  }
}

/// Returns the result of a call, or throws if it is negative. A call that a signal interrupts is repeated.
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
