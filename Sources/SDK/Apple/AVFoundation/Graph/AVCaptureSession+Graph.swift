// SPDX-License-Identifier: Apache-2.0

public import LockedCameraCapture

extension AVCaptureSession {
  /// The inputs, outputs and previews of the session.
  var graph: CaptureGraph { attachment.object(CaptureGraph.self) { CaptureGraph(self) } }

  /// The inputs, in the order in which they were added.
  public var inputs: [AVCaptureInput] { graph.inputs }

  /// The outputs, in the order in which they were added.
  public var outputs: [AVCaptureOutput] { graph.outputs }

  /// The connections from the inputs to the outputs and preview layers.
  public var connections: [AVCaptureConnection] {
    outputs.flatMap(\.connections) + graph.previews.compactMap(\.connection)
  }

  /// Whether the session was interrupted because it is no longer in the foreground.
  public var isInterrupted: Bool { graph.isInterrupted }

  // MARK: Inputs

  /// Returns whether an input can be added: the session has no other input for its type of media.
  public func canAddInput(_ input: AVCaptureInput) -> Bool {
    !inputs.contains { $0.mediaType == input.mediaType }
  }

  /// Adds an input, and connects it with the outputs.
  ///
  /// An input for which ``canAddInput(_:)`` returns `false` is a programming error and traps, like Apple's
  /// exception.
  public func addInput(_ input: AVCaptureInput) {
    precondition(canAddInput(input), "the input cannot be added; call canAddInput(_:) first")
    graph.change { inputs, _ in inputs.append(input) }
  }

  /// Removes an input and its connections; an input that is not in the session is ignored.
  ///
  /// The device of the input stops. The camera continues if the open configuration adds another input for the camera;
  /// otherwise, requested photos and recordings end with ``AVError/Code/deviceNotConnected``.
  public func removeInput(_ input: AVCaptureInput) {
    graph.change { inputs, _ in inputs.removeAll { $0 === input } }
  }

  // MARK: Outputs

  /// Returns whether an output can be added: it is in no session.
  public func canAddOutput(_ output: AVCaptureOutput) -> Bool { output.session == nil }

  /// Adds an output, and connects it with the inputs.
  ///
  /// An output for which ``canAddOutput(_:)`` returns `false` is a programming error and traps, like Apple's
  /// exception.
  public func addOutput(_ output: AVCaptureOutput) {
    precondition(
      output.move(from: nil, to: self),
      "the output cannot be added; call canAddOutput(_:) first"
    )
    graph.change { _, outputs in outputs.append(output) }
  }

  /// Removes an output and its connections; an output that is not in the session is ignored.
  public func removeOutput(_ output: AVCaptureOutput) {
    guard output.move(from: self, to: nil) else { return }
    graph.change { _, outputs in outputs.removeAll { $0 === output } }
    output.connect(to: [])
  }

  // MARK: Presets

  /// The quality of the session; initially ``Preset/high``.
  ///
  /// The host selects the size of the frames, so that a preset changes nothing. A preset for which
  /// ``canSetSessionPreset(_:)`` returns `false` is not set, and the session log contains the reason.
  public var sessionPreset: Preset {
    get { graph.preset }
    set {
      guard !canSetSessionPreset(newValue) else { return graph.preset = newValue }
      Task { @MainActor in
        CurrentSession.session?.log(.error, "the preset \(newValue.rawValue) is not the size of the camera")
      }
    }
  }

  /// Returns whether a preset can be set: a preset without a size, or with the size of the camera's frames.
  public func canSetSessionPreset(_ preset: Preset) -> Bool {
    guard let size = preset.dimensions else { return true }
    return AVCaptureDevice.default(for: .video)?.activeFormat.formatDescription.dimensions == size
  }
}
