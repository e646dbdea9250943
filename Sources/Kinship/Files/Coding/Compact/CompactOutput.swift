/// What a writer has written, and the values that it is writing.
struct CompactOutput: ~Copyable {
  var bytes = PlainBuffer<UInt8>(repeating: 0, count: 0)
  var frames = PlainBuffer(repeating: CompactFrame(), count: 0)
  /// The last frame.
  var top = CompactFrame.Reference(index: 0, serial: 0)
  /// The serial given last.
  var serial: UInt32 = 0
  var hasFailed = false
  /// Whether a nested container had a writer of its own.
  var hasDetached = false
  /// Whether nested containers have a writer of their own until the container that they are in is
  /// complete.
  var isDetaching = false
  /// Whether a nested container was written to again after the container that it is in.
  var isInterleaved = false
}
