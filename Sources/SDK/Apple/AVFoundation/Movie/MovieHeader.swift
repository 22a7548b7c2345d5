// SPDX-License-Identifier: Apache-2.0

/// The atom `moov` of a movie: the description of its tracks.
struct MovieHeader {
  /// The use of a header.
  enum Kind {
    /// The header of a movie in fragments, which contain the tables of the samples.
    case fragmented
    /// The header of a complete movie, with the tables of all samples.
    case complete
  }

  private static let movieTimescale = 1000
  private let kind: Kind
  private let tracks: [MovieTrack]

  init(_ kind: Kind, _ tracks: [MovieTrack]) { (self.kind, self.tracks) = (kind, tracks) }

  /// The bytes of the atom.
  var bytes: [UInt8] {
    let duration = tracks.map(movieDuration).max() ?? 0
    let header = MovieAtom.versioned(
      "mvhd",
      flags: 0,
      MovieAtom.zeros(8),
      UInt32(Self.movieTimescale).bytes,
      duration.bytes,
      // Normal speed and volume.
      MovieAtom.fixed(1).bytes + UInt16(0x0100).bytes + MovieAtom.zeros(10),
      MovieAtom.matrix(FrameGeometry(), width: 0, height: 0),
      MovieAtom.zeros(24),
      UInt32(tracks.count + 1).bytes
    )
    return MovieAtom.atom("moov", header, tracks.flatMap(track), kind == .fragmented ? defaults : [])
  }

  /// The atom `mvex`, which announces fragments.
  private var defaults: [UInt8] {
    let tracks = tracks.map { track in
      // The first sample description; no default duration or size. Samples without flags depend on no
      // others.
      MovieAtom.versioned(
        "trex",
        flags: 0,
        track.id.bytes,
        UInt32(1).bytes,
        MovieAtom.zeros(8),
        UInt32(0x0200_0000).bytes
      )
    }
    return MovieAtom.atom("mvex", tracks.flatMap { $0 })
  }

  /// Returns the duration of a track in units of the movie.
  private func movieDuration(_ track: MovieTrack) -> UInt32 {
    UInt32(clamping: duration(track) * Self.movieTimescale / track.timescale)
  }

  /// Returns the duration of a track, which is in the fragments of a movie in fragments.
  private func duration(_ track: MovieTrack) -> Int { kind == .complete ? track.duration : 0 }

  private func track(_ track: MovieTrack) -> [UInt8] {
    let (width, height, geometry): (Int, Int, FrameGeometry) =
      switch track.format {
      case .video(let width, let height, let geometry, _): (width, height, geometry)
      case .sound: (0, 0, FrameGeometry())
      }
    let header = MovieAtom.versioned(
      "tkhd",
      // Enabled, and part of the movie.
      flags: 3,
      MovieAtom.zeros(8),
      track.id.bytes,
      MovieAtom.zeros(4),
      movieDuration(track).bytes,
      MovieAtom.zeros(12),
      UInt16(track.isSound ? 0x0100 : 0).bytes + MovieAtom.zeros(2),
      MovieAtom.matrix(geometry, width: width, height: height),
      MovieAtom.fixed(width).bytes + MovieAtom.fixed(height).bytes
    )
    return MovieAtom.atom("trak", header, media(track))
  }

  private func media(_ track: MovieTrack) -> [UInt8] {
    let header = MovieAtom.versioned(
      "mdhd",
      // Times with 64 bits: microseconds in 32 bits end after 71 minutes.
      version: 1,
      MovieAtom.zeros(16),
      UInt32(track.timescale).bytes,
      UInt64(duration(track)).bytes,
      // An unspecified language.
      UInt16(0x7FFF).bytes + MovieAtom.zeros(2)
    )
    let reference = MovieAtom.atom(
      "dinf",
      MovieAtom.versioned("dref", flags: 0, UInt32(1).bytes, MovieAtom.versioned("url ", flags: 1))
    )
    // The header of video copies pixels (graphics mode 0); the header of sound is balanced.
    let kindHeader =
      track.isSound
      ? MovieAtom.versioned("smhd", flags: 0, MovieAtom.zeros(4))
      : MovieAtom.versioned("vmhd", flags: 1, MovieAtom.zeros(8))
    let tables = kind == .complete ? SampleTables(track).bytes : SampleTables.empty(track)
    let content = MovieAtom.atom("minf", kindHeader, handler("dhlr", "url "), reference, tables)
    return MovieAtom.atom("mdia", header, handler("mhlr", track.isSound ? "soun" : "vide"), content)
  }

  private func handler(_ type: StaticString, _ subtype: StaticString) -> [UInt8] {
    MovieAtom.versioned("hdlr", flags: 0, MovieAtom.code(type), MovieAtom.code(subtype), MovieAtom.zeros(13))
  }
}

extension MovieTrack {
  /// Whether the track has sound.
  var isSound: Bool {
    if case .sound = format { true } else { false }
  }
}
