// SPDX-License-Identifier: Apache-2.0

internal import CameraSource
internal import LinuxPrimitives

/// The cameras that PipeWire has.
package enum PipeWireCameras {
  /// What the environment says where the server is, what is asked first, first.
  private static let directories = ["PIPEWIRE_RUNTIME_DIR", "XDG_RUNTIME_DIR"]
  /// Where the server of a whole machine is.
  private static let common = "/run/pipewire"
  /// What the server's socket is called, and the variable that says otherwise.
  private static let (socket, socketVariable) = ("pipewire-0", "PIPEWIRE_REMOTE")

  /// The cameras of this user's server, if it runs: looking at them starts none.
  package static func cameras() -> [ListedCamera] {
    guard isServed(environment: CurrentProcess.environment) else { return [] }
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

  /// Whether a server runs: it holds the lock beside its socket. The socket alone says nothing, for it can be one that
  /// systemd listens at, and which would start the server.
  static func isServed(environment: (String) -> String?) -> Bool {
    var name = environment(socketVariable) ?? socket
    if name.isEmpty { name = socket }
    let places = directories.compactMap(environment).filter { !$0.isEmpty } + [common]
    let paths = name.hasPrefix("/") ? [name] : places.map { "\($0)/\(name)" }
    return paths.contains { path in
      do throws(SystemCallError) { return try FileLock.tryLock("\(path).lock", making: false) == nil } catch {
        return false
      }
    }
  }
}
