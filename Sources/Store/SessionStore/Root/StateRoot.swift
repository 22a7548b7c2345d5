// SPDX-License-Identifier: Apache-2.0

internal import LinuxPrimitives

/// The directory in which everything lives that outlasts a process of the host.
///
/// It is on one file system, because sessions are handed over by renaming.
package struct StateRoot: Hashable, Sendable {
  /// The version of the layout that this code writes and reads.
  package static let layoutVersion = "1"

  /// The absolute path.
  package let path: String

  /// Takes a path as it is; ``resolve(option:environment:)`` is the way in for people.
  package init(path: String) { self.path = path }

  /// The file that holds the layout's version.
  package var versionFile: String { "\(path)/version" }
  /// The directory of the apps.
  package var appsDirectory: String { "\(path)/apps" }
  /// The directory of the group containers.
  package var groupsDirectory: String { "\(path)/groups" }
  /// The directory of the sessions that are not handed over yet.
  package var sessionsDirectory: String { "\(path)/sessions" }
  /// The directory of what is about to be deleted.
  package var trashDirectory: String { "\(path)/trash" }

  /// The directory of the last session, for the next one (``SpareDirectory``).
  package var spareDirectory: String { "\(path)/spare" }
  /// Where an earlier version has left what it had set aside.
  var earlierReserveFile: String { "\(path)/reserve" }

  /// The directory of the session log.
  package var logDirectory: String { "\(path)/log" }
  /// The session log: a line for each session that ended (``SessionLog``).
  package var logFile: String { "\(logDirectory)/sessions.ndjson" }
  /// What crashes have left of lines of the session log.
  package var logAsideDirectory: String { "\(logDirectory)/aside" }

  /// The directory of what the person has made of the machine's keys.
  package var keysDirectory: String { "\(path)/keys" }
  /// Which keys press controls.
  package var keyBindingsFile: String { "\(keysDirectory)/bindings.json" }

  /// What the person allows sessions to take of the machine.
  package var quotaFile: String { "\(path)/quota.json" }

  /// The directory of what was learned of programs.
  package var learningDirectory: String { "\(path)/learning" }

  /// The file whose lock the session holds that is in front of the person.
  package var seatLockFile: String { "\(path)/seat.lock" }
  /// Which session that is.
  package var seatFile: String { "\(path)/seat.json" }

  /// The store of one app; the id becomes a directory's name, so it must be able to be one.
  package func app(_ id: String) throws(StoreError) -> AppStore {
    guard FileSystem.isPlainName(id) else { throw .notAnIdentifier(id) }
    return AppStore(root: self, id: id)
  }

  /// The container of an app group.
  package func groupDirectory(_ id: String) throws(StoreError) -> String {
    guard FileSystem.isPlainName(id) else { throw .notAnIdentifier(id) }
    return "\(groupsDirectory)/\(id)"
  }

  /// The places of one session.
  package func session(_ id: SessionID) -> SessionPlaces { SessionPlaces(root: self, id: id) }

  /// The ids of all apps that have a store, in alphabetical order.
  package func appIDs() throws(StoreError) -> [String] {
    do {
      return try FileSystem.names(in: appsDirectory).filter(FileSystem.isPlainName)
    } catch { throw .system(error) }
  }
}

extension StateRoot {
  /// Where the root is: the option, else `DARKROOM_ROOT`, else `$XDG_STATE_HOME/darkroom`, else
  /// `~/.local/state/darkroom`. An empty variable counts as none.
  package static func resolve(
    option: String?,
    environment: (String) -> String?
  ) throws(StoreError) -> StateRoot {
    func variable(_ name: String) -> String? { environment(name).flatMap { $0.isEmpty ? nil : $0 } }
    if let chosen = option ?? variable("DARKROOM_ROOT") { return StateRoot(path: try absolute(chosen)) }
    // The XDG specification: "All paths set in these environment variables must be absolute", others are ignored.
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
    // Not by `joined`, for which the runtime would look through all types at each start of a command.
    var plain = ""
    for part in full.split(separator: "/") where part != "." {
      plain.append("/")
      plain.append(contentsOf: part)
    }
    return plain.isEmpty ? "/" : try lasting(plain)
  }

  /// The same place by a name that another process has for it, too: what is below `/proc/self` is another place in each of
  /// them (proc(5)), and a session's processes are told of the root by its name.
  private static func lasting(_ path: String) throws(StoreError) -> String {
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
