// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import SessionStore

/// The naming rule for one directory.
@Suite struct NamePlanTests {
  /// Returns the new names, keyed by the old ones.
  static func apply(_ names: [[UInt8]], _ form: ContentRule.Form = .portable) throws -> [[UInt8]: [UInt8]] {
    let new = try NamePlan.names(names, form).map { try #require($0) }
    return Dictionary(uniqueKeysWithValues: zip(names, new))
  }

  /// Returns the new names in the order of the old ones, as bytes because strings compare by canonical
  /// equivalence.
  private static func renamed(_ names: [String], _ form: ContentRule.Form = .portable) throws -> [[UInt8]] {
    let result = try apply(bytes(names), form)
    return try bytes(names).map { try #require(result[$0]) }
  }

  private static func bytes(_ names: [String]) -> [[UInt8]] { names.map { Array($0.utf8) } }

  // MARK: - Examples

  @Test(arguments: [
    ["IMG.JPG", "img.jpg"], ["Straße.txt", "strasse.TXT"], ["\u{13A0}", "\u{AB70}"], ["ΣΊΣΥΦΟΣ", "σίσυφος"],
    ["K", "\u{212A}"],
    ["\u{1E9E}", "SS"],
    ["e\u{301}.jpg", "\u{E9}.jpg"], ["❤", "❤\u{FE0F}"],
  ])
  func `keeps the first of names that differ only by case, normal form or invisible characters`(
    _ names: [String]
  ) throws {
    let (old, new) = (Self.bytes(names), try Self.renamed(names))
    let first = try #require(old.min { $0.lexicographicallyPrecedes($1) })
    #expect(zip(old, new).filter { $0 == $1 }.map(\.0) == [first])
    #expect(try Self.renamed(names, .asWritten) == old)
    #expect(try Self.renamed(names.reversed()) == new.reversed())
  }

  @Test func `a displaced name keeps its extension`() throws {
    let new = String(decoding: try Self.renamed(["IMG.JPG", "img.jpg"])[1], as: UTF8.self)
    #expect(new.wholeMatch(of: /img~[0-9a-f]{12}\.jpg/) != nil, "\(new)")
  }

  @Test(arguments: [
    ["ılık.jpg", "ilik.jpg"], ["İ.jpg", "i.jpg"], ["a.jpg", "á.jpg"], ["a.jpg", "а.jpg"], ["ﬁ", "fj"],
    ["A", "B"],
  ])
  func `keeps names with different letters`(_ names: [String]) throws {
    #expect(try Self.renamed(names) == Self.bytes(names))
  }

  @Test func `a changed name collides with no other name regardless of case`() throws {
    let names = ["a\n", "A%0a", "-x", "%2dX"]
    let new = try Self.renamed(names)
    #expect(new[1] == Array("A%0a".utf8) && new[3] == Array("%2dX".utf8))
    #expect(Set(new.map { $0.map(NameBytes.lowercase) }).count == 4)
  }

  /// Directories that git takes for a repository although none of their names is reserved.
  @Test(arguments: [
    ["HEAD", "objects", "refs", "config"], ["Head", "OBJECTS", "refs"], ["head", "HEAD", "objects", "refs"],
    ["HEAD", "commondir", "elsewhere"],
  ])
  func `renames HEAD in a directory that git takes for a bare repository`(_ names: [String]) throws {
    for (old, new) in zip(Self.bytes(names), try Self.renamed(names)) {
      let isHead = old.map(NameBytes.lowercase) == Array("head".utf8)
      #expect(isHead ? new.first == UInt8(ascii: "%") : new == old)
    }
    #expect(try Self.renamed(names, .asWritten) == Self.bytes(names))
  }

  @Test(arguments: [
    ["HEAD", "objects"], ["HEAD", "refs"], ["objects", "refs", "config"], ["HEAD.txt", "objects", "refs"],
  ])
  func `keeps the names of a directory that git does not take for a repository`(_ names: [String]) throws {
    #expect(try Self.renamed(names) == Self.bytes(names))
  }

  // MARK: - Properties, of random directories

  @Test(arguments: 0..<200) func `a plan satisfies its invariants for random directories`(_ seed: UInt64)
    throws
  {
    var random = NameGenerator(seed: seed)
    let names = random.directory()
    for form in ContentRule.Form.allCases {
      let result = try Self.apply(names, form)
      let new = Array(result.values)
      let report = "seed \(seed): " + names.map(FileName.formerText).joined(separator: " ")
      // Every new name is deliverable and at most 255 bytes long.
      for name in new { #expect(NameSpelling.fault(name, form) == nil && name.count <= 255, "\(report)") }
      // No two new names are equal on any file system.
      #expect(Set(new.map { NameKey($0, form) }).count == names.count, "\(report)")
      // The plan for the new names changes nothing.
      #expect(NamePlan(new, form).changes.isEmpty, "\(report)")
      // The plan does not depend on the order of the names.
      #expect(try Self.apply(names.shuffled(using: &random), form) == result, "\(report)")
      // A name changes only for a reason.
      for (old, new) in result where old != new {
        let collides = names.contains { $0 != old && NameKey($0, form) == NameKey(old, form) }
        let isHead = old.map(NameBytes.lowercase) == Array("head".utf8)
        #expect(
          NameSpelling.fault(old, form) != nil || form == .portable && (collides || isHead),
          "\(report)"
        )
      }
    }
  }

  @Test(arguments: 0..<200)
  func `a plan interrupted after any changes leads to the same names`(
    _ seed: UInt64
  ) throws {
    var random = NameGenerator(seed: seed &+ 1000)
    let names = random.directory()
    let whole = try Self.apply(names)
    let changed = whole.filter { $0 != $1 }.map(\.key)
    for _ in 0..<8 {
      // A power failure can lose any of the renames, not only the last one.
      let done = Set(changed.filter { _ in Bool.random(using: &random) })
      let current = names.map { done.contains($0) ? whole[$0] ?? $0 : $0 }
      let rest = try Self.apply(current)
      for (old, now) in zip(names, current) {
        #expect(rest[now] == whole[old], "seed \(seed): \(names.map(FileName.formerText))")
      }
    }
  }
}
