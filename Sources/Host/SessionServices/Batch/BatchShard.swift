// SPDX-License-Identifier: Apache-2.0

package import SessionStore

/// One of several parts of a list of inputs, for one process of several that share the work.
package struct BatchShard: Hashable, Sendable {
  /// The index of the part, from 0.
  package let index: Int
  /// The number of parts.
  package let count: Int

  /// The part that is the whole list.
  package static let whole = BatchShard(index: 0, count: 1)

  private init(index: Int, count: Int) { (self.index, self.count) = (index, count) }

  /// Creates a part from its index and the number of parts, or returns `nil` if there is no such part.
  package init?(_ index: Int, of count: Int) {
    guard count >= 1, (0..<count).contains(index) else { return nil }
    self.init(index: index, count: count)
  }

  /// Creates a part from text such as `2/8`, or returns `nil` if the text has any other form.
  package init?(_ text: String) {
    let parts = text.split(separator: "/", omittingEmptySubsequences: false)
    guard parts.count == 2, parts.allSatisfy({ $0.utf8.allSatisfy { (0x30...0x39).contains($0) } }),
      let index = Int(parts[0]), let count = Int(parts[1])
    else { return nil }
    self.init(index, of: count)
  }

  /// Returns every input whose position in the list belongs to this part.
  package func select(_ inputs: [BatchInput]) -> [BatchInput] {
    if count == 1 { return inputs }
    return stride(from: index, to: inputs.count, by: count).map { inputs[$0] }
  }

  /// Returns the name of the part's ledger. Each part has its own ledger.
  package func name(_ batch: String) -> String { count == 1 ? batch : "\(batch).\(index)-of-\(count)" }
}
