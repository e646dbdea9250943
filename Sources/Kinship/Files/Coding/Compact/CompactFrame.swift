/// A value that is being written.
struct CompactFrame: BitwiseCopyable {
  enum State: UInt8 {
    /// No container has been asked for.
    case awaiting
    /// A container for one value was asked for.
    case single
    /// That value is written.
    case written
    case keyed
    case unkeyed
  }

  /// A container's hold on its frame: frames come and go, but a serial is used once.
  struct Reference: BitwiseCopyable, Equatable {
    var index: UInt32
    var serial: UInt32
  }

  var serial: UInt32 = 0
  var state = State.awaiting
  /// Whether a value's own `encode(to:)` is running, rather than a nested container be open.
  var isValue = false
  /// How many containers there are from the outermost one to this.
  var depth: UInt8 = 0
  /// How many elements are in an unkeyed container.
  var count = 0
  /// Where the value begins.
  var start = 0
  /// Where the last entry of a container begins.
  var entry = 0
}
