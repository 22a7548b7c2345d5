// SPDX-License-Identifier: Apache-2.0

internal import CFreeType

extension Outline {
  /// Calls `body` with the pixels of an area that the outline covers, in runs with the same coverage from 1 to 255.
  @MainActor
  func rasterize(
    in area: PixelArea,
    _ body: (_ row: Int, _ columns: Range<Int>, _ coverage: UInt8) -> Void
  ) {
    // FreeType's rows point up, so that row 0 is below the axis.
    let flipped = transformed(by: .scale(Vector(1, -1)))
    withoutActuallyEscaping(body) { body in
      var receiver = RunReceiver(body: body)
      withUnsafeMutablePointer(to: &receiver) { receiver in
        var parameters = FT_Raster_Params()
        parameters.flags = FT_RASTER_FLAG_AA | FT_RASTER_FLAG_DIRECT | FT_RASTER_FLAG_CLIP
        parameters.clip_box = FT_BBox(
          xMin: FT_Pos(area.columns.lowerBound),
          yMin: FT_Pos(-area.rows.upperBound),
          xMax: FT_Pos(area.columns.upperBound),
          yMax: FT_Pos(-area.rows.lowerBound)
        )
        parameters.user = UnsafeMutableRawPointer(receiver)
        parameters.gray_spans = { row, count, spans, user in
          guard let spans, let receiver = user?.assumingMemoryBound(to: RunReceiver.self) else { return }
          receiver.pointee.receive(UnsafeBufferPointer(start: spans, count: Int(count)), row: -1 - Int(row))
        }
        // A failure, for lack of memory, leaves the area empty.
        _ = flipped.withFreeType { FT_Outline_Render(FreeType.library, &$0, &parameters) }
      }
    }
  }
}

/// The receiver of FreeType's runs of pixels.
private struct RunReceiver {
  let body: (Int, Range<Int>, UInt8) -> Void

  /// Passes on the runs of a row.
  func receive(_ spans: UnsafeBufferPointer<FT_Span>, row: Int) {
    for span in spans where span.coverage > 0 {
      body(row, Int(span.x)..<Int(span.x) + Int(span.len), span.coverage)
    }
  }
}
