// SPDX-License-Identifier: Apache-2.0

internal import LinuxPrimitives

/// The directory of all persistent state.
///
/// It must be on a single file system, because sessions are migrated by renaming.
package struct StateRoot: Hashable, Sendable {
  /// The layout version that this code reads and writes.
  package static let layoutVersion = "1"

  /// The absolute path.
  package let path: String

  /// Creates a root with a path as is. For user input, use ``resolve(option:environment:)``.
  package init(path: String) { self.path = path }

  /// The file with the layout version.
  package var versionFile: String { "\(path)/version" }
  /// The directory of the apps.
  package var appsDirectory: String { "\(path)/apps" }
  /// The directory of the group containers.
  package var groupsDirectory: String { "\(path)/groups" }
  /// The directory of the sessions that are not completely migrated.
  package var sessionsDirectory: String { "\(path)/sessions" }
  /// The directory of entries to be deleted.
  package var trashDirectory: String { "\(path)/trash" }

  /// The directory of an ended session that the next one reuses (``SpareDirectory``).
  package var spareDirectory: String { "\(path)/spare" }
  /// The space reserve of an earlier version.
  var legacyReserveFile: String { "\(path)/reserve" }

  /// The directory of the session log.
  package var logDirectory: String { "\(path)/log" }
  /// The session log, with a line for each ended session (``SessionLog``).
  package var logFile: String { "\(logDirectory)/sessions.ndjson" }
  /// The directory of truncated lines that were removed from the session log.
  package var logQuarantineDirectory: String { "\(logDirectory)/aside" }

  /// The directory of the user's key bindings.
  package var keysDirectory: String { "\(path)/keys" }
  /// The file of the key bindings.
  package var keyBindingsFile: String { "\(keysDirectory)/bindings.json" }

  /// The file of the user's quotas.
  package var quotaFile: String { "\(path)/quota.json" }

  /// The directory of data that policy learning collects about programs.
  package var learningDirectory: String { "\(path)/learning" }

  /// The directory of the ledgers of batches, with a subdirectory for each batch (``BatchLedger``).
  package var batchesDirectory: String { "\(path)/batches" }
  /// Returns the directory of a batch, whose name must be valid as the name of a directory.
  package func batch(_ name: String) -> String { "\(batchesDirectory)/\(name)" }

  /// The file that the session in the foreground locks.
  package var foregroundLockFile: String { "\(path)/seat.lock" }
  /// The file that identifies the session in the foreground.
  package var foregroundFile: String { "\(path)/seat.json" }

  /// Returns the store of an app. The ID must be valid as the name of a directory.
  package func app(_ id: String) throws(StoreError) -> AppStore {
    guard FileSystem.isPortableName(id) else { throw .invalidIdentifier(id) }
    return AppStore(root: self, id: id)
  }

  /// Returns the container of an app group.
  package func groupDirectory(_ id: String) throws(StoreError) -> String {
    guard FileSystem.isPortableName(id) else { throw .invalidIdentifier(id) }
    return "\(groupsDirectory)/\(id)"
  }

  /// Returns the paths of a session.
  package func session(_ id: SessionID) -> SessionPaths { SessionPaths(root: self, id: id) }

  /// Returns the IDs of all apps with a store, sorted.
  package func appIDs() throws(StoreError) -> [String] {
    do {
      return try FileSystem.names(in: appsDirectory).filter(FileSystem.isPortableName)
    } catch { throw .system(error) }
  }
}

extension StateRoot {
  /// Returns the state root: the option, or `DARKROOM_ROOT`, or `$XDG_STATE_HOME/darkroom`, or
  /// `~/.local/state/darkroom`.
  ///
  /// An empty variable counts as unset.
  package static func resolve(
    option: String?,
    environment: (String) -> String?
  ) throws(StoreError) -> StateRoot {
    func variable(_ name: String) -> String? { environment(name).flatMap { $0.isEmpty ? nil : $0 } }
    if let chosen = option ?? variable("DARKROOM_ROOT") { return StateRoot(path: try absolute(chosen)) }
    // XDG Base Directory Specification: "All paths set in these environment variables must be absolute";
    // others are ignored.
    if let state = variable("XDG_STATE_HOME"), state.hasPrefix("/") {
      return StateRoot(path: try absolute("\(state)/darkroom"))
    }
    guard let home = variable("HOME"), home.hasPrefix("/") else { throw .noStateRoot }
    return StateRoot(path: try absolute("\(home)/.local/state/darkroom"))
  }

  private static func absolute(_ path: String) throws(StoreError) -> String {
    guard !path.isEmpty, !path.utf8.contains(0) else { throw .noStateRoot }
    var full = path
    if !path.hasPrefix("/") {
      do { full = "\(try CurrentProcess.workingDirectory())/\(path)" } catch { throw .system(error) }
    }
    // `joined` would make the runtime search all types at each start of a command.
    var plain = ""
    for part in full.split(separator: "/") where part != "." {
      plain.append("/")
      plain.append(contentsOf: part)
    }
    return plain.isEmpty ? "/" : try processIndependentPath(plain)
  }

  /// Returns an equivalent path that is valid in other processes.
  ///
  /// Paths below `/proc/self` differ in each process (proc(5)), but the processes of a session receive the
  /// root as a path.
  private static func processIndependentPath(_ path: String) throws(StoreError) -> String {
    guard path.hasPrefix("/proc/") || path.hasPrefix("/dev/fd/") else { return path }
    var (found, missing) = (path, "")
    while true {
      do {
        return try FileSystem.realPath(found) + missing
      } catch  where error.errno == .noSuchFile && found != "/" {
        missing = "/\(FileSystem.lastComponent(found))\(missing)"
        found = FileSystem.directoryName(found)
      } catch { throw .system(error) }
    }
  }
}
