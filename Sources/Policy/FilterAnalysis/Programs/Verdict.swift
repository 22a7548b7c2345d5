// SPDX-License-Identifier: Apache-2.0

/// The kernel's action for a call, determined by a filter's return value (seccomp(2)).
package enum Verdict: Sendable, Hashable {
  /// Kills the process. The corresponding constant is `SECCOMP_RET_KILL_PROCESS`.
  case killProcess
  /// Kills the thread. The corresponding constant is `SECCOMP_RET_KILL_THREAD`.
  case killThread
  /// Sends `SIGSYS` with this number to the thread. The corresponding constant is `SECCOMP_RET_TRAP`.
  case trap(UInt16)
  /// Fails the call with this error number without executing it; with zero, the call seems to succeed. The
  /// corresponding constant is `SECCOMP_RET_ERRNO`.
  case errno(UInt16)
  /// Passes the call to a supervisor. The corresponding constant is `SECCOMP_RET_USER_NOTIF`.
  case notify
  /// Passes the call to a tracer with this number. The corresponding constant is `SECCOMP_RET_TRACE`.
  case trace(UInt16)
  /// Executes and logs the call. The corresponding constant is `SECCOMP_RET_LOG`.
  case log
  /// Executes the call. The corresponding constant is `SECCOMP_RET_ALLOW`.
  case allow
  /// An action that the kernel does not define, given by its upper half. The kernel kills the process, but
  /// ranks the action by its number among the results of other filters.
  case unknown(UInt16)
}

extension Verdict {
  /// The largest error number, which the kernel uses for larger ones, too. The corresponding constant is
  /// `MAX_ERRNO`.
  private static let largestErrno: UInt16 = 4095

  /// Creates the verdict of a return value.
  package init(returnValue value: UInt32) {
    let data = UInt16(truncatingIfNeeded: value)
    switch value & 0xFFFF_0000 {
    case 0x8000_0000: self = .killProcess
    case 0x0000_0000: self = .killThread
    case 0x0003_0000: self = .trap(data)
    case 0x0005_0000: self = .errno(min(data, Self.largestErrno))
    case 0x7FC0_0000: self = .notify
    case 0x7FF0_0000: self = .trace(data)
    case 0x7FFC_0000: self = .log
    case 0x7FFF_0000: self = .allow
    default: self = .unknown(UInt16(value >> 16))
    }
  }

  /// The return value of a filter for the verdict.
  package var returnValue: UInt32 {
    switch self {
    case .killProcess: 0x8000_0000
    case .killThread: 0x0000_0000
    case .trap(let data): 0x0003_0000 | UInt32(data)
    case .errno(let number): 0x0005_0000 | UInt32(number)
    case .notify: 0x7FC0_0000
    case .trace(let data): 0x7FF0_0000 | UInt32(data)
    case .log: 0x7FFC_0000
    case .allow: 0x7FFF_0000
    case .unknown(let action): UInt32(action) << 16
    }
  }

  /// The rank of the action. Of the results of several filters, the kernel uses the one with the lowest rank.
  private var rank: Int32 { Int32(bitPattern: returnValue & 0xFFFF_0000) }

  /// Returns the kernel's verdict if a newer filter returns this verdict and an older one returns another.
  ///
  /// The stricter verdict takes precedence; of two equally strict verdicts, the newer one does.
  package func combined(withOlder older: Verdict) -> Verdict { older.rank < rank ? older : self }
}

extension Verdict: CustomStringConvertible {
  /// The kernel's name of the action, with its data.
  package var description: String {
    switch self {
    case .killProcess: "KILL_PROCESS"
    case .killThread: "KILL_THREAD"
    case .trap(let data): "TRAP(\(data))"
    case .errno(let number): "ERRNO(\(number))"
    case .notify: "USER_NOTIF"
    case .trace(let data): "TRACE(\(data))"
    case .log: "LOG"
    case .allow: "ALLOW"
    case .unknown(let action): "UNKNOWN(0x\(String(action, radix: 16)))"
    }
  }
}
