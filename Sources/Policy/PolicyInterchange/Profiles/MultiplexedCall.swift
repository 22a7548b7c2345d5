// SPDX-License-Identifier: Apache-2.0

internal import SystemCalls

/// A call that some architectures make through socketcall(2) or ipc(2), with a selector as the first
/// argument.
///
/// libseccomp applies a rule for such a call to both forms. For the multiplexed form, it omits the condition
/// on the first argument, which is the selector there. It does not check the meaning of the other arguments.
struct MultiplexedCall {
  /// The name of the multiplexer.
  var carrier: String
  /// The first argument of the multiplexer.
  var selector: UInt64

  /// Returns the multiplexed form of a call, or `nil` if the architecture has none.
  static func of(_ name: String, on architecture: CallArchitecture) -> MultiplexedCall? {
    guard [.i386, .s390, .power].contains(architecture) else { return nil }
    if let selector = socketCalls[name] { return MultiplexedCall(carrier: "socketcall", selector: selector) }
    return ipcCalls[name].map { MultiplexedCall(carrier: "ipc", selector: $0) }
  }

  /// The selectors of socketcall(2). The corresponding constants are `SYS_SOCKET` and so on.
  private static let socketCalls: [String: UInt64] = [
    "socket": 1, "bind": 2, "connect": 3, "listen": 4, "accept": 5, "getsockname": 6, "getpeername": 7,
    "socketpair": 8, "send": 9, "recv": 10, "sendto": 11, "recvfrom": 12, "shutdown": 13, "setsockopt": 14,
    "getsockopt": 15, "sendmsg": 16, "recvmsg": 17, "accept4": 18, "recvmmsg": 19, "sendmmsg": 20,
  ]

  /// The selectors of ipc(2). The corresponding constants are `SEMOP` and so on.
  private static let ipcCalls: [String: UInt64] = [
    "semop": 1, "semget": 2, "semctl": 3, "semtimedop": 4, "msgsnd": 11, "msgrcv": 12, "msgget": 13,
    "msgctl": 14, "shmat": 21, "shmdt": 22, "shmget": 23, "shmctl": 24,
  ]
}
