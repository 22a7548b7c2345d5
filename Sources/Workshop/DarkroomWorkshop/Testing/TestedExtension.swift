// SPDX-License-Identifier: Apache-2.0

internal import AppBundles
internal import DarkroomHost
internal import LaunchPlanning
internal import SessionSimulation
internal import SessionStore

/// The extension that a simulation or a check runs.
public enum TestedExtension: Sendable, Hashable {
  /// An installed extension, by its ID, or the only extension of an installed app, by the ID of the app.
  case installed(String)
  /// The only extension of an app bundle, or the extension in a directory of a bundle, by the path.
  case bundle(String)
}

extension TestedExtension {
  /// Installs the app of the extension in a temporary state directory, so that no test changes that of the host.
  ///
  /// - Parameters:
  ///   - root: The state directory of the host.
  ///   - directory: The path of a new directory in which the state directory is kept, or `nil` to remove it at the end.
  /// - Returns: The installed extension, and the temporary state directory, which must outlive the sessions.
  /// - Throws: The reason why no extension was found or installed.
  func prepare(
    from root: StateRoot,
    keptIn directory: String?
  ) throws(HostError) -> (installed: InstalledExtension, state: TemporaryStateRoot) {
    let subject: ExtensionUnderTest
    do throws(ExtensionUnderTestError) {
      switch self {
      case .installed(let id): subject = try ExtensionUnderTest(installed: id, root)
      case .bundle(let path): subject = try ExtensionUnderTest(directory: path)
      }
    } catch { throw HostError(error) }
    let state: TemporaryStateRoot
    do throws(TemporaryStateRootError) {
      state = try TemporaryStateRoot(
        installing: subject.bundle,
        keptIn: directory,
        environment: DarkroomHost.environment
      )
    } catch { throw HostError(error) }
    do throws(CatalogError) { return (try state.root.catalog.find(subject.extensionID), state) } catch {
      throw HostError(error)
    }
  }
}
