// SPDX-License-Identifier: Apache-2.0

import TestSupport

@testable import HostBus

/// Random arguments of method calls.
struct RandomBusValues {
  private var generator: SeededGenerator

  /// Creates a generator with a seed.
  init(seed: UInt64) { generator = SeededGenerator(seed: seed) }

  /// Returns up to four random values.
  mutating func arguments() -> [BusValue] {
    (0..<Int.random(in: 0...4, using: &generator)).map { _ in value(depth: 0) }
  }

  /// Returns a random element of an array.
  mutating func pick<Element>(_ elements: [Element]) -> Element { generator.pick(elements) }

  /// Returns a dictionary with random values, some of them with names of options.
  mutating func options() -> BusValue {
    let names = [
      "camera", "detached", "grace", "policy", "environment", "app", "limit", "outcomes", "bytes", "none", "",
    ]
    let entries = (0..<Int.random(in: 0...3, using: &generator)).map { _ in
      (generator.pick(names), value(depth: 1))
    }
    return .dictionary(entries)
  }

  private mutating func value(depth: Int) -> BusValue {
    // Deep values exceed the limit of the service, but not that of the bus.
    let isLeaf = depth > 20 || generator.oneIn(3)
    return isLeaf ? leaf() : container(depth: depth + 1)
  }

  private mutating func leaf() -> BusValue {
    switch Int.random(in: 0..<12, using: &generator) {
    case 0: .byte(.random(in: 0...255, using: &generator))
    case 1: .bool(generator.oneIn(2))
    case 2: .int16(.random(in: .min ... .max, using: &generator))
    case 3: .uint16(.random(in: .min ... .max, using: &generator))
    case 4: .int32(.random(in: .min ... .max, using: &generator))
    case 5: .uint32(.random(in: .min ... .max, using: &generator))
    case 6: .int64(.random(in: .min ... .max, using: &generator))
    case 7: .uint64(.random(in: .min ... .max, using: &generator))
    case 8: .double(generator.pick([0, -1.5, .infinity, .nan, 1e300]))
    case 9: .objectPath(generator.pick(["/", BusObject.root, "/a/b"]))
    case 10: .signature(generator.pick(["", "s", "a{sv}"]))
    default: .string(generator.pick(["", "primary", "/", "ä\u{1F4F7}", String(repeating: "x", count: 300)]))
    }
  }

  private mutating func container(depth: Int) -> BusValue {
    switch Int.random(in: 0..<4, using: &generator) {
    case 0: return .variant(value(depth: depth))
    case 1: return .structure([value(depth: depth), value(depth: depth)])
    case 2:
      let element = value(depth: depth)
      return .array(element: element.signature, [element])
    default:
      let content = value(depth: depth)
      let key = BusValue.string("key")
      return .array(element: BusValue.entry(key, content).signature, [.entry(key, content)])
    }
  }
}
