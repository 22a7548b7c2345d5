// SPDX-License-Identifier: Apache-2.0

/// A track of a movie: its format, and the table of its samples.
struct MovieTrack: Sendable {
  /// The format of the samples.
  enum Format: Hashable, Sendable {
    /// One JPEG file for each frame, or H.264 with the content of the atom `avcC`; the size is in pixels.
    case video(width: Int, height: Int, FrameGeometry, h264: [UInt8]? = nil)
    /// Signed 16-bit little-endian samples, interleaved by channel.
    case sound(sampleRate: Int, channels: Int)
  }

  /// A sample that belongs to the current fragment.
  private struct Sample {
    let duration: UInt32
    let size: UInt32
    let isKeyframe: Bool
    /// Whether the sample depends on others, and therefore is not a sample to start with.
    var flags: UInt32 { isKeyframe ? 0x0200_0000 : 0x0101_0000 }
  }

  /// The samples of one fragment in the file.
  struct Chunk {
    /// The offset of the first sample.
    let offset: Int
    /// The number of samples; for sound, of sample frames.
    let count: Int
  }

  /// The number of the track, from 1.
  let id: UInt32
  /// The format of the samples.
  let format: Format
  /// The chunks that are in the file.
  private(set) var chunks: [Chunk] = []
  /// The size of each frame of a video in bytes.
  private(set) var sizes: [UInt32] = []
  /// The duration of each frame of a video.
  private(set) var durations: [UInt32] = []
  /// The numbers of the frames of a video, from 1, that a player can decode without the frames before them.
  private(set) var keyframes: [UInt32] = []
  /// The duration of all samples, in units of ``timescale``.
  private(set) var duration = 0
  /// The samples of the current fragment.
  private var pending: [Sample] = []
  /// The bytes of the samples of the current fragment.
  private(set) var data: [UInt8] = []
  /// The duration of the samples before the current fragment.
  private var fragmentStart = 0

  /// The duration of the samples of the current fragment, in units of ``timescale``.
  var pendingDuration: Int { duration - fragmentStart }

  init(id: UInt32, _ format: Format) { (self.id, self.format) = (id, format) }

  /// The number of time units per second.
  var timescale: Int {
    switch format {
    case .video: 1_000_000
    case .sound(let sampleRate, _): sampleRate
    }
  }

  /// Adds a sample to the current fragment; its duration is in units of ``timescale``.
  mutating func append(_ bytes: [UInt8], duration sampleDuration: Int, isKeyframe: Bool = true) {
    let sample = Sample(
      duration: UInt32(clamping: sampleDuration),
      size: UInt32(bytes.count),
      isKeyframe: isKeyframe
    )
    pending.append(sample)
    data += bytes
    duration += Int(sample.duration)
    guard case .video = format else { return }
    sizes.append(sample.size)
    durations.append(sample.duration)
    if isKeyframe { keyframes.append(UInt32(sizes.count)) }
  }

  /// Returns the atom `traf` of the current fragment, or nothing if the fragment has no samples.
  ///
  /// - Parameter dataOffset: The offset of the samples from the start of the atom `moof`.
  /// - Returns: The bytes of the atom.
  func fragment(dataOffset: Int) -> [UInt8] {
    guard !pending.isEmpty else { return [] }
    // The offset is relative to `moof`; each sample has its own duration and size, and flags if samples differ.
    let hasFlags = pending.contains { !$0.isKeyframe }
    return MovieAtom.atom(
      "traf",
      MovieAtom.versioned("tfhd", flags: 0x020000, id.bytes),
      MovieAtom.versioned("tfdt", version: 1, UInt64(fragmentStart).bytes),
      MovieAtom.versioned(
        "trun",
        flags: hasFlags ? 0x000701 : 0x000301,
        UInt32(pending.count).bytes,
        Int32(dataOffset).bytes,
        pending.flatMap { $0.duration.bytes + $0.size.bytes + (hasFlags ? $0.flags.bytes : []) }
      )
    )
  }

  /// Records that the current fragment is in the file, and starts the next one.
  ///
  /// - Parameter offset: The offset of the samples in the file.
  mutating func fragmentWritten(at offset: Int) {
    guard !pending.isEmpty else { return }
    let count: Int
    if case .video = format { count = pending.count } else { count = pendingDuration }
    chunks.append(Chunk(offset: offset, count: count))
    (pending, data, fragmentStart) = ([], [], duration)
  }
}
