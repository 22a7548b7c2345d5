// SPDX-License-Identifier: Apache-2.0
//! Shows the camera, and saves a photo at each press of the shutter.

use std::mem::size_of;
use std::os::raw::{c_char, c_int, c_void};

/// `darkroom_event`: `size`, `type`, `button`, and space for the other members.
#[repr(C)]
struct Event(usize, c_int, c_int, [u64; 14]);

/// `darkroom_frame`: `size`, and space for the other members, which only the library uses.
#[repr(C)]
struct Frame(usize, [u64; 14]);

extern "C" {
    fn darkroom_open(error: *mut c_void) -> *mut c_void;
    fn darkroom_start_camera(session: *mut c_void, delivery: c_int) -> c_int;
    fn darkroom_subscribe(session: *mut c_void, default_sound_disabled: bool) -> c_int;
    fn darkroom_next(session: *mut c_void, event: *mut Event, timeout_ms: c_int) -> c_int;
    fn darkroom_take_frame(session: *mut c_void, frame: *mut Frame) -> c_int;
    fn darkroom_present(session: *mut c_void, frame: *const Frame) -> c_int;
    fn darkroom_save_png(session: *mut c_void, frame: *const Frame, path: *const c_char) -> c_int;
    fn darkroom_close(session: *mut c_void);
}

const PRESSED: c_int = 1;
const PRIMARY: c_int = 1;
const FRAME: c_int = 4;

fn main() {
    let (mut event, mut presses) = (Event(size_of::<Event>(), 0, 0, [0; 14]), 0);
    let (mut frame, mut photos) = (Frame(size_of::<Frame>(), [0; 14]), 0);
    // Safety: the structures have the sizes of darkroom.h, the path ends with a zero byte, and one thread uses the session.
    unsafe {
        let session = darkroom_open(std::ptr::null_mut());
        assert!(!session.is_null(), "no session: the program must be started by a host");
        darkroom_start_camera(session, 0);
        darkroom_subscribe(session, false);
        while darkroom_next(session, &mut event, -1) > 0 {
            presses += (event.1 == PRESSED && event.2 == PRIMARY) as u32;
            if event.1 == FRAME && darkroom_take_frame(session, &mut frame) > 0 {
                darkroom_present(session, &frame);
                let path = format!("photo-{}.png\0", photos + 1);
                // If the host has overwritten the frame meanwhile, the next frame is saved.
                if presses > 0 && darkroom_save_png(session, &frame, path.as_ptr().cast()) == 0 {
                    (presses, photos) = (presses - 1, photos + 1);
                }
            }
        }
        darkroom_close(session);
    }
}
