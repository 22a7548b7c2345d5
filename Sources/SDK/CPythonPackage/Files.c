// SPDX-License-Identifier: Apache-2.0

// The compiler for C embeds files at once. The compiler for Swift needs twenty seconds for such literals.

#include "CPythonPackage.h"

static const unsigned char init_py[] = {
#embed "../Python/darkroom/__init__.py"
};
static const unsigned char asyncsession_py[] = {
#embed "../Python/darkroom/asyncsession.py"
};
static const unsigned char camera_py[] = {
#embed "../Python/darkroom/camera.py"
};
static const unsigned char connection_py[] = {
#embed "../Python/darkroom/connection.py"
};
static const unsigned char core_py[] = {
#embed "../Python/darkroom/core.py"
};
static const unsigned char errors_py[] = {
#embed "../Python/darkroom/errors.py"
};
static const unsigned char events_py[] = {
#embed "../Python/darkroom/events.py"
};
static const unsigned char frames_py[] = {
#embed "../Python/darkroom/frames.py"
};
static const unsigned char images_py[] = {
#embed "../Python/darkroom/images.py"
};
static const unsigned char memory_py[] = {
#embed "../Python/darkroom/memory.py"
};
static const unsigned char requests_py[] = {
#embed "../Python/darkroom/requests.py"
};
static const unsigned char session_py[] = {
#embed "../Python/darkroom/session.py"
};
static const unsigned char sound_py[] = {
#embed "../Python/darkroom/sound.py"
};
static const unsigned char values_py[] = {
#embed "../Python/darkroom/values.py"
};
static const unsigned char viewfinder_py[] = {
#embed "../Python/darkroom/viewfinder.py"
};

static const struct python_module files[] = {
    {"__init__.py", init_py, sizeof init_py},
    {"asyncsession.py", asyncsession_py, sizeof asyncsession_py},
    {"camera.py", camera_py, sizeof camera_py},
    {"connection.py", connection_py, sizeof connection_py},
    {"core.py", core_py, sizeof core_py},
    {"errors.py", errors_py, sizeof errors_py},
    {"events.py", events_py, sizeof events_py},
    {"frames.py", frames_py, sizeof frames_py},
    {"images.py", images_py, sizeof images_py},
    {"memory.py", memory_py, sizeof memory_py},
    {"requests.py", requests_py, sizeof requests_py},
    {"session.py", session_py, sizeof session_py},
    {"sound.py", sound_py, sizeof sound_py},
    {"values.py", values_py, sizeof values_py},
    {"viewfinder.py", viewfinder_py, sizeof viewfinder_py},
};

struct python_module python_module(size_t index) {
  return index < sizeof files / sizeof *files ? files[index] : (struct python_module){NULL, NULL, 0};
}
