// SPDX-License-Identifier: Apache-2.0

import AppBundles
import LinuxPrimitives
import TestSupport
import Testing

@Suite struct BundleFileTests {
  /// Returns an ELF header for a machine, padded to the size that the kernel requires.
  private func elf(machine: UInt8, wide: Bool = true, type: UInt8 = 2) -> [UInt8] {
    [0x7F, 0x45, 0x4C, 0x46, wide ? 2 : 1, 1, 1] + [UInt8](repeating: 0, count: 9) + [type, 0, machine, 0]
      + [UInt8](repeating: 0, count: 44)
  }

  /// Returns the diagnostics of the sample bundle if its program consists of the given bytes.
  private func faults(program: [UInt8], mode: UInt32 = 0o755, architectures: String? = nil) throws -> [String]
  {
    let sample = try SampleBundle()
    try sample.write("Extensions/Capture/bin/capture", program, mode: mode)
    let declared = architectures.map { "\"architectures\": \($0)," } ?? ""
    let file = "Extensions/Capture/extension.json"
    try sample.change(file, #""architectures": ["x86_64", "aarch64"],"#, to: declared)
    return ManifestValidator(machine: "x86_64").validate(sample.path).diagnostics.map {
      "\($0.severity) \($0.reason)"
    }
  }

  @Test func `requires the executable bit of a program`() throws {
    #expect(try faults(program: elf(machine: 62), mode: 0o644) == [#"error "bin/capture" is not executable"#])
  }

  @Test func `requires an ELF file or a script as a program`() throws {
    let sentence = #"error "bin/capture" is neither an ELF program nor a script"#
    #expect(try faults(program: []) == [sentence])
    #expect(try faults(program: Array("echo hello\n".utf8)) == [sentence])
    #expect(try faults(program: elf(machine: 62, type: 1)) == [sentence])
    #expect(try faults(program: [0x7F, 0x45, 0x4C, 0x46]) == [sentence])
  }

  @Test func `requires a program for an architecture that is declared and is that of this machine`() throws {
    #expect(try faults(program: elf(machine: 62)) == [])
    #expect(try faults(program: elf(machine: 62), architectures: #"["x86_64","aarch64"]"#) == [])
    #expect(
      try faults(program: elf(machine: 183)) == [
        "error the extension is for aarch64, but this machine is x86_64"
      ]
    )
    #expect(
      try faults(program: elf(machine: 183), architectures: #"["x86_64"]"#)
        == ["error the program is for aarch64, but the manifest declares x86_64"]
    )
    #expect(
      try faults(program: elf(machine: 3, wide: false)) == [
        "error the extension is for i386, but this machine is x86_64"
      ]
    )
  }

  @Test func `requires an absolute interpreter path in the first line of a script`() throws {
    #expect(try faults(program: Array("#! /bin/sh -e\n".utf8)) == [])
    #expect(
      try faults(program: Array("#!sh\n".utf8)) == [
        ##"error the script's first line "#!sh" does not contain an absolute path"##
      ]
    )
    #expect(try faults(program: Array("#!/bin/sh\r\n".utf8)).count == 1)
    #expect(
      try faults(program: Array("#!/opt/nothing/here\n".utf8)) == [
        "warning the script's interpreter /opt/nothing/here does not exist on this machine"
      ]
    )
  }

  @Test func `refuses symbolic links that leave the bundle`() throws {
    let sample = try SampleBundle()
    try FileSystem.makeSymbolicLink("\(sample.path)/absolute", to: "/etc/passwd")
    try FileSystem.makeSymbolicLink("\(sample.path)/up", to: "../secret")
    try FileSystem.makeSymbolicLink("\(sample.path)/here", to: ".")
    try FileSystem.makeSymbolicLink("\(sample.path)/round", to: "here/../../secret")
    try FileSystem.makeSymbolicLink("\(sample.path)/dangling", to: "nothing")
    let names = ManifestValidator().validate(sample.path).diagnostics.map(\.file)
    #expect(names == ["absolute", "round", "up"])
  }

  @Test func `refuses special files and set-user-ID files`() throws {
    let sample = try SampleBundle()
    try runShell("mkfifo '\(sample.path)/fifo'")
    try runShell("cd '\(sample.path)' && touch a && chmod 4755 a && ln a b")
    #expect(
      sample.faults() == [
        "a: the file is set-user-ID or set-group-ID and has 2 hard links; clear the bits with chmod u-s,g-s",
        "b: the file is set-user-ID or set-group-ID and has 2 hard links; clear the bits with chmod u-s,g-s",
        "fifo: this is a FIFO; remove it, because a bundle may contain only files, directories and links inside the "
          + "bundle",
      ]
    )
  }

  @Test func `refuses a file name that is not UTF-8`() throws {
    let sample = try SampleBundle()
    try runShell("touch \"$(printf '\(sample.path)/a\\377')\"")
    #expect(ManifestValidator().validate(sample.path).diagnostics.map(\.fault) == [.nonUTF8Name])
  }

  @Test func `accepts a policy file inside the extension`() throws {
    let sample = try SampleBundle()
    try sample.write("Extensions/Capture/own.json", "{}")
    try sample.change(
      "Extensions/Capture/extension.json",
      #""policy": "capture""#,
      to: #""policy": "own.json""#
    )
    let bundle = ManifestValidator(machine: "x86_64").validate(sample.path).bundle
    #expect(bundle?.extensions.first?.manifest.policy == .file("own.json"))
  }

  @Test func `reports a regular file in the Extensions directory`() throws {
    let sample = try SampleBundle()
    try sample.write("Extensions/README", "hello")
    #expect(
      sample.faults() == [
        "Extensions/README: this is a regular file, not the directory of an extension; remove it, or replace it with a "
          + "directory that contains extension.json"
      ]
    )
  }

  @Test func `accepts a bundle without extensions with a warning`() throws {
    let sample = try SampleBundle()
    try sample.write("app.json", #"{"id":"org.example.camera","name":"C"}"#)
    try FileSystem.removeTree("\(sample.path)/Extensions")
    let report = ManifestValidator().validate(sample.path)
    #expect(report.bundle != nil)
    #expect(report.warnings.map(\.fault) == [.noExtensions])
  }
}
