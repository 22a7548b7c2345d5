// SPDX-License-Identifier: Apache-2.0

/// The atom `stbl` of a track: the format of its samples, their durations, sizes and offsets.
struct SampleTables {
  /// The bytes of the atom.
  let bytes: [UInt8]

  /// Creates the tables of a complete track.
  init(_ track: MovieTrack) {
    bytes = MovieAtom.atom(
      "stbl",
      Self.description(track),
      MovieAtom.versioned("stts", flags: 0, Self.runs(Self.durations(track))),
      Self.keyframes(track),
      MovieAtom.versioned("stsc", flags: 0, Self.chunkRuns(track.chunks)),
      Self.sizes(track),
      MovieAtom.versioned(
        "co64",
        flags: 0,
        UInt32(track.chunks.count).bytes,
        track.chunks.flatMap { UInt64($0.offset).bytes }
      )
    )
  }

  /// Returns the tables of a track without samples, whose fragments have the samples.
  static func empty(_ track: MovieTrack) -> [UInt8] {
    MovieAtom.atom(
      "stbl",
      description(track),
      MovieAtom.versioned("stts", flags: 0, MovieAtom.zeros(4)),
      MovieAtom.versioned("stsc", flags: 0, MovieAtom.zeros(4)),
      MovieAtom.versioned("stsz", flags: 0, MovieAtom.zeros(8)),
      MovieAtom.versioned("stco", flags: 0, MovieAtom.zeros(4))
    )
  }

  // MARK: Descriptions

  private static func description(_ track: MovieTrack) -> [UInt8] {
    let entry =
      switch track.format {
      case .video(let width, let height, _, let h264): video(width: width, height: height, h264)
      case .sound(let sampleRate, let channels): sound(sampleRate: sampleRate, channels: channels)
      }
    return MovieAtom.versioned("stsd", flags: 0, UInt32(1).bytes, entry)
  }

  private static func video(width: Int, height: Int, _ h264: [UInt8]?) -> [UInt8] {
    let resolution = MovieAtom.fixed(72).bytes
    return MovieAtom.atom(
      h264 == nil ? "jpeg" : "avc1",
      // The first data reference; no version and vendor; normal spatial quality.
      MovieAtom.zeros(6) + UInt16(1).bytes + MovieAtom.zeros(12) + UInt32(512).bytes,
      UInt16(clamping: width).bytes + UInt16(clamping: height).bytes,
      resolution + resolution + MovieAtom.zeros(4),
      // One frame in a sample; no compressor name; 24 bits per pixel; no color table.
      UInt16(1).bytes + MovieAtom.zeros(32) + UInt16(24).bytes + UInt16.max.bytes,
      h264.map { MovieAtom.atom("avcC", $0) } ?? []
    )
  }

  /// Returns a sound description of version 2, which has no limit for the sample rate.
  private static func sound(sampleRate: Int, channels: Int) -> [UInt8] {
    MovieAtom.atom(
      "lpcm",
      MovieAtom.zeros(6) + UInt16(1).bytes,
      // The version, and the constants that the specification requires.
      UInt16(2).bytes + MovieAtom.zeros(6) + UInt16(3).bytes + UInt16(16).bytes + Int16(-2).bytes,
      MovieAtom.zeros(2) + UInt32(65536).bytes + UInt32(72).bytes,
      Double(sampleRate).bitPattern.bytes + UInt32(channels).bytes + UInt32(0x7F00_0000).bytes,
      // 16 bits per sample; signed and packed integers; one sample frame in a packet.
      UInt32(16).bytes + UInt32(12).bytes + UInt32(channels * 2).bytes + UInt32(1).bytes
    )
  }

  // MARK: Tables

  /// Returns the durations of the samples; a sample of sound is a sample frame.
  private static func durations(_ track: MovieTrack) -> [(value: UInt32, count: Int)] {
    guard case .video = track.format else { return [(1, track.duration)] }
    return runs(of: track.durations)
  }

  /// Returns the atom `stss`, or nothing if a player can start with each sample.
  private static func keyframes(_ track: MovieTrack) -> [UInt8] {
    guard case .video = track.format, track.keyframes.count < track.sizes.count else { return [] }
    return MovieAtom.versioned(
      "stss",
      flags: 0,
      UInt32(track.keyframes.count).bytes,
      track.keyframes.flatMap(\.bytes)
    )
  }

  private static func sizes(_ track: MovieTrack) -> [UInt8] {
    switch track.format {
    case .video:
      MovieAtom.versioned(
        "stsz",
        flags: 0,
        MovieAtom.zeros(4) + UInt32(track.sizes.count).bytes,
        track.sizes.flatMap(\.bytes)
      )
    case .sound(_, let channels):
      MovieAtom.versioned(
        "stsz",
        flags: 0,
        UInt32(channels * 2).bytes + UInt32(clamping: track.duration).bytes
      )
    }
  }

  /// Returns a table of runs: the number of runs, and for each its length and its value.
  private static func runs(_ runs: [(value: UInt32, count: Int)]) -> [UInt8] {
    UInt32(runs.count).bytes + runs.flatMap { UInt32(clamping: $0.count).bytes + $0.value.bytes }
  }

  /// Returns the table of the chunks: for each run of equal chunks its first chunk, the samples of a chunk and
  /// the description.
  private static func chunkRuns(_ chunks: [MovieTrack.Chunk]) -> [UInt8] {
    var first = 1
    var table: [UInt8] = []
    let runs = runs(of: chunks.map { UInt32(clamping: $0.count) })
    for run in runs {
      table += UInt32(first).bytes + run.value.bytes + UInt32(1).bytes
      first += run.count
    }
    return UInt32(runs.count).bytes + table
  }

  /// Returns the runs of equal values.
  private static func runs(of values: [UInt32]) -> [(value: UInt32, count: Int)] {
    var runs: [(value: UInt32, count: Int)] = []
    for value in values {
      if runs.last?.value == value { runs[runs.count - 1].count += 1 } else { runs.append((value, 1)) }
    }
    return runs
  }
}
