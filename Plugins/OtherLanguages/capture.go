// SPDX-License-Identifier: Apache-2.0

// Shows the camera, and saves a photo at each press of the shutter.
package main

// #cgo LDFLAGS: -ldarkroom
// #include <darkroom.h>
// #include <stdlib.h>
import "C"

import (
	"fmt"
	"log"
	"unsafe"
)

func main() {
	session := C.darkroom_open(nil)
	if session == nil {
		log.Fatal("no session: the program must be started by a host")
	}
	defer C.darkroom_close(session)
	C.darkroom_start_camera(session, C.DARKROOM_LATEST)
	C.darkroom_subscribe(session, false)
	event := C.darkroom_event{size: C.sizeof_darkroom_event}
	frame := C.darkroom_frame{size: C.sizeof_darkroom_frame}
	for presses, photos := 0, 0; ; {
		if C.darkroom_next(session, &event, -1) < 0 {
			return
		}
		if event._type == C.DARKROOM_PRESSED && event.button == C.DARKROOM_PRIMARY {
			presses++
		}
		if event._type != C.DARKROOM_FRAME || C.darkroom_take_frame(session, &frame) <= 0 {
			continue
		}
		C.darkroom_present(session, &frame)
		path := C.CString(fmt.Sprintf("photo-%d.png", photos+1))
		// If the host has overwritten the frame meanwhile, the next frame is saved.
		if presses > 0 && C.darkroom_save_png(session, &frame, path) == 0 {
			presses, photos = presses-1, photos+1
		}
		C.free(unsafe.Pointer(path))
	}
}
