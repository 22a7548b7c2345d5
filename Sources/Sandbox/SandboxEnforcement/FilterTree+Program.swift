// SPDX-License-Identifier: Apache-2.0

extension FilterTree {
  /// Returns the program, or `nil` if a jump is longer than 255 instructions, which is the limit of an
  /// instruction.
  ///
  /// The program expects the number of one of the architecture's calls in the accumulator. The tests of the
  /// tree come first, then their return instructions, then the argument-dependent instructions: a program
  /// only jumps forward.
  func program() -> [UInt8]? {
    guard let taken = argumentDependentInstructions(), let moved = moved(taken) else { return nil }
    guard let head = head(taken, reaching: .directly) ?? head(taken, reaching: .bySkips) else { return nil }
    var assembly = FilterAssembly()
    for instruction in head + moved { assembly.append(instruction) }
    return assembly.bytes
  }

  /// The way in which the tests reach the argument-dependent instructions.
  private enum Reach {
    /// By the jump offsets of the tests.
    case directly
    /// By unconditional jumps after the return instructions, which reach further.
    case bySkips
  }

  /// Returns the part of the program before the argument-dependent instructions, or `nil` if a jump is too
  /// long.
  private func head(_ taken: [Int], reaching reach: Reach) -> [FilterInstruction]? {
    var places: [Target: Int] = [:]
    var ends: [FilterInstruction] = []
    for case .answer(let value) in ranges.map(\.target) where places[.answer(value)] == nil {
      places[.answer(value)] = ranges.count - 1 + ends.count
      ends.append(.finish(value))
    }
    let entries = Set(ranges.map(\.target)).compactMap(\.instruction).sorted()
    let firstMoved = ranges.count - 1 + ends.count + (reach == .bySkips ? entries.count : 0)
    for entry in entries {
      guard let index = taken.firstIndex(of: entry) else { return nil }
      let own = ranges.count - 1 + ends.count
      places[.arguments(entry)] = reach == .bySkips ? own : firstMoved + index
      if reach == .bySkips { ends.append(.skip(firstMoved + index - own - 1)) }
    }
    var writer = Writer(places)
    guard writer.writeTests(ranges[...]) != nil else { return nil }
    return writer.tests + ends
  }

  /// Returns the indices of the original instructions that depend on arguments, in order, or `nil` if one is
  /// unknown.
  private func argumentDependentInstructions() -> [Int]? {
    var reached: Set<Int> = []
    var open = ranges.compactMap(\.target.instruction)
    while let place = open.popLast() {
      guard reached.insert(place).inserted else { continue }
      guard let next = successors(of: place), next.allSatisfy(original.indices.contains) else { return nil }
      open += next
    }
    return reached.sorted()
  }

  /// Returns the indices that an instruction can continue at, or `nil` if the instruction is unknown.
  private func successors(of place: Int) -> [Int]? {
    let instruction = original[place]
    return switch instruction.operation {
    case .load, .mask: [place + 1]
    case .test:
      [instruction.jumpTrue, instruction.jumpFalse].map {
        original.indexAfterRedundantTests(place + 1 + Int($0))
      }
    case .skip: [original.indexAfterRedundantTests(place + 1 + Int(instruction.value))]
    case .finish: []
    case .other: nil
    }
  }

  /// Returns the argument-dependent instructions without the instructions between them, or `nil` if a jump is
  /// too long. Instructions that followed each other still do.
  private func moved(_ taken: [Int]) -> [FilterInstruction]? {
    let places = Dictionary(uniqueKeysWithValues: zip(taken, 0...))
    var moved: [FilterInstruction] = []
    for place in taken {
      var instruction = original[place]
      let distances = (successors(of: place) ?? []).compactMap { places[$0] }.map { $0 - moved.count - 1 }
      switch instruction.operation {
      case .test:
        guard let jumpTrue = UInt8(exactly: distances[0]), let jumpFalse = UInt8(exactly: distances[1]) else {
          return nil
        }
        instruction.jumpTrue = jumpTrue
        instruction.jumpFalse = jumpFalse
      case .skip: instruction.value = UInt32(distances[0])
      case .load, .mask, .finish, .other: break
      }
      moved.append(instruction)
    }
    return moved
  }
}

extension FilterTree.Target {
  /// The index of the original instruction at which the argument-dependent part begins.
  fileprivate var instruction: Int? {
    guard case .arguments(let place) = self else { return nil }
    return place
  }
}

/// A writer of the tests of a tree.
private struct Writer {
  /// The tests written. There is one test between each two ranges.
  private(set) var tests: [FilterInstruction] = []
  /// The index of each target in the new program.
  private let places: [FilterTree.Target: Int]

  /// Creates a writer of tests that jump to the given indices.
  init(_ places: [FilterTree.Target: Int]) { self.places = places }

  /// Writes the tests that tell ranges apart. Returns the index of the first test, or `nil` if a jump is too
  /// long.
  mutating func writeTests(_ ranges: ArraySlice<FilterTree.Range>) -> Int? {
    guard ranges.count > 1 else { return ranges.first.flatMap { places[$0.target] } }
    let middle = ranges.startIndex + ranges.count / 2
    let own = tests.count
    tests.append(.test(.greaterOrEqual, ranges[middle].first))
    guard let below = writeTests(ranges[..<middle]), let above = writeTests(ranges[middle...]),
      let jumpFalse = UInt8(exactly: below - own - 1), let jumpTrue = UInt8(exactly: above - own - 1)
    else { return nil }
    tests[own].jumpFalse = jumpFalse
    tests[own].jumpTrue = jumpTrue
    return own
  }
}
