// SPDX-License-Identifier: Apache-2.0

internal import SessionStore

/// Checks that the names of a directory, separated by slashes, are sanitized to distinct names of valid
/// length, and that sanitizing them again changes nothing.
func checkNames(_ input: [UInt8]) throws(Contradiction) {
  let pieces = input.split { $0 == 0 || $0 == UInt8(ascii: "/") }.prefix(64).map { Array($0.prefix(255)) }
  let names = Set(pieces).subtracting([Array(".".utf8), Array("..".utf8)]).sorted {
    $0.lexicographicallyPrecedes($1)
  }
  for form in ContentRule.Form.allCases {
    // An input is too short for 64 digests, so a free name always exists.
    let new = try requireSuccess("a name has no digest") { () throws in try NamePlan.names(names, form) }
      .compactMap(\.self)
    try require(
      new.count == names.count && Set(new).count == names.count,
      "a name was lost in \(form) content"
    )
    try require(
      new.allSatisfy { (1...255).contains($0.count) },
      "a new name is too long or empty in \(form) content"
    )
    let again = try requireSuccess("a new name has no digest") { () throws in try NamePlan.names(new, form) }
    try require(again == new, "a new name does not stay in \(form) content")
  }
}
