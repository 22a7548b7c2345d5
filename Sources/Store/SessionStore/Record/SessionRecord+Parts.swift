// SPDX-License-Identifier: Apache-2.0

extension SessionRecord {
  /// A policy, identified by name and digest.
  package struct Policy: Hashable, Sendable {
    package var name: String
    /// The digest of the policy including all policies that it extends, `sha256:…`.
    package var digest: String

    /// Creates the identification of a policy.
    package init(name: String, digest: String) {
      self.name = name
      self.digest = digest
    }
  }

  /// Whether all requirements of the policy were enforced.
  package enum EnforcementStatus: String, Hashable, Sendable {
    /// Every layer was enforced.
    case full
    /// Some layers that the policy marks as best effort were not enforced.
    case partial
  }

  /// The enforcement by the kernel.
  package struct Enforcement: Hashable, Sendable {
    /// The overall status.
    package var status: EnforcementStatus
    /// The layers of the sandbox.
    package var layers: [Layer]
    /// The mechanisms that denied access to a session without namespaces; empty for all other sessions.
    package var denials: [Denial]

    /// Creates an enforcement.
    package init(status: EnforcementStatus, layers: [Layer], denials: [Denial] = []) {
      self.status = status
      self.layers = layers
      self.denials = denials
    }
  }

  /// Access that was denied to a session without namespaces.
  package struct Denial: Hashable, Sendable {
    /// The access: `tcp`, `udp`, `otherSockets` or `groupContainers`.
    package var access: String
    /// The mechanisms of the kernel that denied the access: `seccomp`, `landlock`. A single one was accepted by the
    /// policy.
    package var mechanisms: [String]
    /// The independent filters and rulesets that denied the access.
    package var checks: [String]

    /// Creates an entry.
    package init(access: String, mechanisms: [String], checks: [String]) {
      self.access = access
      self.mechanisms = mechanisms
      self.checks = checks
    }
  }

  /// A layer of the sandbox.
  package struct Layer: Hashable, Sendable {
    /// The degree to which a layer was enforced. Session records, `darkroom doctor` and audit reports use these values.
    package enum State: String, Hashable, Sendable {
      /// The layer was enforced in full.
      case enforced
      /// The layer was enforced, but restricts less than it could.
      case degraded
      /// The layer was not enforced.
      case missing
      /// The filter was permissive, so that a policy could be learned from the session.
      case learning
    }

    /// The name of the layer.
    package var name: String
    /// The degree to which the layer was enforced.
    package var state: State
    /// Further details.
    package var detail: String?

    /// Creates a layer.
    package init(name: String, state: State, detail: String? = nil) {
      self.name = name
      self.state = state
      self.detail = detail
    }
  }

  /// The involvement of debuggers in a session that was launched for debugging.
  package enum Debugging: String, Hashable, Sendable {
    /// No debugger is known to have attached.
    case requested
    /// A debugger has attached.
    case attached
  }

  /// A step of the session and its duration.
  package struct Step: Hashable, Sendable {
    /// The name of the step.
    package var name: String
    /// The duration in microseconds.
    package var microseconds: Int64

    /// Creates a step.
    package init(name: String, microseconds: Int64) {
      self.name = name
      self.microseconds = microseconds
    }
  }

  /// Counts of camera frames.
  package struct Frames: Hashable, Sendable {
    /// The number of frames that the camera produced.
    package var produced: Int64
    /// The newest frame that the extension reported as presented, or 0.
    package var presented: Int64
    /// The number of frames that the extension released.
    package var consumed: Int64
    /// The number of frames that did not reach the extension.
    package var dropped: Int64
    /// The latency of the viewfinder, or `nil` if no frame was displayed.
    package var latency: Latency?

    /// Creates counts of frames.
    package init(produced: Int64, consumed: Int64, dropped: Int64, presented: Int64 = 0) {
      self.produced = produced
      self.presented = presented
      self.consumed = consumed
      self.dropped = dropped
    }
  }

  /// Counts of audio blocks.
  package struct Sound: Hashable, Sendable {
    /// The number of blocks that the microphone produced.
    package var produced: Int64
    /// The number of blocks that the extension released.
    package var consumed: Int64
    /// The number of blocks that did not reach the extension.
    package var dropped: Int64

    /// Creates counts of blocks.
    package init(produced: Int64, consumed: Int64, dropped: Int64) {
      self.produced = produced
      self.consumed = consumed
      self.dropped = dropped
    }
  }

  /// The times between the capture of a frame and its display in the host's viewfinder, in microseconds.
  ///
  /// The extension reports the start of each time, so a faulty extension can falsify it for its own frames.
  package struct Latency: Hashable, Sendable {
    /// The number of measured frames.
    package var frames: Int64
    package var median: Int64
    /// The 99th percentile.
    package var most: Int64
    /// The number of frames that the extension modified while they were displayed.
    package var torn: Int64

    /// Creates a latency from times in microseconds.
    package init(frames: Int64, median: Int64, most: Int64, torn: Int64) {
      self.frames = frames
      self.median = median
      self.most = most
      self.torn = torn
    }
  }

  /// A file of the content.
  package struct File: Hashable, Sendable {
    /// The path relative to the content directory.
    package var path: String
    /// The size in bytes.
    package var size: Int64
    /// The digest, `sha256:…`, if digests were requested.
    package var sha256: String?
    /// The modification time in milliseconds since 1970.
    package var modified: Int64

    /// Creates the entry of a file.
    package init(path: String, size: Int64, sha256: String? = nil, modified: Int64) {
      self.path = path
      self.size = size
      self.sha256 = sha256
      self.modified = modified
    }
  }

  /// A file that was added to the photo library.
  package struct Ingested: Hashable, Sendable {
    /// The ID of the asset.
    package var asset: String
    /// The path relative to the content directory: the current one if the file was copied, or the former one
    /// if it was moved.
    package var path: String

    /// Creates the entry of a file.
    package init(asset: String, path: String) {
      self.asset = asset
      self.path = path
    }
  }

  /// A quarantined entry of the content.
  package struct Quarantined: Hashable, Sendable {
    /// The former path relative to the content directory, with bytes that cannot be displayed as `\xNN`.
    package var path: String
    package var reason: QuarantineReason

    /// Creates a quarantined entry.
    package init(path: String, reason: QuarantineReason) {
      self.path = path
      self.reason = reason
    }
  }

  /// A sanitized entry of the content.
  package struct Sanitized: Hashable, Sendable {
    /// The path relative to the content directory; empty for that directory itself.
    package var path: String
    package var change: Sanitization
    /// The former name if the entry was renamed, with backslashes and bytes that cannot be displayed as
    /// `\xNN`.
    package var from: String?

    /// Creates a sanitized entry.
    package init(path: String, change: Sanitization, from: String? = nil) {
      self.path = path
      self.change = change
      self.from = from
    }
  }

  /// Totals of the content.
  package struct Content: Hashable, Sendable {
    /// The number of files.
    package var files: Int64
    /// The sum of the file sizes in bytes.
    package var bytes: Int64
    /// Whether content was delivered to the app. Content without files is not delivered.
    package var delivered: Bool
    /// The number of files and directories that were renamed.
    package var renamed: Int64

    /// Creates totals.
    package init(files: Int64 = 0, bytes: Int64 = 0, delivered: Bool = false, renamed: Int64 = 0) {
      self.files = files
      self.bytes = bytes
      self.delivered = delivered
      self.renamed = renamed
    }
  }

  /// Totals of the output of the extension.
  package struct Log: Hashable, Sendable {
    /// The number of bytes that the extension wrote.
    package var bytes: Int64
    /// Whether the output exceeded the policy's `outputBytes`. The excess was discarded.
    package var truncated: Bool

    /// Creates totals.
    package init(bytes: Int64, truncated: Bool) {
      self.bytes = bytes
      self.truncated = truncated
    }
  }

  /// A receipt for erased files.
  package struct Erasure: Hashable, Sendable {
    /// The subject: `session directory`, `extension container`, `content` or `quarantine`.
    package var what: String
    /// The number of files.
    package var files: Int64
    /// The sum of the file sizes in bytes.
    package var bytes: Int64
    /// The time of the erasure in milliseconds since 1970.
    package var at: Int64

    /// Creates a receipt.
    package init(what: String, files: Int64, bytes: Int64, at: Int64) {
      self.what = what
      self.files = files
      self.bytes = bytes
      self.at = at
    }
  }
}

/// A change of metadata that sanitizes a file.
package enum Sanitization: String, Hashable, Sendable, CaseIterable {
  /// Set-user-ID, set-group-ID or sticky bits were cleared.
  case specialBitsCleared
  /// The owner was given missing access permissions.
  case madeAccessible
  /// Extended attributes were removed, such as capabilities, access control lists and those of the extension.
  case attributesRemoved
  /// Inode flags were cleared, such as immutable, append-only and no-dump.
  case flagsCleared
  /// A modification or access time in the future or before 1970 was set to the time of the migration.
  case timeSetToNow
  /// The name was forbidden (``NameSpelling``), or differed from another only by case or normal form.
  case renamed

  /// The change as a part of a sentence.
  package var explanation: String {
    switch self {
    case .specialBitsCleared: "set-user-ID, set-group-ID or sticky bits were cleared"
    case .madeAccessible: "missing access permissions of its owner were added"
    case .attributesRemoved: "extended attributes were removed"
    case .flagsCleared: "inode flags (chattr(1)) were cleared"
    case .timeSetToNow: "a timestamp in the future or before 1970 was set to the time of the migration"
    case .renamed: "it was renamed"
    }
  }
}
