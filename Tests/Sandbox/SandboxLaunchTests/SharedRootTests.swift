// SPDX-License-Identifier: Apache-2.0

import LinuxPrimitives
import SandboxLaunch
import Testing

/// Roots whose items are shared by many sessions, except for items of a single session.
@Suite struct SharedRootTests {
  /// The items that a session overrides.
  private struct SessionItems {
    var content: String
    var context = "{}"
    var scratch = 65536
    /// Whether the session has its own scratch space instead of the shared one.
    var hasScratch = true
  }

  /// The shared items, with placeholders for session content.
  private static let sharedItems = CommonRoot(
    items(SessionItems(content: "/no/such/place", context: "nobody's", scratch: 4096))
  )

  private static func items(_ own: SessionItems) -> [RootItem] {
    LaunchBrokerTests.plan("", content: own.content, context: own.context, output: 2).root.map { item in
      guard case .scratch(let target, var scratch) = item else { return item }
      scratch.bytes = own.scratch
      return .scratch(target, scratch)
    }
  }

  /// Returns the root of a session.
  private static func root(_ own: SessionItems) -> SessionRoot {
    let items = items(own)
    return .shared(
      sharedItems,
      except: items.indices.compactMap { place in
        guard items[place] != sharedItems.items[place] else { return nil }
        if case .scratch = items[place], !own.hasScratch { return nil }
        return .init(place: place, items[place])
      }
    )
  }

  /// Prints the content, the context and the size of the scratch space.
  private static let survey = "cat /session/name /context; stat -f -c '%b %S' /container"

  private static func expectedOutput(_ own: SessionItems) -> String {
    "\(own.content.suffix(3))\(own.context)\((own.hasScratch ? own.scratch : 4096) / 4096) 4096\n"
  }

  /// Runs a check with two directories that contain their names.
  private static func withContents(_ body: (String, String) throws -> Void) throws {
    try LaunchBrokerTests.withDirectory { directory in
      for name in ["one", "two"] {
        try FileSystem.makeDirectory("\(directory)/\(name)", mode: 0o755)
        try FileSystem.replaceContents("\(directory)/\(name)/name", with: Array(name.utf8), mode: 0o644)
      }
      try body("\(directory)/one", "\(directory)/two")
    }
  }

  @Test func `a session replaces shared items with its own and leaves the shared ones unchanged`() throws {
    try Self.withContents { one, two in
      for own in [SessionItems(content: one), SessionItems(content: two, context: "two's", scratch: 8192)] {
        #expect(Self.root(own).items == Self.items(own))
        let text = try LaunchBrokerTests.run(
          Self.survey,
          content: own.content,
          change: { $0.files.contents = Self.root(own) },
          by: { try SandboxLauncher.launch($0) }
        )
        #expect(text == Self.expectedOutput(own))
      }
    }
  }

  @Test func `a broker serves only sessions whose shared items match the prepared ones`() throws {
    try Self.withContents { one, two in
      let broker = try LaunchBroker()
      let null = try FileSystem.open("/dev/null", .readWrite)
      var prepared = LaunchBrokerTests.plan("", content: one, output: null.rawValue)
      prepared.files.contents = Self.root(SessionItems(content: one))
      for (own, isServed) in [
        (SessionItems(content: two, context: "two's"), true),
        (SessionItems(content: two, scratch: 8192), false),
        (SessionItems(content: two, hasScratch: false), false), (SessionItems(content: one), true),
      ] {
        func launch() throws -> String {
          for _ in 0..<50 { if broker.prepare(prepared) { break } }
          return try LaunchBrokerTests.run(
            Self.survey,
            content: own.content,
            change: { $0.files.contents = Self.root(own) },
            by: broker.launch
          )
        }
        let uses = broker.uses
        let text = isServed ? try LaunchBrokerTests.brokered(broker, launch) : try launch()
        #expect(text == Self.expectedOutput(own))
        #expect((broker.uses > uses) == isServed, "\(own)")
      }
    }
  }
}
