// SPDX-License-Identifier: Apache-2.0

internal import LockedCameraCapture
internal import QuartzCore

/// A part of the viewfinder in which a layer shows the frames of the camera.
@MainActor
final class FrameItem: FramePart {
  private let layer: any FrameLayer
  /// From pixels of the viewfinder to pixels of the frame.
  private let toFrame: Transform
  /// The rows of the viewfinder that are drawn.
  private let rows: Range<Int>
  /// The columns of each row, from the first visible one to the last.
  private let spans: [Range<Int>]

  /// Creates a part of the viewfinder.
  ///
  /// - Parameters:
  ///   - layer: The layer that shows the frames.
  ///   - toFrame: The transform from pixels of the viewfinder to pixels of the frame.
  ///   - area: The pixels of the viewfinder around the visible ones.
  ///   - clips: The outlines that contain the visible pixels.
  init(_ layer: any FrameLayer, _ toFrame: Transform, _ area: PixelArea, clips: [Outline]) {
    (self.layer, self.toFrame, rows) = (layer, toFrame, area.rows)
    spans = clips.isEmpty ? area.rows.map { _ in area.columns } : Self.spans(of: clips, in: area)
  }

  /// Returns the columns of each row that all outlines contain.
  private static func spans(of clips: [Outline], in area: PixelArea) -> [Range<Int>] {
    var mask = CoverageMask(clips[0], in: area)
    for clip in clips.dropFirst() { mask.clip(to: clip) }
    let (start, count) = (area.columns.lowerBound, area.columns.count)
    return area.rows.indices.map { index in
      let row = (index - area.rows.lowerBound) * count
      let coverage = mask.values[row..<row + count]
      guard let first = coverage.firstIndex(where: { $0 > 0 }),
        let last = coverage.lastIndex(where: { $0 > 0 })
      else { return start..<start }
      return start + first - row..<start + last + 1 - row
    }
  }

  var isActive: Bool { layer.isPreviewing }

  func draw(_ frame: borrowing CaptureFrame, on canvas: inout PreviewCanvas) {
    for plane in CaptureFrame.Plane.allCases {
      let sampler = PlaneSampler(plane == .luma ? toFrame : toFrame.halved, frame.layout(of: plane))
      frame.withPlane(plane) { source in
        source.withUnsafeBytes { source in
          canvas.withPlane(plane) { target, stride, _ in
            plane == .luma
              ? drawLuma(sampler, source, target, stride) : drawChroma(sampler, source, target, stride)
          }
        }
      }
    }
  }

  private func drawLuma(
    _ sampler: PlaneSampler,
    _ source: UnsafeRawBufferPointer,
    _ target: UnsafeMutablePointer<UInt8>,
    _ stride: Int
  ) {
    for (row, span) in zip(rows, spans) { sampler.draw(source, row, span, target + row * stride) }
  }

  /// Draws one row of chroma for two rows of pixels.
  private func drawChroma(
    _ sampler: PlaneSampler,
    _ source: UnsafeRawBufferPointer,
    _ target: UnsafeMutablePointer<UInt8>,
    _ stride: Int
  ) {
    for index in Swift.stride(from: 0, to: spans.count, by: 2) {
      let (span, row) = (spans[index], (rows.lowerBound + index) / 2)
      let columns = span.lowerBound / 2..<(span.upperBound + 1) / 2
      sampler.draw(source, row, columns, target + row * stride)
    }
  }
}

extension FrameItem: @MainActor Equatable {
  /// Returns whether both show the same part of the frames of the same layer.
  static func == (first: FrameItem, second: FrameItem) -> Bool {
    first.layer === second.layer && first.toFrame == second.toFrame && first.rows == second.rows
      && first.spans == second.spans
  }
}

extension Transform {
  /// The transform between planes with half the width and height.
  fileprivate var halved: Transform { Transform(x: x, y: y, origin: origin / 2) }
}
