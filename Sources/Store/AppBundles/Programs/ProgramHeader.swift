// SPDX-License-Identifier: Apache-2.0

/// The format of an executable file, determined by its first bytes.
package enum ProgramHeader: Equatable, Sendable {
  /// An ELF program for a machine (elf(5), `e_machine`).
  case elf(machine: String)
  /// A script and its first line, without `#!`.
  case script(line: String)
  /// Another format.
  case other

  /// The number of bytes that the kernel reads (`BINPRM_BUF_SIZE`).
  package static let length = 256

  /// Creates a header from the first bytes of a file.
  package init(_ bytes: [UInt8]) {
    if bytes.starts(with: Array("#!".utf8)) {
      let line = bytes.dropFirst(2).prefix { $0 != UInt8(ascii: "\n") }
      self = .script(line: String(decoding: line, as: UTF8.self))
    } else if bytes.starts(with: [0x7F] + Array("ELF".utf8)), bytes.count >= 20 {
      self = Self.elf(bytes)
    } else {
      self = .other
    }
  }

  /// Returns the path of a script's interpreter, or `nil` if there is none or the path is relative to the
  /// current directory.
  package static func interpreter(in line: String) -> String? {
    // With CR LF line endings, the line names an interpreter that does not exist.
    guard !line.contains("\r"), let path = words(line).first else { return nil }
    return path.hasPrefix("/") ? String(path) : nil
  }

  /// Returns the program name that env(1) searches in `PATH` for a script, or `nil` if the first line does
  /// not name env or has options other than `-S`.
  package static func nameForEnvironment(in line: String) -> String? {
    var words = words(line)[...]
    guard let path = words.popFirst(), path == "/usr/bin/env" || path == "/bin/env" else { return nil }
    if words.first == "-S" { words.removeFirst() }
    guard let name = words.first, !name.hasPrefix("-"), !name.contains("="), !name.contains("/") else {
      return nil
    }
    return String(name)
  }

  private static func words(_ line: String) -> [Substring] {
    line.split { $0 == " " || $0 == "\t" }
  }

  private static func elf(_ bytes: [UInt8]) -> ProgramHeader {
    let isLittleEndian = bytes[5] == 1
    func half(_ offset: Int) -> UInt16 {
      let (first, second) = (UInt16(bytes[offset]), UInt16(bytes[offset + 1]))
      return isLittleEndian ? first | second << 8 : first << 8 | second
    }
    // ET_EXEC and ET_DYN. Object files and core dumps are not programs.
    guard half(16) == 2 || half(16) == 3 else { return .other }
    return .elf(machine: name(ofMachine: half(18), isWide: bytes[4] == 2, isLittleEndian: isLittleEndian))
  }

  /// Returns the name of a machine, as in uname(2) for the architectures that Darkroom supports.
  private static func name(ofMachine machine: UInt16, isWide: Bool, isLittleEndian: Bool) -> String {
    switch (machine, isWide) {
    case (62, true): "x86_64"
    case (62, false): "x32"
    case (183, true) where isLittleEndian: "aarch64"
    case (183, _): "aarch64 in an unusual form"
    case (3, _): "i386"
    case (40, _): "arm"
    case (243, true): "riscv64"
    case (21, true): "ppc64"
    case (22, true): "s390x"
    default: "machine \(machine)"
    }
  }
}

/// A file that the kernel starts for a program.
package enum ProgramPart: String, Sendable, Hashable {
  /// The interpreter that the first line of a script names.
  case interpreter
  /// The loader that an ELF program names.
  case loader
}
