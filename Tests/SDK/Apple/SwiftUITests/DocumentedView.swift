// SPDX-License-Identifier: Apache-2.0

import LockedCameraCapture
import SwiftUI

@MainActor @Observable
final class CameraModel {
  var photoCount = 0
}

struct CameraControls: View {
  let model: CameraModel
  @State private var isFlashOn = false

  var body: some View {
    ZStack {
      Viewfinder()
      VStack {
        HStack {
          Button {
            isFlashOn.toggle()
          } label: {
            Image(systemName: "bolt.fill").foregroundStyle(isFlashOn ? .yellow : .white)
          }
          Spacer()
          Text("\(model.photoCount) photos").font(.headline)
        }
        .padding()
        .background(.ultraThinMaterial)
        Spacer()
        Circle()
          .fill(.white)
          .frame(width: 64, height: 64)
          .padding(.bottom)
          .onTapGesture { model.photoCount += 1 }
      }
    }
    .onCameraCaptureEvent { event in
      if event.phase == .ended { model.photoCount += 1 }
    }
  }
}

#Preview {
  CameraControls(model: CameraModel())
}
