"""How kernels are compiled: the decorators, a disk cache that is never stale, and the few bit intrinsics.

Numba's own cache looks at the file of the kernel alone: a change in another file, or in a setting such as
``NUMBA_BOUNDSCHECK``, would be served stale code. So what this package compiles goes to a folder named by a hash of
the settings and of all sources that the kernel can depend on: those of its layer and of the layers below. Folders
that nobody used for 30 days are dropped.
"""

import functools
import hashlib
import os
import shutil
import time
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import platformdirs
from llvmlite import ir

from .errors import InputError

with warnings.catch_warnings():  # numba tells of a setting that it cannot read in nine lines, or refuses to be loaded
    warnings.filterwarnings("error", "Environment variable 'NUMBA_", RuntimeWarning)
    try:
        import numba
        from numba.core import cgutils, event, types
        from numba.extending import intrinsic, overload
    except (RuntimeWarning, ValueError) as error:
        problem = str(error).partition("\n")[0].removesuffix(".")
        raise InputError(f"numba refuses a NUMBA_* setting of the environment, unset it: {problem}") from None

LAYERS = ("sim", "agents", "experiments")  # each imports only itself and those before it
UNUSED_DAYS = 30


def source_hash(layer: str, *more: str) -> str:
    """Return a hash (16 hex digits) of the sources up to a layer, and of more texts."""
    digest = hashlib.sha256()
    top = Path(__file__).parent.parent
    for folder in LAYERS[: LAYERS.index(layer) + 1]:
        for path in sorted((top / folder).rglob("*.py")):
            digest.update(str(path.relative_to(top)).encode() + b"\0" + path.read_bytes() + b"\0")
    for text in more:
        digest.update(text.encode() + b"\0")
    return digest.hexdigest()[:16]


def cache_root() -> Path:
    """Return the folder of all compiled kernels: in ``NUMBA_CACHE_DIR`` where it is set, else in the user's cache."""
    chosen = os.environ.get("NUMBA_CACHE_DIR")
    return Path(chosen) / "agari" if chosen else platformdirs.user_cache_path("agari") / "kernels"


@functools.cache
def cache_folder(layer: str) -> Path | None:
    """Return the folder for the kernels of a layer as its sources are now, and drop those long unused.

    None if it cannot be written to: that costs a compilation at every start, nothing else.
    """
    root = cache_root()
    numba_settings = {name for name in os.environ if name.startswith("NUMBA_")} - {"NUMBA_CACHE_DIR"}
    settings = [f"{name}={os.environ[name]}" for name in sorted(numba_settings)]
    folder = root / f"{layer}-{source_hash(layer, *settings)}"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        os.utime(folder)
        for other in root.iterdir():
            if other != folder and time.time() - other.stat().st_mtime > UNUSED_DAYS * 86400:
                shutil.rmtree(other, ignore_errors=True)
    except OSError:
        pass
    return folder if os.access(folder, os.W_OK | os.X_OK) else None


def _compile(function: Callable[..., Any], **options: Any) -> Any:
    package, _, rest = function.__module__.partition(".")
    layer = rest.split(".")[0] if package == "agari" else LAYERS[-1]  # a user's kernel may use any of ours
    folder = cache_folder(layer)
    # Numba reads these while it decorates. Whatever it found in another place than our folder would be stale.
    ours = {"CACHE_DIR": str(folder), "CACHE_LOCATOR_CLASSES": ""}
    settings = vars(numba.config)
    before = {name: settings.get(name, "") for name in ours}
    settings.update(ours)
    try:
        return numba.njit(cache=folder is not None, error_model="numpy", **options)(function)
    finally:
        settings.update(before)


def kernel(function: Callable[..., Any]) -> Any:
    """Compile a kernel, cached on disk."""
    return _compile(function)


def small_kernel(function: Callable[..., Any]) -> Any:
    """Compile a kernel that is inlined into every caller: what numba spends on a call is more than such a one does."""
    return _compile(function, forceinline=True)


class _FirstCompilation(event.Listener):
    tell: Callable[[], None] | None = None

    def on_start(self, event: event.Event) -> None:
        tell, self.tell = self.tell, None
        if tell is not None:
            tell()

    def on_end(self, event: event.Event) -> None:
        pass


_first_compilation = _FirstCompilation()
event.register("numba:compile", _first_compilation)


def on_first_compilation(tell: Callable[[], None]) -> None:
    """Call `tell` once, and none given before, when this process next compiles something and not only loads it."""
    _first_compilation.tell = tell


def popcount(bits: int) -> int:
    """Return the number of set bits of a non-negative int64."""
    return int(bits).bit_count()


def trailing_zeros(bits: int) -> int:
    """Return the index of the lowest set bit of a positive int64 (64 for 0)."""
    return (int(bits) & -int(bits)).bit_length() - 1 if bits else 64


def highest_bit(bits: int) -> int:
    """Return the index of the highest set bit of a non-negative int64 (-1 for 0)."""
    return int(bits).bit_length() - 1


@intrinsic
def _ctpop(typing_context, bits):
    def generate(context, builder, signature, arguments):
        return builder.ctpop(arguments[0])

    return types.int64(types.int64), generate


@intrinsic
def _cttz(typing_context, bits):
    def generate(context, builder, signature, arguments):
        return builder.cttz(arguments[0], ir.Constant(ir.IntType(1), 0))

    return types.int64(types.int64), generate


@intrinsic
def _ctlz(typing_context, bits):
    def generate(context, builder, signature, arguments):
        return builder.ctlz(arguments[0], ir.Constant(ir.IntType(1), 0))

    return types.int64(types.int64), generate


@overload(popcount, jit_options={"forceinline": True})
def _popcount(bits):
    return lambda bits: _ctpop(bits)


@overload(trailing_zeros, jit_options={"forceinline": True})
def _trailing_zeros(bits):
    return lambda bits: _cttz(bits)


@overload(highest_bit, jit_options={"forceinline": True})
def _highest_bit(bits):
    return lambda bits: 63 - _ctlz(bits)


def _allocate(size: int) -> Any:
    @intrinsic
    def allocate(typing_context):
        def generate(context, builder, signature, arguments):
            return cgutils.alloca_once(builder, ir.IntType(64), size=size)

        return types.CPointer(types.int64)(), generate

    return allocate


_alloca64, _alloca128 = _allocate(64), _allocate(128)


def scratch64():
    """Return room for 64 int64 that lives as long as the calling kernel; it costs no allocation. Only for indexing."""
    return np.empty(64, np.int64)


@overload(scratch64, jit_options={"forceinline": True})
def _scratch64():
    return lambda: _alloca64()


def scratch128():
    """Return the same for 128 int64."""
    return np.empty(128, np.int64)


@overload(scratch128, jit_options={"forceinline": True})
def _scratch128():
    return lambda: _alloca128()


def copy_record(target, source):
    """Copy all fields of a record into another of the same dtype."""
    for name in source.dtype.names:
        target[name] = source[name]


@intrinsic
def _copy_record(typing_context, target, source):
    size = source.size

    def generate(context, builder, signature, arguments):
        cgutils.raw_memcpy(builder, arguments[0], arguments[1], ir.Constant(ir.IntType(64), size), 1)
        return context.get_dummy_value()

    return types.void(target, source), generate


@overload(copy_record, jit_options={"forceinline": True})
def _copy_record_overload(target, source):
    if isinstance(target, types.Record) and target.dtype == source.dtype:
        return lambda target, source: _copy_record(target, source)
    return None
