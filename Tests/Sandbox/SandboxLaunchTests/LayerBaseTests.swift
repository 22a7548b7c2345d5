// SPDX-License-Identifier: Apache-2.0

import LinuxPrimitives
import SandboxLaunch
import Testing

/// Layers that are mounted from one layer base.
@Suite struct LayerBaseTests {
  /// Host directories `one` and `two/deep`, which are shown, and `link`, a symbolic link to `one`.
  private struct Tree: ~Copyable {
    let path = "/tmp/darkroom-ground-\(Randomness.hexadecimal(bytes: 8))"

    init() throws {
      for name in ["one", "two/deep"] { try FileSystem.makeDirectories("\(path)/\(name)", mode: 0o755) }
      try FileSystem.replaceContents("\(path)/one/file", with: Array("first".utf8), mode: 0o644)
      try FileSystem.replaceContents("\(path)/two/deep/file", with: Array("second".utf8), mode: 0o644)
      try FileSystem.makeSymbolicLink("\(path)/link", to: "one")
    }

    deinit { try? FileSystem.removeTree(path) }

    /// Runs a shell command with layers of the tree at `/layers/0`, `/layers/1` and so on.
    func run(_ line: String, ground: RootItem, layers: [String]) throws -> String {
      let pipe = try Pipe.make()
      var plan = SandboxLauncherTests.plan(line, output: pipe.writeEnd.rawValue)
      plan.isolation.mountTable = .shown
      plan.root = [.directory(RootItem.emptyDirectory), ground] + plan.root + [.directory("layers")]
      for (number, name) in layers.enumerated() {
        plan.root.append(.directory("layers/\(number)"))
        plan.root.append(
          .layer(source: hostPath(name), target: "layers/\(number)", [.readOnly, .noExecution])
        )
      }
      let process = try SandboxLauncher.launch(plan)
      #expect(process.findings.layerFault == nil)
      let readEnd = pipe.takeReadEnd()
      let output = try readEnd.readAll(limit: 1 << 16) ?? []
      _ = try process.reap()
      return String(decoding: output, as: UTF8.self)
    }

    /// Returns a layer base with the given layers.
    func layerBase(over directory: String = "/sys", _ layers: [String]) -> RootItem {
      .layerBase(source: path, over: directory, layers: layers.map { hostPath($0) })
    }

    /// Returns the path of a name; the empty name is the tree.
    private func hostPath(_ name: String) -> String { name.isEmpty ? path : "\(path)/\(name)" }
  }

  /// Prints the files, the number of file systems and the overlayfs lines of the mount table.
  private static let look = """
    cat /layers/*/file; echo; stat -c %d /layers/* | sort -u | wc -l; grep -c ' - overlay ' /proc/self/mountinfo; \
    for place in /layers/*; do echo > $place/new; cp /bin/true $place/file; done 2>&-; ls /sys
    """

  @Test func `layers of a layer base are on one file system and nothing else of it is visible`() throws {
    let tree = try Tree()
    let layers = ["one", "two/deep"]
    #expect(try tree.run(Self.look, ground: tree.layerBase(layers), layers: layers) == "firstsecond\n1\n2\n")
    #expect(try FileSystem.names(in: "\(tree.path)/one") == ["file"])
  }

  @Test func `the source directory of a layer base can itself be a layer`() throws {
    let tree = try Tree()
    let output = try tree.run(
      "cat /layers/1/one/file /layers/0/file; stat -c %d /layers/* | sort -u | wc -l",
      ground: tree.layerBase(over: "/proc", ["one", ""]),
      layers: ["one", ""]
    )
    #expect(output == "firstfirst1\n")
  }

  @Test func `a layer that the layer base omits has its own file system`() throws {
    let tree = try Tree()
    let layers = ["one", "two/deep"]
    #expect(try tree.run(Self.look, ground: tree.layerBase(["one"]), layers: layers) == "firstsecond\n2\n2\n")
  }

  @Test func `each layer has its own file system if the layer base cannot be mounted`() throws {
    let tree = try Tree()
    let layers = ["one", "two/deep"]
    for place in ["/no/such/place", "/etc/passwd"] {
      let output = try tree.run(Self.look, ground: tree.layerBase(over: place, layers), layers: layers)
      #expect(output == "firstsecond\n2\n2\n", "\(place)")
    }
  }

  /// The target of a link may be on a file system with locks of the host.
  @Test func `a layer base does not follow symbolic links`() throws {
    let tree = try Tree()
    let layers = ["one", "link"]
    #expect(try tree.run(Self.look, ground: tree.layerBase(layers), layers: layers) == "firstfirst\n2\n2\n")
  }
}
