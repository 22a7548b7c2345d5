// SPDX-License-Identifier: Apache-2.0

import JSONText
import LinuxPrimitives

/// The launched programs.
enum Payload: String, CaseIterable {
  /// Writes a byte. The program is static, so that the measurement excludes the dynamic linker.
  case staticC = "static C"
  /// The same with a dynamic C library.
  case dynamicC = "dynamic C"
  /// The same in Swift with a static runtime.
  case staticSwift = "static Swift"
  /// The same in Swift with a dynamic runtime.
  case dynamicSwift = "dynamic Swift"
  /// Writes a byte and waits.
  case hold
  /// Measures system calls.
  case calls
  /// Prints its confinement.
  case claims
  /// Exchanges messages in the extension protocol.
  case talk
  /// Shows the camera's frames.
  case viewfinder
  /// Records when it receives its session.
  case waiting

  /// The programs that write a byte and exit.
  static let quick = [Payload.staticC, .dynamicC, .staticSwift, .dynamicSwift]

  /// The file name.
  var file: String { rawValue.split(separator: " ").joined(separator: "-") }

  private var source: String {
    switch self {
    case .staticC, .dynamicC: "first-byte.c"
    case .staticSwift, .dynamicSwift: "first-byte.swift"
    default: "\(rawValue).c"
    }
  }

  /// The compiler and its options, without the files.
  private var compiler: [String] {
    switch self {
    case .staticSwift: ["swiftc", "-O", "-static-executable"]
    // The required libraries are copied next to the program, because a sandbox does not show the toolchain.
    case .dynamicSwift:
      ["swiftc", "-O", "-no-toolchain-stdlib-rpath", "-Xlinker", "-rpath", "-Xlinker", "$ORIGIN/lib"]
    case .dynamicC: ["cc", "-O2"]
    default: ["cc", "-O2", "-static", "-pthread"]
    }
  }

  /// Compiles all programs into a directory, which is then a bundle. Returns the available programs and notes
  /// about the missing ones.
  static func compile(into directory: String) throws -> (available: Set<Payload>, missingNotes: [String]) {
    var missingNotes: [String] = []
    var available: Set<Payload> = []
    let sources = FileSystem.directoryName(FileSystem.directoryName(FileSystem.directoryName(#filePath)))
    for payload in allCases {
      let files = ["\(sources)/Payloads/\(payload.source)", "-o", "\(directory)/\(payload.file)"]
      if try SpawnedProgram.output(payload.compiler + files) != nil {
        available.insert(payload)
      } else if payload.compiler.first == "cc" {
        throw BenchmarkError.noCompiler(payload.source)
      } else {
        missingNotes.append("\(payload.rawValue) is left out: swiftc does not make it here")
      }
    }
    if available.contains(.dynamicSwift) { try copyLibraries(of: .dynamicSwift, in: directory) }
    return (available, missingNotes)
  }

  /// Copies the parts of the Swift runtime that a program loads.
  private static func copyLibraries(of payload: Payload, in directory: String) throws {
    let facts = try JSONNode.parse(try SpawnedProgram.output(["swiftc", "-print-target-info"]) ?? "null")
      .value
    guard let runtime = facts["paths"]?["runtimeResourcePath"]?.string else {
      throw BenchmarkError.unexpectedContents("swiftc -print-target-info")
    }
    let libraries = "\(runtime)/linux"
    try FileSystem.makeDirectories("\(directory)/lib", mode: 0o755)
    let program = "\(directory)/\(payload.file)"
    let loaded = try SpawnedProgram.output(["LD_LIBRARY_PATH=\(libraries)", "ldd", program]) ?? ""
    for line in loaded.split(separator: "\n") where line.contains("=> \(libraries)/") {
      guard let name = line.split(whereSeparator: { $0 == " " || $0 == "\t" }).first else { continue }
      try FileSystem.copyFile("\(libraries)/\(name)", to: "\(directory)/lib/\(name)", mode: 0o755)
    }
  }
}
