// SPDX-License-Identifier: Apache-2.0

import Glibc
import SystemCalls
import Testing

@Suite struct ConstantFamilyTests {
  /// Returns every constant with its value on an architecture.
  static func values(on architecture: CallArchitecture) -> [(name: String, value: UInt64)] {
    var values: [String: UInt64] = [:]
    for family in ConstantFamily.all {
      for constant in family.constants {
        guard let value = family.value(of: constant.name, on: architecture) else { continue }
        values[constant.name] = value
      }
    }
    return values.map { ($0.key, $0.value) }.sorted { $0.name < $1.name }
  }

  /// Compares all constants with the kernel headers and, if these lack a constant, with the C library
  /// headers.
  static func compare(_ architecture: CallArchitecture, _ options: String, kernel: String) throws {
    let all = values(on: architecture)
    let first = try HeaderCompiler.compare(all, with: kernel, options: options)
    #expect(first.different.isEmpty)
    let rest = all.filter { first.unknown.contains($0.name) }
    let second = try HeaderCompiler.compare(rest, with: HeaderCompiler.libraryHeaders, options: options)
    #expect(second.different.isEmpty)
    // The remaining constants are newer than the headers.
    #expect(second.unknown.count * 10 < all.count, "\(second.unknown.sorted())")
    #expect(all.count > 1500)
  }

  @Test(
    .enabled(if: CallArchitecture.native == .x86, "the headers of x86 are not installed"),
    .timeLimit(.minutes(20)),
    arguments: [(CallArchitecture.x86, "-m64"), (.i386, "-m32"), (.x32, "-mx32")]
  )
  func `constants match the native kernel headers`(architecture: CallArchitecture, option: String) throws {
    let include = "-isystem /usr/include/x86_64-linux-gnu"
    let kernel = HeaderCompiler.kernelHeaders + " asm/prctl.h"
    try Self.compare(architecture, "\(option) \(include)", kernel: kernel)
  }

  @Test(
    .enabled(
      if: access("/usr/aarch64-linux-gnu/include/asm/fcntl.h", R_OK) == 0,
      "the headers of aarch64 (libc6-dev-arm64-cross) are not installed"
    ),
    .timeLimit(.minutes(20))
  )
  func `constants match the arm64 kernel headers`() throws {
    let include = "-nostdlibinc -isystem /usr/aarch64-linux-gnu/include"
    try Self.compare(.arm64, "--target=aarch64-linux-gnu \(include)", kernel: HeaderCompiler.kernelHeaders)
  }

  @Test func `the header comparison finds a wrong constant (control)`() throws {
    let values: [(String, UInt64)] = [("O_CREAT", 0x40), ("O_EXCL", 0x81), ("O_NOTHING", 1)]
    let comparison = try HeaderCompiler.compare(values, with: "linux/fcntl.h", options: "-m64")
    #expect(comparison.different == ["O_EXCL"] && comparison.unknown == ["O_NOTHING"])
  }

  @Test func `distinguishes values from flags and prefers the widest flag`() {
    let types = ConstantFamily.named("SocketType")
    #expect(types?.text(for: 0x80805) == "SOCK_SEQPACKET|SOCK_NONBLOCK|SOCK_CLOEXEC")
    #expect(types?.text(for: 0x80007) == "SOCK_CLOEXEC|0x7")
    #expect(types?.text(for: 0x7) == nil)
    let open = ConstantFamily.named("OpenFlags")
    #expect(open?.text(for: 0x101000, on: .x86) == "O_RDONLY|O_SYNC")
    #expect(open?.text(for: 0x1000, on: .x86) == "O_RDONLY|O_DSYNC")
    #expect(ConstantFamily.named("MessageFlags")?.text(for: 0) == "0")
    #expect(ConstantFamily.named("AddressFamily")?.value(of: "AF_VSOCK") == 40)
    #expect(ConstantFamily.named("NoSuchFamily") == nil)
  }

  @Test func `names are unique in a family, and equal names have equal values`() {
    var everywhere: [String: UInt64] = [:]
    for family in ConstantFamily.all {
      #expect(Set(family.constants.map(\.name)).count == family.constants.count, "\(family.name)")
      for constant in family.constants {
        guard let value = constant.value(on: .x86) else { continue }
        #expect(everywhere[constant.name, default: value] == value, "\(constant.name)")
        everywhere[constant.name] = value
      }
    }
  }
}
