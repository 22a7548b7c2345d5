// SPDX-License-Identifier: Apache-2.0

internal import CLinux

/// A system call that a host makes after it has executed the program of a session, and that something outside
/// the host refuses.
package struct RefusedCall: Hashable, Sendable, CustomStringConvertible {
  /// The name of the call.
  package let name: String
  /// The result of the call.
  package let answer: Answer

  /// The result of a refused call.
  package enum Answer: Hashable, Sendable {
    /// The call returns this error.
    case error(Errno)
    /// The call returns success, although the kernel does nothing.
    case pretended
    /// The call terminates the process.
    case killed
  }

  /// Creates a refused call.
  package init(_ name: String, _ answer: Answer) {
    self.name = name
    self.answer = answer
  }

  /// The name and the result: `syncfs (ENOSYS)`.
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

  /// Creates a value without refused calls.
  package init() {}

  /// The calls that something outside this process refuses. They are tried once per process, because no other
  /// process can change the filters of a process.
  package static let current: RefusedCalls = {
    var count = 0
    let calls = UnsafeBufferPointer(start: darkroom_host_calls(&count), count: count)
    var refusals = [Int32](repeating: 0, count: count)
    guard let first = calls.baseAddress else { return RefusedCalls() }
    darkroom_host_refusals(first, count, &refusals)
    var refused = RefusedCalls()
    for (call, refusal) in zip(calls, refusals) where refusal != 0 {
      let found = RefusedCall(String(cString: call.name), .init(refusal))
      // A process that the call terminates cannot use a replacement.
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
  /// Creates a result from the value of ``darkroom_refusal``.
  fileprivate init(_ refusal: Int32) {
    switch refusal {
    case Int32(DARKROOM_REFUSAL_PRETENDED): self = .pretended
    case Int32(DARKROOM_REFUSAL_KILLED): self = .killed
    default: self = .error(Errno(rawValue: refusal))
    }
  }
}
