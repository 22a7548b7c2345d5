// SPDX-License-Identifier: Apache-2.0

extension ProcessHandle {
  /// So deep a tree is nobody's work; what lies deeper is left to the sandbox's init or the machine's.
  private static let mostLevels = 256

  /// Stops this process, whose number is `process`, and ends its children, theirs, and so on.
  borrowing func endDescendants(of process: Int32, level: Int = 0) {
    // Stopped, it starts nothing more and reaps none of its children, so that their numbers stay theirs.
    try? send(.stop)
    guard level < Self.mostLevels else { return }
    var seen: Set<Int32> = []
    // What was started while this looked is found by the next look; somebody who starts without end is given up.
    for _ in 0..<64 {
      let found = Self.children(of: process).filter { seen.insert($0).inserted }
      if found.isEmpty { return }
      for child in found { Self.endTree(child, below: process, level: level + 1) }
    }
  }

  /// Ends a child of a process and everything below it, unless the number is another's by now.
  private static func endTree(_ child: Int32, below parent: Int32, level: Int) {
    guard let handle = try? ProcessHandle.open(child), children(of: parent).contains(child) else { return }
    handle.endDescendants(of: child, level: level)
    try? handle.send(.kill)
  }

  /// The children of a process.
  private static func children(of process: Int32) -> [Int32] {
    guard let facts = ProcessFacts(process) else { return [] }
    return facts.threads.flatMap { facts.children(of: $0) }
  }
}
