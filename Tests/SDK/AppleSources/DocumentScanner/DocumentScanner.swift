// SPDX-License-Identifier: Apache-2.0
// swift-format-ignore-file: NeverForceUnwrap

import AVFoundation
import LockedCameraCapture
import SwiftUI
import UniformTypeIdentifiers

struct ScannedPage: Identifiable, Hashable {
  let id = UUID()
  var title: String
  var url: URL
  var rotation: Angle = .zero
  var isIncluded = true
}

enum PaperSize: String, CaseIterable, Identifiable {
  case a4 = "A4"
  case letter = "Letter"
  case receipt = "Receipt"

  var id: Self { self }

  var aspectRatio: CGFloat {
    switch self {
    case .a4: 210 / 297
    case .letter: 8.5 / 11
    case .receipt: 0.4
    }
  }
}

@MainActor
final class ScannerModel: NSObject, ObservableObject {
  @Published var pages: [ScannedPage] = []
  @Published var paper = PaperSize.a4
  @Published var isScanning = false
  @Published var errorMessage: String?

  let session = AVCaptureSession()
  private let output = AVCapturePhotoOutput()
  private let queue = DispatchQueue(label: "scanner.session", qos: .userInitiated)
  private let directory: URL

  init(directory: URL) {
    self.directory = directory
    super.init()
  }

  func configure() {
    session.beginConfiguration()
    session.sessionPreset = .photo
    if let camera = AVCaptureDevice.default(.builtInWideAngleCamera, for: .video, position: .back),
      let input = try? AVCaptureDeviceInput(device: camera), session.canAddInput(input)
    {
      session.addInput(input)
    } else {
      errorMessage = String(localized: "No camera")
    }
    if session.canAddOutput(output) {
      session.addOutput(output)
    }
    session.commitConfiguration()
    queue.async { [session] in
      session.startRunning()
    }
  }

  func scan() {
    isScanning = true
    let settings = AVCapturePhotoSettings()
    settings.flashMode = .off
    output.capturePhoto(with: settings, delegate: self)
  }

  func remove(at offsets: IndexSet) {
    for index in offsets {
      try? FileManager.default.removeItem(at: pages[index].url)
    }
    pages.remove(atOffsets: offsets)
  }

  func move(from source: IndexSet, to destination: Int) {
    pages.move(fromOffsets: source, toOffset: destination)
  }
}

extension ScannerModel: AVCapturePhotoCaptureDelegate {
  nonisolated func photoOutput(
    _ output: AVCapturePhotoOutput,
    didFinishProcessingPhoto photo: AVCapturePhoto,
    error: (any Error)?
  ) {
    let data = photo.fileDataRepresentation()
    Task { @MainActor in
      isScanning = false
      guard let data else {
        errorMessage = error?.localizedDescription
        return
      }
      let url =
        directory
        .appendingPathComponent("Page \(pages.count + 1)")
        .appendingPathExtension(for: UTType.jpeg)
      do {
        try data.write(to: url)
        withAnimation(.spring(response: 0.4, dampingFraction: 0.7)) {
          pages.append(ScannedPage(title: "Page \(pages.count + 1)", url: url))
        }
      } catch {
        errorMessage = error.localizedDescription
      }
    }
  }
}

struct PaperGuide: Shape {
  var cornerLength: CGFloat = 28

  func path(in rect: CGRect) -> Path {
    var path = Path()
    let corners: [(CGPoint, CGFloat, CGFloat)] = [
      (CGPoint(x: rect.minX, y: rect.minY), 1, 1),
      (CGPoint(x: rect.maxX, y: rect.minY), -1, 1),
      (CGPoint(x: rect.maxX, y: rect.maxY), -1, -1),
      (CGPoint(x: rect.minX, y: rect.maxY), 1, -1),
    ]
    for (corner, dx, dy) in corners {
      path.move(to: CGPoint(x: corner.x + dx * cornerLength, y: corner.y))
      path.addLine(to: corner)
      path.addLine(to: CGPoint(x: corner.x, y: corner.y + dy * cornerLength))
    }
    return path
  }
}

struct ScannerScreen: View {
  @StateObject private var model: ScannerModel
  @State private var isReviewing = false
  @State private var guidePulse = false

  init(session: LockedCameraCaptureSession) {
    _model = StateObject(wrappedValue: ScannerModel(directory: session.sessionContentURL))
  }

  var body: some View {
    NavigationStack {
      ZStack {
        PreviewLayerView(session: model.session)
          .ignoresSafeArea()
        PaperGuide()
          .stroke(.yellow, style: StrokeStyle(lineWidth: 4, lineCap: .round, lineJoin: .round))
          .aspectRatio(model.paper.aspectRatio, contentMode: .fit)
          .padding(40)
          .opacity(guidePulse ? 0.5 : 1)
          .animation(.easeInOut(duration: 1).repeatForever(autoreverses: true), value: guidePulse)
          .allowsHitTesting(false)
        if model.isScanning {
          ProgressView()
            .controlSize(.large)
            .tint(.white)
        }
      }
      .safeAreaInset(edge: .bottom) { bottomBar }
      .navigationTitle("Scan")
      .navigationBarTitleDisplayMode(.inline)
      .toolbar {
        ToolbarItem(placement: .topBarTrailing) {
          Button("Done") { isReviewing = true }
            .disabled(model.pages.isEmpty)
        }
      }
      .sheet(isPresented: $isReviewing) {
        ReviewScreen(model: model)
          .presentationDetents([.medium, .large])
      }
    }
    .onAppear {
      model.configure()
      guidePulse = true
    }
  }

  private var bottomBar: some View {
    VStack(spacing: 16) {
      Picker("Paper", selection: $model.paper) {
        ForEach(PaperSize.allCases) { size in
          Text(size.rawValue).tag(size)
        }
      }
      .pickerStyle(.segmented)
      HStack {
        PageCounter(count: model.pages.count)
        Spacer()
        Button(action: model.scan) {
          Image(systemName: "doc.viewfinder")
            .font(.system(size: 28, weight: .semibold))
            .frame(width: 72, height: 72)
            .background(Circle().fill(.white))
            .foregroundColor(.black)
        }
        .disabled(model.isScanning)
        Spacer()
        Color.clear.frame(width: 44, height: 44)
      }
    }
    .padding()
    .background(.ultraThinMaterial)
  }
}

struct PageCounter: View {
  let count: Int

  var body: some View {
    Text("\(count)")
      .font(.system(.body, design: .rounded).monospacedDigit())
      .bold()
      .frame(width: 44, height: 44)
      .overlay {
        RoundedRectangle(cornerRadius: 8, style: .continuous)
          .stroke(lineWidth: 2)
      }
      .contentTransition(.numericText())
  }
}

struct ReviewScreen: View {
  @ObservedObject var model: ScannerModel
  @Environment(\.dismiss) private var dismiss

  var body: some View {
    NavigationStack {
      List {
        Section("Pages") {
          ForEach($model.pages) { $page in
            HStack {
              Toggle(isOn: $page.isIncluded) {
                Label(page.title, systemImage: "doc")
              }
              Button {
                page.rotation += .degrees(90)
              } label: {
                Image(systemName: "rotate.right")
                  .rotationEffect(page.rotation)
              }
              .buttonStyle(.borderless)
            }
          }
          .onDelete(perform: model.remove)
          .onMove(perform: model.move)
        }
        if let message = model.errorMessage {
          Section {
            Text(message).foregroundStyle(.red)
          }
        }
      }
      .listStyle(.insetGrouped)
      .overlay {
        if model.pages.isEmpty {
          ContentUnavailableView("No Pages", systemImage: "doc", description: Text("Scan a page first."))
        }
      }
      .navigationTitle("Review")
      .toolbar {
        ToolbarItem(placement: .confirmationAction) {
          Button("Close") { dismiss() }
        }
      }
    }
  }
}

struct PreviewLayerView: UIViewRepresentable {
  let session: AVCaptureSession

  func makeUIView(context: Context) -> UIView {
    let view = UIView(frame: .zero)
    let layer = AVCaptureVideoPreviewLayer(session: session)
    layer.videoGravity = .resizeAspect
    context.coordinator.layer = layer
    view.layer.addSublayer(layer)
    return view
  }

  func updateUIView(_ view: UIView, context: Context) {
    context.coordinator.layer?.frame = view.bounds
  }

  func makeCoordinator() -> Coordinator { Coordinator() }

  final class Coordinator {
    var layer: AVCaptureVideoPreviewLayer?
  }
}

@main
struct DocumentScannerExtension: LockedCameraCaptureExtension {
  var body: some LockedCameraCaptureExtensionScene {
    LockedCameraCaptureUIScene { session in
      ScannerScreen(session: session)
    }
  }
}
