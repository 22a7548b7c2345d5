// SPDX-License-Identifier: Apache-2.0

internal import SystemCalls

/// A call that an architecture also, or only, makes by way of another one that takes its number as first argument:
/// socketcall(2) and ipc(2).
///
/// libseccomp gives a rule for such a call to both ways. Of the rule's conditions it drops that on the first argument for
/// the indirect way, because the number stands there; what the other arguments mean there it does not ask.
struct MultiplexedCall {
  /// The call that is made.
  var carrier: String
  /// Its first argument.
  var selector: UInt64

  /// The indirect way of making a call; nil if the architecture has none.
  static func of(_ name: String, on architecture: CallArchitecture) -> MultiplexedCall? {
    guard [.i386, .s390, .power].contains(architecture) else { return nil }
    if let selector = socketCalls[name] { return MultiplexedCall(carrier: "socketcall", selector: selector) }
    return objectCalls[name].map { MultiplexedCall(carrier: "ipc", selector: $0) }
  }

  /// The numbers of socketcall(2). The corresponding constants are `SYS_SOCKET` and so on.
  private static let socketCalls: [String: UInt64] = [
    "socket": 1, "bind": 2, "connect": 3, "listen": 4, "accept": 5, "getsockname": 6, "getpeername": 7,
    "socketpair": 8, "send": 9, "recv": 10, "sendto": 11, "recvfrom": 12, "shutdown": 13, "setsockopt": 14,
    "getsockopt": 15, "sendmsg": 16, "recvmsg": 17, "accept4": 18, "recvmmsg": 19, "sendmmsg": 20,
  ]

  /// The numbers of ipc(2). The corresponding constants are `SEMOP` and so on.
  private static let objectCalls: [String: UInt64] = [
    "semop": 1, "semget": 2, "semctl": 3, "semtimedop": 4, "msgsnd": 11, "msgrcv": 12, "msgget": 13,
    "msgctl": 14, "shmat": 21, "shmdt": 22, "shmget": 23, "shmctl": 24,
  ]
}
