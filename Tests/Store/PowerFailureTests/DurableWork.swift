// SPDX-License-Identifier: Apache-2.0

/// What has to outlast a power failure, as commands: what is there before it begins, and what is done.
///
/// In them `$WORKER` is `darkroom-store-worker`, `$FAULTS` is `darkroom-faults`, `$DISK` the disk, and `$PLACE` a
/// directory that is not on it.
enum DurableWork: String, CaseIterable {
  /// Sessions of every kind, the first of which makes the state root: single files made durable, and the whole file
  /// system; apps that are told; quarantine.
  case handOver
  /// Sessions whose extensions were started ahead, and are launched.
  case launch
  /// An app takes its content, and it goes.
  case invalidation
  /// What an extension erases while it runs.
  case erasure
  /// Hosts that write the log at the same time.
  case log
  /// The app context.
  case context
  /// What an app is told without a session.
  case delivery
  /// Installation, updates and uninstallation.
  case installation
  /// Pictures for the photo library, with its index.
  case ingest
  /// Recovery of sessions whose host was killed, at many of its calls.
  case recovery
  /// The same of sessions that were adding a picture.
  case ingestRecovery

  private static let worker = "$WORKER $DISK/root"

  /// What is done before.
  var preparation: String {
    switch self {
    case .handOver: "mkdir $DISK/home"
    case .invalidation: "\(Self.worker) sessions 4 least; \(Self.worker) session many"
    case .installation: "\(Self.worker) prepare; for n in 1 2 3; do \(Self.worker) bundle $PLACE/$n $n; done"
    case .launch, .erasure, .log, .context, .delivery, .ingest, .recovery, .ingestRecovery:
      "\(Self.worker) prepare"
    }
  }

  /// What is done.
  var commands: String {
    let worker = Self.worker
    switch self {
    case .handOver:
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
      return Self.killing("session full tell", at: "100 130 200 240 270 300 330 350 380")
        + "\n" + Self.killing("session renamed", at: "187 193 194 228 230 231 240")
    case .ingestRecovery: return Self.killing("ingest", at: "100 150 200 240 280 300 320 340 360 380")
    }
  }

  /// Kills a host after each of these of its calls, and lets recovery finish its work.
  private static func killing(_ operation: String, at points: String) -> String {
    """
    for point in \(points); do
    $FAULTS --under $DISK --point $point --do kill-after -- \(worker) \(operation) >/dev/null 2>&1 || :
    \(worker) recover
    done
    """
  }
}
