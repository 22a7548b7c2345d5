// SPDX-License-Identifier: Apache-2.0

/// What the first bytes of a file say about how the kernel would start it.
enum ProgramHeader: Equatable {
  /// An ELF program for a machine (elf(5), `e_machine`).
  case elf(machine: String)
  /// A script and its first line, without `#!`.
  case script(line: String)
  /// Neither.
  case other

  /// How many bytes are looked at: as many as the kernel does (`BINPRM_BUF_SIZE`).
  static let length = 256

  /// Looks at the first bytes of a file.
  init(_ bytes: [UInt8]) {
    if bytes.starts(with: Array("#!".utf8)) {
      let line = bytes.dropFirst(2).prefix { $0 != UInt8(ascii: "\n") }
      self = .script(line: String(decoding: line, as: UTF8.self))
    } else if bytes.starts(with: [0x7F] + Array("ELF".utf8)), bytes.count >= 20 {
      self = Self.elf(bytes)
    } else {
      self = .other
    }
  }

  /// The path of a script's interpreter; nil if there is none, or if the kernel would look for it in the current
  /// directory.
  static func interpreter(in line: String) -> String? {
    // A file with CR LF at the ends of its lines names an interpreter that does not exist.
    guard !line.contains("\r"), let path = line.split(whereSeparator: { $0 == " " || $0 == "\t" }).first
    else {
      return nil
    }
    return path.hasPrefix("/") ? String(path) : nil
  }

  private static func elf(_ bytes: [UInt8]) -> ProgramHeader {
    let isLittleEndian = bytes[5] == 1
    func half(_ offset: Int) -> UInt16 {
      let (first, second) = (UInt16(bytes[offset]), UInt16(bytes[offset + 1]))
      return isLittleEndian ? first | second << 8 : first << 8 | second
    }
    // ET_EXEC and ET_DYN: objects and core dumps are no programs.
    guard half(16) == 2 || half(16) == 3 else { return .other }
    return .elf(machine: name(ofMachine: half(18), isWide: bytes[4] == 2, isLittleEndian: isLittleEndian))
  }

  /// A machine's name, as uname(2) has it where it is one that Darkroom runs on.
  private static func name(ofMachine machine: UInt16, isWide: Bool, isLittleEndian: Bool) -> String {
    switch (machine, isWide) {
    case (62, true): Architecture.x86.rawValue
    case (62, false): "x32"
    case (183, true) where isLittleEndian: Architecture.arm.rawValue
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
