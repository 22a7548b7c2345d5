// SPDX-License-Identifier: Apache-2.0

extension CallSet {
  /// Returns the set as regions. Calls with the same conditions are grouped; the order is by architecture and
  /// number.
  package func regions() throws(AnalysisError) -> [CallRegion] {
    var reader = RegionReader(space: space)
    return try reader.regions(of: node)
  }

  /// Returns the set as regions with a limited number of alternatives each.
  ///
  /// A region with more alternatives has only the first ones, and is not complete. The result has regions
  /// even if no conditions describe the set briefly.
  package func abridgedRegions(maximumAlternatives: Int) throws(AnalysisError) -> [CallRegion] {
    var reader = RegionReader(space: space, maximumAlternatives: maximumAlternatives)
    return try reader.regions(of: node)
  }

  /// Returns the numbers of an architecture's calls that are in the set with at least some arguments.
  package func numbers(on token: UInt32) throws(AnalysisError) -> [ClosedRange<UInt32>] {
    let part = try intersection(try space.architecture(token))
    guard !part.isEmpty else { return [] }
    let reader = RegionReader(space: space)
    let below = reader.descend(part.node, word: 1, token)
    return try reader.intervals(of: below, word: 0).filter { $0.exit != DecisionTable.emptySet }
      .reduce(into: []) { ranges, interval in
        if let last = ranges.last, last.upperBound + 1 == interval.range.lowerBound {
          ranges[ranges.count - 1] = last.lowerBound...interval.range.upperBound
        } else {
          ranges.append(interval.range)
        }
      }
  }
}
