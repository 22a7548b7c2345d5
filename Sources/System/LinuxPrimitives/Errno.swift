// SPDX-License-Identifier: Apache-2.0

internal import CLinux

/// The error number of a failed system call (errno(3)).
package struct Errno: RawRepresentable, Hashable, Sendable {
  /// The error number.
  package let rawValue: Int32

  /// Creates an error from its number.
  package init(rawValue: Int32) { self.rawValue = rawValue }

  /// The error of the last failed call of this thread.
  package static var current: Errno { Errno(rawValue: darkroom_errno()) }

  /// The corresponding number is `ENOENT`.
  package static var noSuchFile: Errno { Errno(rawValue: ENOENT) }
  /// The corresponding number is `EEXIST`.
  package static var fileExists: Errno { Errno(rawValue: EEXIST) }
  /// The corresponding number is `EACCES`.
  package static var permissionDenied: Errno { Errno(rawValue: EACCES) }
  /// The corresponding number is `EPERM`.
  package static var notPermitted: Errno { Errno(rawValue: EPERM) }
  /// The corresponding number is `EINTR`.
  package static var interrupted: Errno { Errno(rawValue: EINTR) }
  /// The corresponding number is `EAGAIN`.
  package static var wouldBlock: Errno { Errno(rawValue: EAGAIN) }
  /// The corresponding number is `EPIPE`.
  package static var brokenPipe: Errno { Errno(rawValue: EPIPE) }
  /// The corresponding number is `ENOSYS`.
  package static var notImplemented: Errno { Errno(rawValue: ENOSYS) }
  /// The corresponding number is `EOPNOTSUPP`.
  package static var notSupported: Errno { Errno(rawValue: EOPNOTSUPP) }
  /// The corresponding number is `EINVAL`.
  package static var invalidArgument: Errno { Errno(rawValue: EINVAL) }
  /// The corresponding number is `EFBIG`.
  package static var fileTooLarge: Errno { Errno(rawValue: EFBIG) }
  /// The corresponding number is `ENOSPC`.
  package static var noSpace: Errno { Errno(rawValue: ENOSPC) }
  /// The corresponding number is `EDQUOT`.
  package static var overQuota: Errno { Errno(rawValue: EDQUOT) }
  /// Whether the error reports that the file system, or the user's quota of it, is full.
  package var isOutOfSpace: Bool { self == .noSpace || self == .overQuota }
  /// A description of what is full, for an error with ``isOutOfSpace``.
  package var outOfSpaceDescription: String {
    self == .overQuota ? "this user's quota on the file system is exhausted" : "the file system is full"
  }
  /// The corresponding number is `ENOTDIR`.
  package static var notADirectory: Errno { Errno(rawValue: ENOTDIR) }
  /// The corresponding number is `EISDIR`.
  package static var isADirectory: Errno { Errno(rawValue: EISDIR) }
  /// The corresponding number is `ENOTEMPTY`.
  package static var notEmpty: Errno { Errno(rawValue: ENOTEMPTY) }
  /// The corresponding number is `ELOOP`.
  package static var tooManyLinks: Errno { Errno(rawValue: ELOOP) }
  /// The corresponding number is `ESRCH`.
  package static var noSuchProcess: Errno { Errno(rawValue: ESRCH) }
  /// The corresponding number is `EBUSY`.
  package static var busy: Errno { Errno(rawValue: EBUSY) }
  /// The corresponding number is `EIO`.
  package static var inputOutput: Errno { Errno(rawValue: EIO) }
  /// The corresponding number is `ENODEV`.
  package static var noSuchDevice: Errno { Errno(rawValue: ENODEV) }
  /// The corresponding number is `ENXIO`.
  package static var noSuchAddress: Errno { Errno(rawValue: ENXIO) }
  /// The corresponding number is `ENOTTY`.
  package static var unknownRequest: Errno { Errno(rawValue: ENOTTY) }
  /// The corresponding number is `EROFS`.
  package static var readOnlyFileSystem: Errno { Errno(rawValue: EROFS) }
  /// The corresponding number is `EUSERS`.
  package static var tooManyUsers: Errno { Errno(rawValue: EUSERS) }
  /// The corresponding number is `EXDEV`.
  package static var crossDevice: Errno { Errno(rawValue: EXDEV) }
  /// The corresponding number is `ENAMETOOLONG`.
  package static var nameTooLong: Errno { Errno(rawValue: ENAMETOOLONG) }
  /// The corresponding number is `EILSEQ`.
  package static var invalidSequence: Errno { Errno(rawValue: EILSEQ) }
  /// The corresponding number is `EMSGSIZE`.
  package static var messageTooLong: Errno { Errno(rawValue: EMSGSIZE) }
  /// The corresponding number is `ECONNABORTED`.
  package static var connectionAborted: Errno { Errno(rawValue: ECONNABORTED) }
  /// The corresponding number is `ECONNRESET`.
  package static var connectionReset: Errno { Errno(rawValue: ECONNRESET) }
  /// The corresponding number is `ECONNREFUSED`.
  package static var connectionRefused: Errno { Errno(rawValue: ECONNREFUSED) }
}

extension Errno: CustomStringConvertible {
  /// The symbolic name, for example `ENOENT`.
  package var name: String {
    darkroom_errno_name(rawValue).map { String(cString: $0) } ?? "errno \(rawValue)"
  }

  /// The C library's description and the symbolic name.
  package var description: String { "\(String(cString: strerror(rawValue))) (\(name))" }
}
