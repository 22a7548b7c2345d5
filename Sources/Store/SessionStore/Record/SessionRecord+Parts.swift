// SPDX-License-Identifier: Apache-2.0

extension SessionRecord {
  /// A policy by name and by what it was.
  package struct Policy: Hashable, Sendable {
    /// The name.
    package var name: String
    /// The digest of the policy with everything that it extends, `sha256:…`.
    package var digest: String

    /// Names a policy.
    package init(name: String, digest: String) {
      self.name = name
      self.digest = digest
    }
  }

  /// Whether everything that the policy asks for was in force.
  package enum EnforcementStatus: String, Hashable, Sendable {
    /// Every layer was.
    case full
    /// Layers that the policy calls best effort were not.
    case partial
  }

  /// What the kernel enforced.
  package struct Enforcement: Hashable, Sendable {
    /// The sum of the layers.
    package var status: EnforcementStatus
    /// Each layer.
    package var layers: [Layer]

    /// Describes an enforcement.
    package init(status: EnforcementStatus, layers: [Layer]) {
      self.status = status
      self.layers = layers
    }
  }

  /// One layer of the sandbox.
  package struct Layer: Hashable, Sendable {
    /// The degree to which a layer was enforced. Records, the doctor and audit reports share these words.
    package enum State: String, Hashable, Sendable {
      /// The layer was enforced in full.
      case enforced
      /// The layer was enforced, and restricts less than it could.
      case degraded
      /// The layer was not enforced.
      case missing
      /// The filter was open so that the session could be learned from.
      case learning
    }

    /// The layer's name.
    package var name: String
    /// The degree to which the layer was enforced.
    package var state: State
    /// What more there is to say.
    package var detail: String?

    /// Describes a layer.
    package init(name: String, state: State, detail: String? = nil) {
      self.name = name
      self.state = state
      self.detail = detail
    }
  }

  /// What debuggers have had to do with a session that was launched for one.
  package enum Debugging: String, Hashable, Sendable {
    /// As far as is known none has attached.
    case requested
    /// One has.
    case attached
  }

  /// A step of the session and how long it took.
  package struct Step: Hashable, Sendable {
    /// The step's name.
    package var name: String
    /// The time that it took.
    package var microseconds: Int64

    /// Describes a step.
    package init(name: String, microseconds: Int64) {
      self.name = name
      self.microseconds = microseconds
    }
  }

  /// Counts of frames.
  package struct Frames: Hashable, Sendable {
    /// Frames that the camera gave.
    package var produced: Int64
    /// The newest that the extension says it has shown, or 0.
    package var presented: Int64
    /// Frames that the extension finished with.
    package var consumed: Int64
    /// Frames that the extension never saw.
    package var dropped: Int64
    /// How old frames of the viewfinder were when they were shown; nil if nobody was shown any.
    package var latency: Latency?

    /// Counts frames.
    package init(produced: Int64, consumed: Int64, dropped: Int64, presented: Int64 = 0) {
      self.produced = produced
      self.presented = presented
      self.consumed = consumed
      self.dropped = dropped
    }
  }

  /// Counts of blocks of sound.
  package struct Sound: Hashable, Sendable {
    /// Blocks that the microphone gave.
    package var produced: Int64
    /// Blocks that the extension finished with.
    package var consumed: Int64
    /// Blocks that the extension never heard.
    package var dropped: Int64

    /// Counts blocks.
    package init(produced: Int64, consumed: Int64, dropped: Int64) {
      self.produced = produced
      self.consumed = consumed
      self.dropped = dropped
    }
  }

  /// The time between a frame's being taken by the camera and the moment from which the host's viewfinder showed it.
  ///
  /// Its beginning is what the extension says; so it can be false, for this extension's frames.
  package struct Latency: Hashable, Sendable {
    /// How many frames it is of.
    package var frames: Int64
    /// Half of them took so long at most.
    package var median: Int64
    /// 99 of a hundred took so long at most.
    package var most: Int64
    /// How many the extension has drawn over while they were shown.
    package var torn: Int64

    /// Describes times in microseconds.
    package init(frames: Int64, median: Int64, most: Int64, torn: Int64) {
      self.frames = frames
      self.median = median
      self.most = most
      self.torn = torn
    }
  }

  /// A file of the content.
  package struct File: Hashable, Sendable {
    /// The path below the content directory.
    package var path: String
    /// The length in bytes.
    package var size: Int64
    /// The digest, `sha256:…`, if digests were asked for.
    package var sha256: String?
    /// The time of its last change, in milliseconds since 1970.
    package var modified: Int64

    /// Describes a file.
    package init(path: String, size: Int64, sha256: String? = nil, modified: Int64) {
      self.path = path
      self.size = size
      self.sha256 = sha256
      self.modified = modified
    }
  }

  /// A file that has become an asset of the photo library.
  package struct Ingested: Hashable, Sendable {
    /// The asset's id.
    package var asset: String
    /// The path below the content directory: the present one if the file was only copied, else the one that it had.
    package var path: String

    /// Describes a file.
    package init(asset: String, path: String) {
      self.asset = asset
      self.path = path
    }
  }

  /// Something that was kept from the app.
  package struct Quarantined: Hashable, Sendable {
    /// The path that it had below the content directory; bytes that cannot be shown are written `\xNN`.
    package var path: String
    /// Why it was kept.
    package var reason: QuarantineReason

    /// Describes what was kept.
    package init(path: String, reason: QuarantineReason) {
      self.path = path
      self.reason = reason
    }
  }

  /// Something that was made ordinary.
  package struct Normalised: Hashable, Sendable {
    /// The path below the content directory; empty for the directory itself.
    package var path: String
    /// What was changed about it.
    package var change: Normalisation
    /// The name that it had, if it was renamed; bytes that cannot be shown, and backslashes, are written `\xNN`.
    package var from: String?

    /// Describes a change.
    package init(path: String, change: Normalisation, from: String? = nil) {
      self.path = path
      self.change = change
      self.from = from
    }
  }

  /// The content in sum.
  package struct Content: Hashable, Sendable {
    /// The number of files.
    package var files: Int64
    /// The sum of their lengths.
    package var bytes: Int64
    /// Whether content was moved into the app container; a session without any file leaves none.
    package var delivered: Bool
    /// The number of files and directories that were renamed.
    package var renamed: Int64

    /// Sums content up.
    package init(files: Int64 = 0, bytes: Int64 = 0, delivered: Bool = false, renamed: Int64 = 0) {
      self.files = files
      self.bytes = bytes
      self.delivered = delivered
      self.renamed = renamed
    }
  }

  /// The output of the extension in sum.
  package struct Log: Hashable, Sendable {
    /// The bytes that the extension wrote.
    package var bytes: Int64
    /// Whether that was more than the policy's `outputBytes`, beyond which nothing was kept.
    package var truncated: Bool

    /// Sums a log up.
    package init(bytes: Int64, truncated: Bool) {
      self.bytes = bytes
      self.truncated = truncated
    }
  }

  /// A receipt for something that was erased.
  package struct Erasure: Hashable, Sendable {
    /// What it was: `session directory`, `extension container`, `content`.
    package var what: String
    /// How many files it held.
    package var files: Int64
    /// How many bytes they held.
    package var bytes: Int64
    /// When it was gone, in milliseconds since 1970.
    package var at: Int64

    /// Writes a receipt.
    package init(what: String, files: Int64, bytes: Int64, at: Int64) {
      self.what = what
      self.files = files
      self.bytes = bytes
      self.at = at
    }
  }
}

/// What is made ordinary without touching the data.
package enum Normalisation: String, Hashable, Sendable, CaseIterable {
  /// Set-user-ID, set-group-ID or sticky bits were cleared.
  case specialBitsCleared
  /// Its owner could not read, write or enter it.
  case madeAccessible
  /// Extended attributes were removed: capabilities, access lists, the extension's own.
  case attributesRemoved
  /// Flags were cleared: immutable, append-only, left out of backups, and the like.
  case flagsCleared
  /// A time of change or access was in the future or before 1970, and is now the time of the migration.
  case timeSetToNow
  /// Its name could not stay (``NameSpelling``), or differed from another name only by case or normal form.
  case renamed

  /// The change as a part of a sentence.
  package var explanation: String {
    switch self {
    case .specialBitsCleared: "set-user-ID, set-group-ID or sticky bits were cleared"
    case .madeAccessible: "its owner was given access"
    case .attributesRemoved: "extended attributes were removed"
    case .flagsCleared: "flags of chattr(1) were cleared"
    case .timeSetToNow: "a time in the future or before 1970 was set to the time of the migration"
    case .renamed: "it was renamed"
    }
  }
}
