// SPDX-License-Identifier: Apache-2.0

internal import CLinux

/// A system call that a host makes after the program of a session was executed, and that something around the host refuses.
package struct RefusedCall: Hashable, Sendable, CustomStringConvertible {
  /// The name of the call.
  package let name: String
  /// The result of the call.
  package let answer: Answer

  /// The result of a refused call.
  package enum Answer: Hashable, Sendable {
    /// It returns this error.
    case error(Errno)
    /// It returns success, although the kernel does nothing.
    case pretended
    /// It terminates the process.
    case killed
  }

  /// Describes a refused call.
  package init(_ name: String, _ answer: Answer) {
    self.name = name
    self.answer = answer
  }

  /// The name and the answer: `syncfs (ENOSYS)`.
  package var description: String {
    switch answer {
    case .error(let errno): "\(name) (\(errno.name))"
    case .pretended: "\(name) (pretends to succeed)"
    case .killed: "\(name) (terminates the process)"
    }
  }
}

/// The refused calls, found by making each call so that it changes nothing.
package struct RefusedCalls: Hashable, Sendable {
  /// The calls without which a host can neither migrate nor erase content.
  package var required: [RefusedCall] = []
  /// The calls instead of which the host uses others.
  package var replaced: [RefusedCall] = []

  /// No call is refused.
  package init() {}

  /// The calls that something around this process refuses. They are tried once in a process: no other process can give a process
  /// another filter.
  package static let current: RefusedCalls = {
    var count = 0
    let calls = UnsafeBufferPointer(start: darkroom_host_calls(&count), count: count)
    var refusals = [Int32](repeating: 0, count: count)
    guard let first = calls.baseAddress else { return RefusedCalls() }
    darkroom_host_refusals(first, count, &refusals)
    var refused = RefusedCalls()
    for (call, refusal) in zip(calls, refusals) where refusal != 0 {
      let found = RefusedCall(String(cString: call.name), .init(refusal))
      // Whatever could replace a call, a process that the call terminates comes to nothing else.
      if call.need == darkroom_call_required || found.answer == .killed {
        refused.required.append(found)
      } else {
        refused.replaced.append(found)
      }
    }
    return refused
  }()
}

extension RefusedCall.Answer {
  /// Reads what ``darkroom_refusal`` returns.
  fileprivate init(_ refusal: Int32) {
    switch refusal {
    case Int32(DARKROOM_REFUSAL_PRETENDED): self = .pretended
    case Int32(DARKROOM_REFUSAL_KILLED): self = .killed
    default: self = .error(Errno(rawValue: refusal))
    }
  }
}
