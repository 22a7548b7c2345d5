// SPDX-License-Identifier: Apache-2.0

internal import AppBundles
internal import CommandGrammar
internal import LaunchPlanning
internal import SessionSimulation
internal import SessionStore

/// An extension under test, installed in a temporary state root.
struct PreparedExtension {
  /// The argument that names the extension.
  static let argument = ArgumentSpec(
    "EXTENSION",
    help: "The ID of an installed extension or app, or the directory of a bundle or extension"
  )
  /// The option that keeps the state root in a directory.
  static let keep = OptionSpec.value(
    "keep",
    "DIR",
    .directory,
    help: "Keep the state root, with content and records, as the new directory DIR"
  )

  let installed: InstalledExtension
  /// The state root, which is removed with the last reference unless the user keeps it.
  let state: TemporaryStateRoot

  /// Finds the extension that an argument names, and installs its app in a temporary state root.
  init(_ argument: String, _ parsed: ParsedCommand, _ console: Console) throws(CommandFailure) {
    let subject: ExtensionUnderTest
    let root = try CommonOptions.resolvedRoot(parsed, console)
    do { subject = try ExtensionUnderTest(argument, in: root) } catch { throw CommandFailure(error) }
    do {
      state = try TemporaryStateRoot(
        installing: subject.bundle,
        keptIn: parsed.value(of: Self.keep),
        environment: console.environment
      )
    } catch {
      if case .catalog(.bundleRefused(_, let faults)) = error {
        throw BundleOutput(path: subject.bundle, isJSON: parsed.has(CommonOptions.json), console: console)
          .printRefusal(faults, sentence: "cannot be tested")
      }
      throw CommandFailure(error)
    }
    do { installed = try state.root.catalog.find(subject.extensionID) } catch { throw CommandFailure(error) }
  }
}

extension CommandFailure {
  /// Creates the failure for an extension that cannot be found.
  fileprivate init(_ error: ExtensionUnderTestError) {
    switch error {
    case .catalog(let error): self.init(error)
    case .unreadable, .noManifest, .noExtension: self.init(.missing, "\(error)")
    case .noApp: self.init(.data, "\(error)")
    case .severalExtensions: self.init(.usage, "\(error)")
    }
  }

  /// Creates the failure for a temporary state root that cannot be created.
  fileprivate init(_ error: TemporaryStateRootError) {
    if case .catalog(let error) = error { self.init(error) } else { self.init(.store, "\(error)") }
  }
}
