// SPDX-License-Identifier: Apache-2.0

internal import AppBundles
internal import CommandGrammar
internal import LinuxPrimitives
internal import PolicyExplanation
internal import SessionStore

/// The state root of a single command, with one installed app. It is removed with its owner, unless the user
/// keeps it.
final class TemporaryStateRoot {
  /// The option that keeps the state root in a directory.
  static let keep = OptionSpec.value(
    "keep",
    "DIR",
    .directory,
    help:
      "Keep the state root, with captures and records, as the new directory DIR; else it is removed at the end"
  )

  let root: StateRoot
  /// The directory that is removed on deinitialization, or `nil` if the state root is kept.
  private let scratch: String?

  /// Creates a state root and installs the app in it.
  init(_ subject: ExtensionUnderTest, _ parsed: ParsedCommand, _ console: Console) throws(CommandFailure) {
    if let kept = parsed.value(of: Self.keep) {
      scratch = nil
      root = StateRoot(path: try Self.makeDirectory(kept))
    } else {
      let place = console.environment("TMPDIR").flatMap { $0.hasPrefix("/") ? $0 : nil } ?? "/tmp"
      let made = try Self.makeDirectory("\(place)/darkroom-workshop-\(Randomness.hexadecimal(bytes: 8))")
      scratch = made
      root = StateRoot(path: "\(made)/state")
    }
    do throws(StoreError) { try root.prepare() } catch { throw CommandFailure(.store, "\(error)") }
    let output = BundleOutput(path: subject.bundle, isJSON: parsed.has(CommonOptions.json), console: console)
    do throws(CatalogError) { _ = try CommonOptions.catalog(root).install(subject.bundle) } catch {
      if case .bundleRefused(_, let faults) = error {
        throw output.printRefusal(faults, sentence: "cannot be tried")
      }
      throw CommandFailure(error)
    }
  }

  deinit { if let scratch { try? FileSystem.removeTree(scratch) } }

  /// Returns the installed extension with an ID.
  func installed(_ id: String) throws(CommandFailure) -> InstalledExtension {
    try CommandFailure.mappingCatalogErrors { () throws(CatalogError) in
      try CommonOptions.catalog(root).find(id)
    }
  }

  /// Creates a directory that did not exist, and returns its absolute path.
  private static func makeDirectory(_ path: String) throws(CommandFailure) -> String {
    do {
      try FileSystem.makeDirectory(path)
      return try FileSystem.realPath(path)
    } catch  where error.errno == .fileExists {
      throw CommandFailure(.store, "\(TextTable.printable(path)) is there already; name a new directory")
    } catch { throw CommandFailure(.store, "no state root can be made: \(error)") }
  }
}
