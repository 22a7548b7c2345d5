// SPDX-License-Identifier: Apache-2.0

import LinuxPrimitives
import SandboxLaunch
import SessionStore
import Testing

@testable import LaunchPlanning

/// Selection of the layers that are mounted from one layer base.
@Suite struct LayerBasePlanTests {
  /// Host directories `one` and `two/deep`, and `link`, a symbolic link to `one`.
  private struct Tree: ~Copyable {
    let path: String

    init() throws {
      let made = "/var/tmp/darkroom-ground-\(Randomness.hexadecimal(bytes: 8))"
      for name in ["one", "two/deep"] { try FileSystem.makeDirectories("\(made)/\(name)", mode: 0o755) }
      try FileSystem.makeSymbolicLink("\(made)/link", to: "one")
      path = try FileSystem.realPath(made)
    }

    deinit { try? FileSystem.removeTree(path) }

    /// Returns the root of a session with shown paths and mounts. Names without a slash are relative to the
    /// tree.
    func root(isRoot: Bool, mounts: [String] = ["/"], _ names: [String]) throws -> SandboxRoot {
      let table = mounts.map { "1 1 8:1 / \($0.first == "/" ? $0 : "\(path)/\($0)") rw - ext4 none rw\n" }
        .joined()
      var root = SandboxRoot(mounts: MountPoints(table: Array(table.utf8)))
      for (number, name) in names.enumerated() {
        try root.show(name.first == "/" ? name : "\(path)/\(name)", as: "/shown/\(number)")
      }
      root.addSession(Self.session, scratchBytes: 4096)
      root.addSharedLayer(for: isRoot ? .other(user: 70_000, group: 70_000) : .caller)
      return root
    }

    /// Returns the layer base with names relative to the tree, or `nil` if there is none.
    func layerBase(isRoot: Bool, mounts: [String] = ["/"], _ names: [String]) throws -> ExpectedLayerBase? {
      let items = try root(isRoot: isRoot, mounts: mounts, names).items
      #expect(items.count(where: \.isLayerBase) <= 1)
      guard case .layerBase(let source, let place, let layers)? = items.first(where: \.isLayerBase) else {
        return nil
      }
      return ExpectedLayerBase(source: name(source), over: place, layers: layers.map { name($0) })
    }

    private func name(_ path: String) -> String {
      path == self.path ? "." : path.hasPrefix(self.path) ? String(path.dropFirst(self.path.count + 1)) : path
    }

    private static var session: LaunchPlanner.Session {
      LaunchPlanner.Session(
        id: .random(),
        files: .init(content: "/content", library: "/library", assets: "/usr"),
        context: [],
        standard: [0, 1, 2],
        named: [],
        identity: .caller
      )
    }
  }

  /// The expected layer base.
  private struct ExpectedLayerBase: Equatable {
    var source: String
    var over = "/sys"
    var layers: [String]
  }

  @Test func `the layer base covers one mount for root and one directory for other users`() throws {
    let tree = try Tree()
    let names = ["/usr", "one", "two/deep"]
    #expect(try tree.layerBase(isRoot: true, names) == ExpectedLayerBase(source: "/", layers: names))
    #expect(
      try tree.layerBase(isRoot: false, names) == ExpectedLayerBase(source: ".", layers: ["one", "two/deep"])
    )
    #expect(
      try tree.layerBase(isRoot: true, ["one", "two/deep"])
        == ExpectedLayerBase(source: ".", layers: ["one", "two/deep"])
    )
    let nested = ["two", "two/deep"]
    #expect(try tree.layerBase(isRoot: false, nested) == ExpectedLayerBase(source: "two", layers: nested))
  }

  @Test func `uses no layer base for one layer, a symbolic link or the assets`() throws {
    let tree = try Tree()
    #expect(try tree.layerBase(isRoot: true, ["/usr"]) == nil)
    #expect(try tree.layerBase(isRoot: true, ["one", "link"]) == nil)
    #expect(try tree.layerBase(isRoot: true, []) == nil)
  }

  /// A layer base would show the directory below a mount instead of the mounted file system.
  @Test func `the layer base omits separately mounted directories`() throws {
    let tree = try Tree()
    let mounts = ["/", "/usr"]
    let parts = ["one", "two/deep"]
    #expect(
      try tree.layerBase(isRoot: true, mounts: mounts, ["/usr"] + parts)
        == ExpectedLayerBase(source: ".", layers: parts)
    )
    #expect(try tree.layerBase(isRoot: true, mounts: ["/", "one"], parts) == nil)
    #expect(try tree.layerBase(isRoot: true, mounts: ["/", "two"], parts) == nil)
    // The name only shares a prefix with the name of a mount.
    #expect(
      try tree.layerBase(isRoot: true, mounts: ["/", "tw"], parts)
        == ExpectedLayerBase(source: ".", layers: parts)
    )
  }

  /// The kernel refuses this to unprivileged users.
  @Test func `only root has a layer base in a directory with other mounts`() throws {
    let tree = try Tree()
    let (mounts, parts) = (["/", "apart"], ["one", "two/deep"])
    #expect(try tree.layerBase(isRoot: false, mounts: mounts, parts) == nil)
    #expect(
      try tree.layerBase(isRoot: true, mounts: mounts, parts) == ExpectedLayerBase(source: ".", layers: parts)
    )
  }

  @Test func `places the layer base over an unused directory or omits it`() throws {
    let tree = try Tree()
    let parts = ["one", "two/deep"]
    let kernel = "/sys/kernel"
    let process = "/proc/self/status"
    #expect(try tree.layerBase(isRoot: true, [kernel] + parts)?.over == "/proc")
    #expect(try tree.layerBase(isRoot: true, [process] + parts)?.over == "/sys")
    #expect(try tree.layerBase(isRoot: true, [kernel, process] + parts) == nil)
  }

  @Test func `session items follow the layer base in the root`() throws {
    let tree = try Tree()
    let root = try tree.root(isRoot: true, ["one", "two/deep"])
    #expect(root.items[0] == .directory(RootItem.emptyDirectory))
    #expect(root.items[1].isLayerBase)
    let places = [root.own.content, root.own.library, root.own.assets, root.own.container, root.own.context]
    let targets = try places.map { root.items[try #require($0)].target }
    #expect(targets == ["/session", "/library", "/assets", "/container", "/app-context.json"])
    #expect(try tree.root(isRoot: true, ["one"]).items[1].isLayerBase == false)
  }
}
