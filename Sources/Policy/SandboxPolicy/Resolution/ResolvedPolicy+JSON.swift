// SPDX-License-Identifier: Apache-2.0

package import JSONText

extension ResolvedPolicy {
  /// The policy as one document that extends nothing, for display, for records and for a digest.
  ///
  /// Everything is sorted. Two policies with the same meaning therefore have the same value, regardless of
  /// their order and of the documents that they extend.
  package var flattened: JSONValue {
    .object([
      "name": .string(name),
      "description": description.isEmpty ? nil : .string(description),
      "syscalls": .object([.init("allow", .array(calls(where: \.isEmpty) + calls(where: { !$0.isEmpty })))]),
      "readOnly": .array(readOnly.sorted { $0.path < $1.path }.map(\.flattened)),
      "devices": .array(devices.map(\.value).sorted().map { .string($0) }),
      "scratch": .object([.init("size", .integer(Int64(scratchBytes)))]),
      "limits": .object(
        LimitName.allCases.map { .init($0.rawValue, .integer(Int64(limits[$0]))) }
      ),
      "bestEffort": .array(bestEffort.map(\.rawValue).sorted().map { .string($0) }),
      "acceptSingleMechanism": acceptSingleMechanism.isEmpty
        ? nil : .array(acceptSingleMechanism.map(\.rawValue).sorted().map { .string($0) }),
      "execute": .string(execute.rawValue),
      "semaphores": .string(semaphores.rawValue),
      "content": .string(content.rawValue),
    ])
  }

  /// Returns the rules whose conditions pass a test, as elements of `syscalls.allow`.
  private func calls(where test: ([ArgumentCondition]) -> Bool) -> [JSONValue] {
    calls.filter { test($0.conditions) && !ExecutePermission.calls.contains($0.call) }
      .map { (key: "\($0.call) \($0.conditions)", value: $0.flattened) }
      .sorted { $0.key < $1.key }
      .map(\.value)
  }
}

extension SyscallRule {
  /// The rule as an element of `syscalls.allow`.
  var flattened: JSONValue {
    guard !conditions.isEmpty else { return .string(call) }
    let arguments = conditions.map { condition in
      JSONValue.object([
        "index": .integer(Int64(condition.index)),
        "mask": .string("0x" + String(condition.mask, radix: 16)),
        "equals": .string("0x" + String(condition.value, radix: 16)),
      ])
    }
    return .object(["call": .string(call), "arguments": .array(arguments)])
  }
}

extension ReadOnlyPath {
  /// The path as an element of `readOnly`.
  var flattened: JSONValue {
    presence == .required ? .string(path) : .object(["path": .string(path), "optional": .bool(true)])
  }
}
