// SPDX-License-Identifier: Apache-2.0

import LinuxPrimitives
import SandboxLaunch
import Testing

/// Roots whose items are shared by many sessions, except for items of a single session.
@Suite struct SharedRootTests {
  /// The items that a session overrides.
  private struct Own {
    var content: String
    var context = "{}"
    var scratch = 65536
    /// Whether the session has its own scratch space instead of the shared one.
    var hasScratch = true
  }

  /// The shared items, with placeholders for session content.
  private static let common = CommonRoot(
    items(Own(content: "/no/such/place", context: "nobody's", scratch: 4096))
  )

  private static func items(_ own: Own) -> [RootItem] {
    LaunchBrokerTests.plan("", content: own.content, context: own.context, output: 2).root.map { item in
      guard case .scratch(let target, var scratch) = item else { return item }
      scratch.bytes = own.scratch
      return .scratch(target, scratch)
    }
  }

  /// Returns the root of a session.
  private static func root(_ own: Own) -> SessionRoot {
    let items = items(own)
    return .shared(
      common,
      except: items.indices.compactMap { place in
        guard items[place] != common.items[place] else { return nil }
        if case .scratch = items[place], !own.hasScratch { return nil }
        return .init(place: place, items[place])
      }
    )
  }

  /// Prints the content, the context and the size of the scratch space.
  private static let survey = "cat /session/name /context; stat -f -c '%b %S' /container"

  private static func said(_ own: Own) -> String {
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

  @Test func `a session has its own in the place of what is common, and leaves that as it is`() throws {
    try Self.withContents { one, two in
      for own in [Own(content: one), Own(content: two, context: "two's", scratch: 8192)] {
        #expect(Self.root(own).items == Self.items(own))
        let text = try LaunchBrokerTests.run(
          Self.survey,
          content: own.content,
          change: { $0.contents = Self.root(own) },
          by: { try SandboxLauncher.launch($0) }
        )
        #expect(text == Self.said(own))
      }
    }
  }

  @Test func `a broker serves who has what it has prepared beside its own, and nobody else`() throws {
    try Self.withContents { one, two in
      let broker = try LaunchBroker()
      let null = try FileSystem.open("/dev/null", .readWrite)
      var prepared = LaunchBrokerTests.plan("", content: one, output: null.rawValue)
      prepared.contents = Self.root(Own(content: one))
      for (own, isServed) in [
        (Own(content: two, context: "two's"), true), (Own(content: two, scratch: 8192), false),
        (Own(content: two, hasScratch: false), false), (Own(content: one), true),
      ] {
        func launch() throws -> String {
          for _ in 0..<50 { if broker.prepare(prepared) { break } }
          return try LaunchBrokerTests.run(
            Self.survey,
            content: own.content,
            change: { $0.contents = Self.root(own) },
            by: broker.launch
          )
        }
        let uses = broker.uses
        let text = isServed ? try LaunchBrokerTests.brokered(broker, launch) : try launch()
        #expect(text == Self.said(own))
        #expect((broker.uses > uses) == isServed, "\(own)")
      }
    }
  }
}
