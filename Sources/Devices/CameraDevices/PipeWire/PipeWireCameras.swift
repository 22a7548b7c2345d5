// SPDX-License-Identifier: Apache-2.0

internal import CameraSource
internal import LinuxPrimitives

/// The cameras of the PipeWire server.
package enum PipeWireCameras {
  /// The environment variables with the directory of the server's socket, in order of precedence.
  private static let directories = ["PIPEWIRE_RUNTIME_DIR", "XDG_RUNTIME_DIR"]
  /// The directory of a system-wide server.
  private static let systemDirectory = "/run/pipewire"
  /// The default name of the server's socket, and the variable that overrides it.
  private static let (socket, socketVariable) = ("pipewire-0", "PIPEWIRE_REMOTE")

  /// Returns the cameras of this user's server, if it runs. The query does not start a server.
  package static func cameras() -> [ListedCamera] {
    guard isServerRunning(environment: CurrentProcess.environment) else { return [] }
    let nodes: [PipeWireNode]
    do throws(CameraFault) { nodes = try PipeWireConnection(nil).nodes } catch {
      return [ListedCamera(path: PipeWireTarget.prefix, identity: .failure(error))]
    }
    return nodes.sorted { ($0.priority, $1.id) > ($1.priority, $0.id) }.map { node in
      let isOnly = nodes.count { $0.name == node.name } == 1
      let name = isOnly || node.serial == 0 ? node.name : "\(node.serial)"
      return ListedCamera(path: "\(PipeWireTarget.prefix):\(name)", identity: .success(node.identity))
    }
  }

  /// Whether a server runs: it then holds the lock file next to its socket. The socket is not sufficient,
  /// because with socket activation systemd listens on it and would start the server.
  static func isServerRunning(environment: (String) -> String?) -> Bool {
    var name = environment(socketVariable) ?? socket
    if name.isEmpty { name = socket }
    let places = directories.compactMap(environment).filter { !$0.isEmpty } + [systemDirectory]
    let paths = name.hasPrefix("/") ? [name] : places.map { "\($0)/\(name)" }
    return paths.contains { path in
      do throws(SystemCallError) { return try FileLock.tryLock("\(path).lock", creating: false) == nil } catch
      {
        return false
      }
    }
  }
}
