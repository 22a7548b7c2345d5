// SPDX-License-Identifier: Apache-2.0

internal import CLinux

extension FileSystem {
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
  package static func makeLink(
    _ path: String,
    in base: PathBase = .current,
    to target: String
  ) throws(SystemCallError) {
    try check("symlinkat", path: path) { symlinkat(target, base.rawValue, path) }
  }

  /// Creates a symbolic link (symlinkat(2)).
  package static func makeSymbolicLink(
    _ path: String,
    in base: PathBase = .current,
    to target: String
  ) throws(SystemCallError) {
    try check("symlinkat", path: path) { symlinkat(target, base.rawValue, path) }
  }

  /// Sets the permission bits of an open file (fchmod(2)).
  package static func setPermissions(
    _ descriptor: borrowing Descriptor,
    _ mode: UInt32
  ) throws(SystemCallError) {
    let raw = descriptor.rawValue
    try check("fchmod") { fchmod(raw, mode) }
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
