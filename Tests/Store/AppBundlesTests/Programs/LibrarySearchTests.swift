// SPDX-License-Identifier: Apache-2.0

import AppBundles
import LinuxPrimitives
import Testing

@Suite struct LibrarySearchTests {
  /// Simulated files by path.
  private struct Files: LoaderFiles {
    var files: [String: DynamicProgram?]
    var cache: [String: [String]] = [:]

    func place(of path: String) -> String? {
      var names: [Substring] = []
      for name in path.split(separator: "/") {
        if name == ".." { _ = names.popLast() } else { names.append(name) }
      }
      let place = "/" + names.joined(separator: "/")
      return files[place] == nil ? nil : place
    }
    func program(at place: String) -> DynamicProgram? { files[place] ?? nil }
    func cachedPaths(of name: String) -> [String] { cache[name] ?? [] }
  }

  /// Returns a program as parsed from an ELF file with the given dependencies.
  private func program(_ libraries: String..., run: String? = nil, inherited: String? = nil) throws
    -> DynamicProgram
  {
    let paths = [(29, run), (15, inherited)].compactMap { tag, path in path.map { (UInt64(tag), $0) } }
    let entries = libraries.map { (UInt64(1), $0) } + paths
    let bytes = SampleProgram(loader: "/lib64/ld.so.2", entries: entries.map { (tag: $0.0, text: $0.1) })
      .bytes
    return try #require(DynamicProgram(byteReader(bytes)))
  }

  @Test func `finds libraries by run path, in standard directories and in the loader cache`() throws {
    let files = Files(
      files: ["/app/lib/liba.so": nil, "/usr/lib/x86_64-linux-gnu/libc.so.6": nil, "/opt/libd.so": nil],
      cache: ["libd.so": ["/gone/libd.so", "/opt/libd.so"], "libe.so": ["/gone/libe.so"]]
    )
    let program = try program(
      "liba.so",
      "libc.so.6",
      "libd.so",
      "libe.so",
      "ld.so.2",
      run: "${ORIGIN}/../lib"
    )
    let found = LibrarySearch(files).run(program, at: "/app/bin/tool")
    #expect(found.missing == ["libe.so"])
    #expect(found.places["liba.so"] == "/app/lib/liba.so")
    #expect(found.places["libc.so.6"] == "/usr/lib/x86_64-linux-gnu/libc.so.6")
    #expect(found.places["libd.so"] == "/opt/libd.so")
  }

  @Test
  func `searches DT_RUNPATH for direct libraries only and DT_RPATH for indirect ones as well`()
    throws
  {
    let plugin = try program("libb.so")
    let files = Files(files: ["/app/liba.so": plugin, "/app/libb.so": nil])
    let own = try program("liba.so", run: "$ORIGIN")
    // DT_RUNPATH applies only to the direct dependencies of the program.
    #expect(LibrarySearch(files).run(own, at: "/app/tool").missing == ["libb.so"])
    let forAll = try program("liba.so", inherited: "$ORIGIN")
    #expect(LibrarySearch(files).run(forAll, at: "/app/tool").missing == [])
  }

  @Test func `treats a name with a slash as a path and expands loader tokens`() throws {
    let files = Files(files: ["/opt/x/liba.so": nil, "/app/lib64/libb.so": nil])
    let program = try program(
      "/opt/x/liba.so",
      "/opt/y/liba.so",
      "relative/libc.so",
      "libb.so",
      run: "$ORIGIN/$LIB:relative:"
    )
    #expect(
      LibrarySearch(files).run(program, at: "/app/tool").missing == ["/opt/y/liba.so", "relative/libc.so"]
    )
  }

  @Test func `terminates on circular library dependencies`() throws {
    let files = Files(files: [
      "/usr/lib/liba.so": try program("libb.so"), "/usr/lib/libb.so": try program("liba.so", "libc.so"),
    ])
    #expect(LibrarySearch(files).run(try program("liba.so"), at: "/tool").missing == ["libc.so"])
  }

  @Test func `abandons an oversized search and reports only libraries it has searched for`()
    throws
  {
    let directories = (0..<64).map { "/directory-\($0)/$LIB" }.joined(separator: ":")
    let names = (0..<256).map { "lib\($0).so" }
    let entries = names.map { (tag: UInt64(1), text: $0) } + [(tag: UInt64(29), text: directories)]
    let program = try #require(DynamicProgram(byteReader(SampleProgram(entries: entries).bytes)))
    let missing = LibrarySearch(Files(files: [:])).run(program, at: "/tool").missing
    #expect(!missing.isEmpty && missing.count < 100 && missing == Array(names.prefix(missing.count)))
  }

  @Test func `parses the loader cache of this machine and corrupted variants`() throws {
    guard let bytes = try? FileSystem.contents("/etc/ld.so.cache") else { return }
    let cache = try #require(LoaderCache(bytes))
    #expect(cache.paths(of: "libc.so.6").contains { $0.hasSuffix("/libc.so.6") })
    #expect(cache.paths(of: "libc.so") == [] && cache.paths(of: "") == [])
    for end in stride(from: 0, to: bytes.count, by: max(1, bytes.count / 64)) {
      _ = LoaderCache(Array(bytes[..<end]))?.paths(of: "libc.so.6")
    }
    for place in 0..<256 {
      var other = bytes
      other[place] = 0xFF
      _ = LoaderCache(other)?.paths(of: "libc.so.6")
    }
  }
}
