// SPDX-License-Identifier: Apache-2.0

/// Work that must survive a power failure, as shell commands for its preparation and its execution.
///
/// The commands use the variables `$WORKER` (`darkroom-store-worker`), `$FAULTS` (`darkroom-faults`), `$DISK`
/// (the disk) and `$PLACE` (a directory outside the disk).
enum DurableWorkload: String, CaseIterable {
  /// Sessions of every kind: content synchronized by file and by file system, apps that are notified,
  /// quarantine. The first session creates the state root.
  case migration = "handOver"
  /// Launches of prewarmed sessions.
  case launch
  /// Invalidation of content by its app.
  case invalidation
  /// Erasure of content by a running extension.
  case erasure
  /// Hosts that append to the log concurrently.
  case log
  /// Changes of the app context.
  case context
  /// Deliveries to an app without a session.
  case delivery
  /// Installation, updates and uninstallation.
  case installation
  /// Ingest of pictures into the photo library with its index.
  case ingest
  /// Recovery of sessions whose host was killed, at many of its system calls.
  case recovery
  /// Recovery of sessions whose host was killed during an ingest.
  case ingestRecovery

  private static let worker = "$WORKER $DISK/root"

  /// The commands that run before power failures are simulated.
  var preparation: String {
    switch self {
    case .migration: "mkdir $DISK/home"
    case .invalidation: "\(Self.worker) sessions 4 least; \(Self.worker) session many"
    case .installation: "\(Self.worker) prepare; for n in 1 2 3; do \(Self.worker) bundle $PLACE/$n $n; done"
    case .launch, .erasure, .log, .context, .delivery, .ingest, .recovery, .ingestRecovery:
      "\(Self.worker) prepare"
    }
  }

  /// The commands during which power failures are simulated.
  var commands: String {
    let worker = Self.worker
    switch self {
    case .migration:
      return "for plan in least many full renamed none small; do \(worker) session $plan tell; done"
    case .launch: return "for plan in small none many least; do \(worker) launch $plan; done"
    case .invalidation: return "\(worker) invalidate"
    case .erasure: return "\(worker) erase small; \(worker) erase many"
    case .log:
      return "for n in 1 2 3; do \(worker) session none & \(worker) session least; wait $!; done"
    case .context:
      return "for n in 1 2 3; do \(worker) context set a$n; \(worker) context replace a$n b; "
        + "\(worker) context clear; done"
    case .delivery: return "for n in 1 2 3 4; do \(worker) post; done"
    case .installation:
      return "\(worker) install $PLACE/1 1; \(worker) update $PLACE/2 2; \(worker) uninstall; "
        + "\(worker) install $PLACE/3 3"
    case .ingest: return "\(worker) ingest; \(worker) ingest stays; \(worker) ingest"
    case .recovery:
      return Self.killCommands("session full tell", at: "100 130 200 240 270 300 330 350 380")
        + "\n" + Self.killCommands("session renamed", at: "187 193 194 228 230 231 240")
    case .ingestRecovery: return Self.killCommands("ingest", at: "100 150 200 240 280 300 320 340 360 380")
    }
  }

  /// Returns commands that kill a host after each of the given calls and then run recovery.
  private static func killCommands(_ operation: String, at points: String) -> String {
    """
    for point in \(points); do
    $FAULTS --under $DISK --point $point --do kill-after -- \(worker) \(operation) >/dev/null 2>&1 || :
    \(worker) recover
    done
    """
  }
}
