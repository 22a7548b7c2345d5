// SPDX-License-Identifier: Apache-2.0

import HostDiagnosis
import LaunchPlanning
import LinuxPrimitives
import TestSupport
import Testing

/// Tests of the libraries of optional features.
@Suite struct OptionalLibraryTests {
  /// Returns the file names in the calls of dlopen(3) in a source file.
  private func loadedFiles(_ path: String) throws -> [String] {
    let contents = try #require(try FileSystem.contents("\(PackageDirectory.path)/\(path)"))
    let calls = String(decoding: contents, as: UTF8.self).split(separator: "dlopen(\"").dropFirst()
    return calls.map { String($0.prefix { $0 != "\"" }) }
  }

  @Test func `contains each library that is loaded on first use`() throws {
    let folder = "Sources/System/Libraries"
    let headers = try FileSystem.names(in: "\(PackageDirectory.path)/\(folder)").map {
      "\(folder)/\($0)/shim.h"
    }
    let loaded = try (headers + ["Sources/Devices/CPipeWire/Library.c"]).flatMap(loadedFiles)
    #expect(loaded.count >= 8, "\(loaded)")
    let known = OptionalLibrary.allCases.map(\.rawValue)
    #expect(loaded.filter { !known.contains($0) } == [])
  }

  @Test(arguments: OptionalLibrary.allCases) func `loads each library on this machine`(
    library: OptionalLibrary
  ) {
    #expect(library.isLoadable, "\(library.rawValue)")
  }

  @Test func `reports each missing library with its features and its package`() {
    let findings = LibraryDiagnosis.findings(missing: [.png, .evdev])
    #expect(findings.map(\.name) == ["libraries", "libraries"])
    #expect(findings.map(\.state) == [.advice, .advice])
    #expect(findings.first?.detail == "PNG images require libpng16.so.16, which cannot be loaded")
    #expect(findings.first?.fixes.map(\.sentence) == ["Install the Debian package libpng16-16"])
  }

  @Test func `reports one finding without a fix if no library is missing`() {
    let findings = LibraryDiagnosis.findings(missing: [])
    #expect(findings.map(\.state) == [.present])
    #expect(findings.flatMap(\.fixes).isEmpty)
  }
}
