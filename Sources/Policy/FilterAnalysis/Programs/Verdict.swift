// SPDX-License-Identifier: Apache-2.0

/// What the kernel does with a call, by the value that a filter returns (seccomp(2)).
package enum Verdict: Sendable, Hashable {
  /// The process ends. The corresponding constant is `SECCOMP_RET_KILL_PROCESS`.
  case killProcess
  /// The thread ends. The corresponding constant is `SECCOMP_RET_KILL_THREAD`.
  case killThread
  /// The thread is sent `SIGSYS` with this number. The corresponding constant is `SECCOMP_RET_TRAP`.
  case trap(UInt16)
  /// The call fails with this number, without being made; zero makes it seem to succeed. The corresponding constant is
  /// `SECCOMP_RET_ERRNO`.
  case errno(UInt16)
  /// A supervisor answers. The corresponding constant is `SECCOMP_RET_USER_NOTIF`.
  case notify
  /// A tracer is asked, and told this number. The corresponding constant is `SECCOMP_RET_TRACE`.
  case trace(UInt16)
  /// The call is made and logged. The corresponding constant is `SECCOMP_RET_LOG`.
  case log
  /// The call is made. The corresponding constant is `SECCOMP_RET_ALLOW`.
  case allow
  /// An action that no kernel has, given with its upper half: the process ends, but beside other filters the action
  /// has the rank of its number.
  case unknown(UInt16)
}

extension Verdict {
  /// The largest error number. The corresponding constant is `MAX_ERRNO`; the kernel takes it for any larger one.
  private static let largestErrno: UInt16 = 4095

  /// The verdict that a returned value means.
  package init(returned value: UInt32) {
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

  /// The value that a filter returns for it.
  package var returned: UInt32 {
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

  /// The kernel's order of actions: of several filters' answers the lowest counts.
  private var rank: Int32 { Int32(bitPattern: returned & 0xFFFF_0000) }

  /// What the kernel does where a newer filter says this and an older one that: the stricter counts, and of two equally
  /// strict ones the newer.
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
