// SPDX-License-Identifier: Apache-2.0

import SwiftUI
import Testing

/// The calls of a representable view, in their order.
@MainActor @Observable
private final class Calls {
  @ObservationIgnored var names: [String] = []
  var width = 100.0
}

private struct Square: UIViewRepresentable {
  let calls: Calls

  func makeCoordinator() -> Calls { calls }

  func makeUIView(context: Context) -> UIView {
    context.coordinator.names.append("make")
    let (view, mark) = (UIView(), UIView(frame: CGRect(x: 0, y: 0, width: 10, height: 10)))
    view.backgroundColor = .white
    mark.backgroundColor = .black
    view.addSubview(mark)
    return view
  }

  func updateUIView(_ uiView: UIView, context: Context) {
    calls.names.append("update \(Int(calls.width))")
    uiView.subviews[0].frame.size.width = calls.width
  }

  static func dismantleUIView(_ uiView: UIView, coordinator: Calls) { coordinator.names.append("dismantle") }
}

private struct SwitchedSquare: View {
  let calls: Calls
  @State private var isShown = true

  var body: some View {
    VStack(spacing: 0) {
      if isShown { Square(calls: calls).frame(width: 200, height: 100) }
      Button("Hide") { isShown = false }.frame(width: 100, height: 50)
      Button("Grow") { calls.width = 150 }.frame(width: 100, height: 50)
    }
  }
}

private final class Controller: UIViewController {
  let calls: Calls

  init(_ calls: Calls) {
    self.calls = calls
    super.init(nibName: nil, bundle: nil)
  }

  required init?(coder: NSCoder) { nil }

  override func viewDidLoad() { calls.names.append("load") }
  override func viewWillAppear(_ animated: Bool) { calls.names.append("will appear") }
  override func viewDidLayoutSubviews() { calls.names.append("layout \(Int(view.bounds.width))") }
  override func viewDidAppear(_ animated: Bool) { calls.names.append("did appear") }
}

private struct ControllerView: UIViewControllerRepresentable {
  let calls: Calls

  func makeUIViewController(context: Context) -> Controller { Controller(calls) }
  func updateUIViewController(_ uiViewController: Controller, context: Context) {}
}

@MainActor @Suite(.serialized, .timeLimit(.minutes(5))) struct RepresentableTests {
  @Test func `creates, updates and dismantles a view of UIKit with its place in the tree`() throws {
    let calls = Calls()
    let rig = try ViewRig(SwitchedSquare(calls: calls))
    // The square has the rows 95 to 195, and the columns 290 to 490.
    #expect(calls.names == ["make", "update 100"])
    #expect(rig.luma(300, 100) == 0)
    #expect(rig.luma(395, 100) == 255)
    try rig.tap(390, 270)
    #expect(calls.names == ["make", "update 100", "update 150"])
    #expect(rig.luma(395, 100) == 0)
    try rig.tap(390, 220)
    #expect(calls.names.last == "dismantle")
    #expect(rig.brightArea(above: 254).map { $0.height < 100 } != false)
  }

  @Test func `draws backgrounds, borders and round corners of layers, and clips to their bounds`() throws {
    struct Card: UIViewRepresentable {
      func makeUIView(context: Context) -> UIView {
        let (view, child) = (UIView(), UIView(frame: CGRect(x: 50, y: 0, width: 500, height: 10)))
        view.layer.cornerRadius = 20
        view.layer.borderWidth = 10
        view.layer.borderColor = UIColor.white.cgColor
        view.clipsToBounds = true
        child.backgroundColor = UIColor(white: 0.5, alpha: 1)
        view.addSubview(child)
        return view
      }

      func updateUIView(_ uiView: UIView, context: Context) {}
    }
    let rig = try ViewRig(Card().frame(width: 200, height: 100))
    #expect(rig.brightArea(above: 100) == CGRect(x: 290, y: 145, width: 200, height: 100))
    #expect(rig.luma(291, 146) == 0)
    #expect(rig.luma(295, 195) == 255)
    #expect(rig.luma(390, 195) == 0)
  }

  @Test func `resizes the views in a view by their autoresizing masks`() {
    let (view, child) = (UIView(frame: CGRect(x: 0, y: 0, width: 100, height: 100)), UIView())
    view.addSubview(child)
    child.frame = CGRect(x: 10, y: 20, width: 80, height: 40)
    child.autoresizingMask = [.flexibleWidth, .flexibleTopMargin, .flexibleBottomMargin]
    view.frame.size = CGSize(width: 200, height: 140)
    #expect(child.frame == CGRect(x: 10, y: 40, width: 180, height: 40))
  }

  @Test func `calls the methods of a view controller in the order of UIKit`() throws {
    let calls = Calls()
    let rig = try ViewRig(ControllerView(calls: calls).frame(width: 300))
    #expect(calls.names == ["load", "will appear", "layout 0", "did appear", "layout 300"])
    _ = rig
  }

  @Test func `keeps the order of views and their layers`() {
    let (view, first, second) = (UIView(), UIView(), UIView())
    let layer = CALayer()
    view.layer.addSublayer(layer)
    view.addSubview(first)
    view.insertSubview(second, at: 0)
    #expect(
      view.layer.sublayers?.map(ObjectIdentifier.init)
        == [layer, second.layer, first.layer].map(ObjectIdentifier.init)
    )
    view.bringSubviewToFront(second)
    #expect(view.subviews == [first, second])
    first.removeFromSuperview()
    #expect(view.layer.sublayers?.count == 2 && first.superview == nil)
  }
}
