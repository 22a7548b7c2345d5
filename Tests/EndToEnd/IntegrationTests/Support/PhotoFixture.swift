// SPDX-License-Identifier: Apache-2.0

import JSONText
import LinuxPrimitives
import Testing

/// A test home with an installed app that may use photos, and an older asset of another app.
final class PhotoFixture {
  let home: TestHome
  /// The ID of the older asset.
  let olderAsset: String
  private var sessionOutput = ""

  /// The path of the photo library.
  var library: String { home.file("library") }

  init(_ user: TestUser, _ permissions: [String: String] = ["photos": "authorized"]) throws {
    home = try TestHome(user)
    try home.installWithoutSwift()
    let picture = try home.write("old.jpg", "an older picture\n")
    let library = ["--library", home.file("library")]
    let imported = try home.darkroom("photos", ["import", "org.example.other", picture] + library)
    try #require(imported.code == 0, "\(imported.errors)")
    let list = try home.darkroom("photos", ["list", "--json"] + library)
    olderAsset = try #require(try home.json(list.output)["assets"]?.elements?.first?["id"]?.string)
    for (subject, state) in permissions { try setPermission(subject, state) }
  }

  /// Sets a permission of the app.
  func setPermission(_ subject: String, _ state: String) throws {
    let result = try home.darkroom("permission", ["set", TestHome.app, subject, state])
    try #require(result.code == 0, "\(result.errors)")
  }

  /// Starts a session with the given orders. OLD is replaced with the older asset's ID.
  func start(_ orders: String) throws -> Command {
    let orders = orders.split(separator: "OLD", omittingEmptySubsequences: false).joined(
      separator: olderAsset
    )
    let context = try home.darkroom("context", ["set", TestHome.app, "\"\(orders)\""])
    try #require(context.code == 0, "\(context.errors)")
    sessionOutput = home.nextOutputName
    return try home.startDarkroom(
      "run",
      [
        "--library", library, "--watchdog", "0s", "--grace", "5s", "--record",
        home.file("record.json"), "\(TestHome.app).misbehaving",
      ]
    )
  }

  /// Returns the standard error of the running session's extension so far.
  func printedText() throws -> String {
    String(decoding: try FileSystem.contents(home.file("\(sessionOutput).err")) ?? [], as: UTF8.self)
  }

  /// Returns the results of an order in an output text.
  static func results(_ order: String, _ text: String) -> [String] {
    text.split(separator: "\n").compactMap { line in
      guard let range = line.ranges(of: "\(order): ").first else { return nil }
      return String(line[range.upperBound...])
    }
  }

  /// Runs a session and returns the extension's output.
  func run(_ orders: String) throws -> String {
    let result = try start(orders + " dismiss").end()
    try #require(result.code == 0, "\(result.errors)")
    try home.expectNothingLeft()
    return result.errors
  }

  /// Returns the record of the last session.
  func record() throws -> JSONValue {
    try home.json(try #require(try FileSystem.contents(home.file("record.json"))))
  }

  /// Returns the assets in the user's photo library.
  func assets() throws -> [JSONValue] {
    let list = try home.darkroom("photos", ["list", "--json", "--library", library])
    try #require(list.code == 0, "\(list.errors)")
    return try home.json(list.output)["assets"]?.elements ?? []
  }
}
