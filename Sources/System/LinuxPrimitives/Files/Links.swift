// SPDX-License-Identifier: Apache-2.0

internal import CLinux

extension FileSystem {
  /// Creates a hard link in the same directory (linkat(2)). A symbolic link itself gets the second name.
  package static func link(
    _ name: String,
    as other: String,
    in directory: borrowing Descriptor
  ) throws(SystemCallError) {
    let raw = directory.rawValue
    try check("linkat", path: other) { linkat(raw, name, raw, other, 0) }
  }

  /// Returns the target of a symbolic link (readlinkat(2)).
  package static func linkTarget(_ path: String, in base: PathBase = .current) throws(SystemCallError)
    -> String
  {
    var target = [CChar](repeating: 0, count: Int(PATH_MAX))
    let count = try check("readlinkat", path: path) {
      readlinkat(base.rawValue, path, &target, target.count)
    }
    return String(decoding: target[..<count].map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  /// Creates a symbolic link (symlinkat(2)).
  package static func makeSymbolicLink(
    _ path: String,
    in base: PathBase = .current,
    to target: String
  ) throws(SystemCallError) {
    try check("symlinkat", path: path) { symlinkat(target, base.rawValue, path) }
  }
}

extension Descriptor {
  /// Returns the target of a symbolic link in this open directory, whose name can be any bytes
  /// (readlinkat(2)). No link is followed.
  package borrowing func linkTarget(of name: [UInt8]) throws(SystemCallError) -> String {
    let raw = rawValue
    let name = name.map { CChar(bitPattern: $0) } + [0]
    var target = [CChar](repeating: 0, count: Int(PATH_MAX))
    let count = try check("readlinkat") { readlinkat(raw, name, &target, target.count) }
    return String(decoding: target[..<count].map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }
}
