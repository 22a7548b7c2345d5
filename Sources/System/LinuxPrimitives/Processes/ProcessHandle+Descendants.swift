// SPDX-License-Identifier: Apache-2.0

extension ProcessHandle {
  /// The maximum depth of the tree. Deeper processes are left to the init of the sandbox or of the machine.
  private static let maximumDepth = 256

  /// Stops this process, whose ID is `process`, and kills all its descendants.
  borrowing func killDescendants(of process: Int32, level: Int = 0) {
    // A stopped process starts no children and reaps none, so the PIDs of its children are not reused.
    try? send(.stop)
    guard level < Self.maximumDepth else { return }
    var seen: Set<Int32> = []
    // Each iteration finds the children that were started during the previous one. The limit ends the loop
    // for a process that starts children endlessly.
    for _ in 0..<64 {
      let found = Self.children(of: process).filter { seen.insert($0).inserted }
      if found.isEmpty { return }
      for child in found { Self.killTree(child, below: process, level: level + 1) }
    }
  }

  /// Kills a child of a process and all its descendants, unless the PID belongs to another process by now.
  private static func killTree(_ child: Int32, below parent: Int32, level: Int) {
    guard let handle = try? ProcessHandle.open(child), children(of: parent).contains(child) else { return }
    handle.killDescendants(of: child, level: level)
    try? handle.send(.kill)
  }

  /// Returns the children of a process.
  private static func children(of process: Int32) -> [Int32] {
    guard let facts = ProcessFacts(process) else { return [] }
    return facts.threads.flatMap { facts.children(of: $0) }
  }
}
